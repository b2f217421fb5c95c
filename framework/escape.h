#pragma once

#include <string>
#include <string_view>

namespace wick {

/// Text from outside, safe inside a one-line message: control characters and bytes that are not UTF-8 become
/// '\n', '\t', '\r' or '\x1b', all else stays. File names are shown so.
std::string escaped(std::string_view text);

}  // namespace wick
