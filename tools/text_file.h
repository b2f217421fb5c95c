#pragma once

#include <cstdint>
#include <string>

namespace wick::tools {

/// The most bytes of a text: as characters and their ids it takes a dozen times as much.
constexpr std::uint64_t longest_text = std::uint64_t{256} << 20;

/// What a file of text holds, as it is. Throws FileError where it cannot be read or is too long, ValueError
/// where it is empty, FormatError where it is not UTF-8, each with the file's name.
std::string read_text(const std::string& path);

/// Throws ValueError where a text holds no window of block_size characters with the one behind it: "the text
/// has 8 characters, expected block_size + 1 = 9 or more". `what` opens the message.
void require_window(const std::string& what, std::int64_t characters, std::int64_t block_size);

}  // namespace wick::tools
