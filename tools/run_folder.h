#pragma once

#include <filesystem>
#include <string>

#include <wick/tools/training_run.h>

namespace wick::tools {

/// The folder that a run of `wick train` leaves its files in, for that run alone as long as this stands:
///
/// | file                   | holds                                                                |
/// |------------------------|----------------------------------------------------------------------|
/// | `training.safetensors` | the whole run, to go on from: see save_training                      |
/// | `model.safetensors`    | the model: see gpt_metadata                                          |
/// | `loss.csv`, `loss.svg` | the losses so far, as numbers and as a picture                       |
class RunFolder {
 public:
  /// A folder for a new run, made where there is none, and then its name is on the disk when this returns.
  /// Throws FileError where it holds a run's file already, so that no model is lost; where it cannot be made
  /// or read; where another run is at work there.
  static RunFolder create(const std::filesystem::path& path);

  /// The folder of a run that is to go on; whether it holds one is not looked at. Changes nothing in it.
  /// Throws FileError where there is none, and where another run is at work there.
  static RunFolder open(const std::filesystem::path& path);

  ~RunFolder();
  RunFolder(RunFolder&& other) noexcept;
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path training_file() const { return path_ / "training.safetensors"; }

  /// Writes the four files, the one to go on from first, so that the others can be made from it again. The
  /// first time, when the folder is known to be a run's, it also removes the unfinished files that a run
  /// which was killed while it wrote has left: those last written before this had the folder, because another
  /// program of wick may be writing there (`--out .`). Throws FileError, and what Trainer::state() throws.
  void save(const TrainingRun& run);

 private:
  RunFolder(std::filesystem::path path, bool is_new);

  std::filesystem::path path_;
  int lock_ = -1;  // of the folder; the system lets go of it, however the program ends
  std::filesystem::file_time_type locked_at_ = {};
  bool is_new_ = false;    // made by this, and nothing written into it yet
  bool is_saved_ = false;  // by this
};

}  // namespace wick::tools
