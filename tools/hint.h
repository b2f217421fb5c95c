#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include <wick/framework/error.h>

namespace wick::tools {

/// What `read` gives. Where it throws FileError and there is no file of that path, the error ends with what
/// to do about it: "…: cannot open: No such file or directory; wick train writes it".
template <typename Read>
auto or_hint(const std::filesystem::path& path, const std::string& hint, const Read& read) {
  try {
    return read();
  } catch (const FileError& error) {
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) throw;
    throw FileError(error.what() + ("; " + hint));
  }
}

}  // namespace wick::tools
