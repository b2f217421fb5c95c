#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace wick {

/// The code points of UTF-8 text. Throws FormatError with the offset, in bytes, of the first byte that is not
/// part of one: stray or missing continuation bytes, overlong forms, surrogates, numbers above U+10FFFF.
std::vector<char32_t> decode_utf8(std::string_view text);

/// One code point in UTF-8. Precondition: a code point that decode_utf8 gives.
std::string encode_utf8(char32_t code_point);

/// Text as Python's repr shows it: in single quotes, or double ones where only that saves a backslash; what
/// cannot be seen is escaped ('\r', '\x00', '\u200b'). Never contains a line break. Bytes that are not UTF-8
/// are shown as '\xff'.
std::string repr(std::string_view text);

/// Text from outside, safe inside a one-line message: control characters, separators of lines and bytes that
/// are not UTF-8 become '\n', '\t', '\r' or, byte by byte, '\x1b'; all else stays, quotes and backslashes
/// too.
std::string escaped(std::string_view text);

/// "1 byte", "2 bytes": for nouns that take an s.
std::string counted(std::int64_t count, std::string_view noun);

/// The beginning of such a text, escaped: its first 40 bytes, and "…" where that is not all.
std::string excerpt(std::string_view text);

/// The whole text as a number in decimal notation, or nothing where it is none, or does not fit.
template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace wick
