#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

#include <wick/tools/progress.h>
#include <wick/tools/terminal.h>

namespace wick::tools {
namespace {

constexpr std::size_t kShortestBar = 10;
constexpr std::size_t kLongestBar = 40;

std::string formatted(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::string bar(double share, std::size_t width) {
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(width - 2));
  std::string text(width - 2, ' ');
  std::fill_n(text.begin(), filled, '=');
  if (filled < text.size()) text[filled] = '>';
  return "[" + text + "]";
}

}  // namespace

std::string duration_text(double seconds) {
  constexpr double kMost = 359999;  // 99:59:59
  const auto whole = static_cast<std::int64_t>(std::clamp(std::ceil(seconds), 0.0, kMost));
  char text[32];
  const auto part = [&](std::int64_t divisor) { return static_cast<int>(whole / divisor % 60); };
  if (whole < 3600) {
    std::snprintf(text, sizeof text, "%d:%02d", part(60), part(1));
  } else {
    std::snprintf(text, sizeof text, "%d:%02d:%02d", static_cast<int>(whole / 3600), part(60), part(1));
  }
  return text;
}

std::string standing_line(const Standing& standing, std::size_t width) {
  std::string line = "step " + std::to_string(standing.step) + "/" + std::to_string(standing.steps);
  if (line.size() > width) line = std::to_string(standing.step);
  if (line.size() > width) return "";
  std::string rest;
  // The most important first: what does not fit any more is left out, with all behind it.
  for (const std::string& part :
       {" loss " + formatted("%.4f", standing.loss), "  " + duration_text(standing.seconds_left) + " left",
        "  " + formatted("%.0f", standing.tokens_a_second) + " tokens/s"}) {
    if (line.size() + rest.size() + part.size() > width) break;
    rest += part;
  }
  const std::size_t used = line.size() + rest.size();
  if (used + 1 + kShortestBar <= width) {
    const double share = static_cast<double>(standing.step) / static_cast<double>(standing.steps);
    line += " " + bar(std::clamp(share, 0.0, 1.0), std::min(width - used - 1, kLongestBar));
  }
  return line + rest;
}

Progress::Progress(std::ostream& out, std::int64_t first, std::int64_t steps, std::int64_t tokens_a_step)
    : out_(out), first_(first), steps_(steps), tokens_a_step_(tokens_a_step) {}

Progress::~Progress() {
  try {
    clear();
  } catch (...) {  // nobody reads any more: whoever writes next finds out too
  }
}

void Progress::show(std::int64_t step, double loss) {
  const Clock::time_point now = Clock::now();
  if (shown_ && now - *shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  const std::optional<std::size_t> width = terminal_width();
  if (!width) return;
  const double left = seconds() / static_cast<double>(step - first_ + 1) * static_cast<double>(steps_ - step);
  // In the last column a terminal would begin a new line.
  const std::string line = standing_line({.step = step,
                                          .steps = steps_,
                                          .loss = loss,
                                          .tokens_a_second = tokens_a_second(step),
                                          .seconds_left = left},
                                         *width - 1);
  const std::size_t before = std::min(columns_, *width - 1);
  out_ << "\r" << line << std::string(before - std::min(before, line.size()), ' ') << std::flush;
  columns_ = line.size();
}

void Progress::add_line(const std::string& line) {
  clear();
  out_ << line << "\n" << std::flush;
}

void Progress::clear() {
  if (columns_ == 0) return;
  const std::size_t width = terminal_width().value_or(columns_ + 1);  // it may have become narrower
  out_ << "\r" << std::string(std::min(columns_, width - 1), ' ') << "\r" << std::flush;
  columns_ = 0;
}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

double Progress::tokens_a_second(std::int64_t step) const {
  return static_cast<double>((step - first_ + 1) * tokens_a_step_) / std::max(seconds(), 1e-9);
}

}  // namespace wick::tools
