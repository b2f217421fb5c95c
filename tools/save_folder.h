#pragma once

#include <filesystem>

#include <wick/tools/experiment.h>

namespace wick::tools {

/// Writes every step as NAME.npy into `folder`: all of them, or nothing. They are written into a temporary
/// folder beside it, which is then renamed. A folder that is empty, or holds nothing but .npy files of these
/// names, is replaced. Throws FileError where the folder holds anything else, or cannot be written.
void save_folder(const std::filesystem::path& folder, const Steps& steps);

}  // namespace wick::tools
