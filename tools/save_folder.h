#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <wick/tools/experiment.h>

namespace wick::tools {

/// Writes every step as NAME.npy into `folder`, and their order as steps.json, {"steps": ["x", …]}: all of
/// them, or nothing. They are written into a temporary folder, which is then renamed; a folder that is there
/// stays, and gets the finished files. It has to be empty, or to hold nothing but an earlier save's files,
/// which are replaced. Throws FileError where it holds anything else, or cannot be written.
void save_folder(const std::filesystem::path& folder, const Steps& steps);

/// The arrays of a folder.
struct SavedNames {
  std::vector<std::string> names;  ///< NAME of each NAME.npy
  bool has_order = false;          ///< in the order of steps.json, and not sorted
};

/// Those of a folder that save_folder wrote, or that somebody filled with .npy files; other files are passed
/// over. A name that steps.json lacks comes last. Throws FileError where the folder cannot be read or has no
/// .npy file, FormatError where steps.json is not as above.
SavedNames saved_names(const std::filesystem::path& folder);

}  // namespace wick::tools
