#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <wick/framework/module.h>
#include <wick/framework/random.h>

namespace wick {

/// What is known of a step once it is done.
struct StepLosses {
  std::int64_t step = 0;                  ///< counted from 1
  double training = 0;                    ///< of the step's batch, before the step
  std::optional<double> validation = {};  ///< after the step, where it was looked at

  friend bool operator==(const StepLosses&, const StepLosses&) = default;
};

/// All that a run needs to go on, bit for bit, as if it had never stopped.
struct TrainingState {
  std::int64_t step = 0;               ///< steps done
  std::vector<NamedTensor> model;      ///< Module::state()
  std::vector<NamedTensor> optimizer;  ///< Optimizer::state()
  std::map<std::string, RngState> streams;
  std::vector<StepLosses> losses;               ///< so far
  std::map<std::string, std::string> metadata;  ///< the caller's own: options, vocabulary, …
};

/// Writes all of it into one .safetensors file, on the disk and whole when this returns (see
/// save_safetensors):
///
/// | key                                       | content                                                    |
/// |-------------------------------------------|------------------------------------------------------------|
/// | `model.NAME`                              | the parameters                                             |
/// | `optimizer.NAME`                          | the optimizer's                                            |
/// | `streams.NAME.GENERATOR`                  | I64: the words of RngState, bit for bit                    |
/// | `losses.step`, `losses.training`          | I64, F64: one for each step                                |
/// | `losses.validated`, `losses.validation`   | I64, F64: the steps after which it was looked at, and it   |
/// | `step`                                    | I64 scalar                                                 |
/// | metadata                                  | the caller's, and `training`: `1`, the version of this     |
///
/// Throws FileError; ValueError where the metadata has a key `training` of its own.
void save_training(const std::filesystem::path& path, const TrainingState& state);

/// Reads it. Throws FileError, FormatError where it is no file as above.
TrainingState load_training(const std::filesystem::path& path);

/// Writes a module's parameters and this metadata into a .safetensors file, on the disk and whole when this
/// returns.
void save_model(const std::filesystem::path& path, const Module& model,
                const std::map<std::string, std::string>& metadata = {});

/// Copies the file's tensors into the module's parameters and returns the file's metadata. Throws FileError
/// and FormatError; ValueError with the file and every mismatch (see Module::load_state), and the module is
/// untouched then.
std::map<std::string, std::string> load_model(const std::filesystem::path& path, Module& model);

}  // namespace wick
