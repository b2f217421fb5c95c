#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>

#include <wick/tools/progress.h>
#include <wick/tools/run_folder.h>
#include <wick/tools/stop_request.h>
#include <wick/tools/training_run.h>

namespace wick::tools {

/// A run, and where it is kept.
struct Work {
  RunFolder folder;
  std::unique_ptr<TrainingRun> run;
};

/// What may be another each time that a run goes on.
struct Habits {
  std::int64_t sample_every;
  std::int64_t save_every;  ///< 0: by the clock, every 30 seconds
};

/// What `wick train` does once it knows its work: steps, and tells how they go, and saves.
class Learning {
 public:
  Learning(Work work, const Habits& habits, std::ostream& out);

  /// To the last step, or to a request to stop: 0, or 1 where steps are left. Either way it is saved first. A
  /// reader of `out` that has gone away, or a terminal, or a disk that is full, is a request to stop too:
  /// once the run is saved it ends as any program does there, by SIGPIPE or by what flushing `out` has
  /// thrown. Throws what a step and a save throw; FileError and ValueError say what is kept.
  int run();

 private:
  int learn_all(const StopRequest& stop);
  void introduce();
  void learn(Progress& progress);
  StepReport step();
  void require_finite();
  void save();
  void save_news();
  std::int64_t steps() const { return work_.run->settings().steps; }
  std::int64_t steps_done() const { return work_.run->trainer().steps_done(); }
  std::string kept() const;
  template <typename Run>
  auto or_what_is_kept(const Run& run);
  bool is_line_due(const StepReport& report) const;
  bool is_save_due() const;
  int tell_stop() const;
  int tell_end(double seconds) const;

  Work work_;
  Habits habits_;
  std::ostream& out_;
  std::int64_t first_step_;
  std::int64_t saved_step_ = -1;
  Progress::Clock::time_point saved_at_ = {};
};

}  // namespace wick::tools
