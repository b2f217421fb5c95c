#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace wick::tools {

/// How far a run has come.
struct Standing {
  std::int64_t step = 0;
  std::int64_t steps = 1;
  double loss = 0;
  double tokens_a_second = 0;
  double seconds_left = 0;
};

/// One line of at most `width` columns, in ASCII: as much of this as there is room for, the bar taking what
/// is left:
///
///     step 123/600 [======>                 ] loss 0.8412  0:10 left  48211 tokens/s
std::string standing_line(const Standing& standing, std::size_t width);

/// "0:07", "12:30", "3:00:00".
std::string duration_text(double seconds);

/// What a run of many steps shows while it goes. On a terminal one line is written over, ten times a second
/// at most; elsewhere there is none, and only the lines that stay appear.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  /// Steps from `first`, counted from 1, to `steps`; each reads that many tokens.
  Progress(std::ostream& out, std::int64_t first, std::int64_t steps, std::int64_t tokens_a_step);
  /// Leaves no half line behind, whatever comes next.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// After each step.
  void show(std::int64_t step, double loss);
  /// A line that stays, above the one that is written over.
  void add_line(const std::string& line);
  /// Takes the line that is written over away.
  void clear();

  double seconds() const;
  /// Since the start, of the steps up to this one.
  double tokens_a_second(std::int64_t step) const;

 private:
  std::ostream& out_;
  std::int64_t first_;
  std::int64_t steps_;
  std::int64_t tokens_a_step_;
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> shown_;
  std::size_t columns_ = 0;  // of the line that stands there now
};

}  // namespace wick::tools
