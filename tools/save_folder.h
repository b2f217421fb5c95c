#pragma once

#include <filesystem>

#include <wick/tools/experiment.h>

namespace wick::tools {

/// Writes every step as NAME.npy into `folder`: all of them, or nothing. They are written into a temporary
/// folder, which is then renamed; a folder that is there stays, and gets the finished files. It has to be
/// empty, or to hold nothing but an earlier save's files, which are replaced. Throws FileError where it holds
/// anything else, or cannot be written.
void save_folder(const std::filesystem::path& folder, const Steps& steps);

}  // namespace wick::tools
