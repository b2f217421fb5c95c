#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace wick {

/// Text from outside, safe inside a one-line message: control characters and bytes that are not UTF-8 become
/// '\n', '\t', '\r' or '\x1b', all else stays.
std::string escaped(std::string_view text);

/// A path as messages show it.
std::string escaped(const std::filesystem::path& path);

}  // namespace wick
