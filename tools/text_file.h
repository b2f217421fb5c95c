#pragma once

#include <string>

namespace wick::tools {

/// What a file of text holds, as it is. Throws FileError where it cannot be read, ValueError where it is
/// empty, FormatError where it is not UTF-8, each with the file's name.
std::string read_text(const std::string& path);

}  // namespace wick::tools
