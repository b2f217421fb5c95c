#include <array>
#include <cstddef>
#include <cstdint>

#include <wick/framework/escape.h>

namespace wick {
namespace {

// The bytes of the well-formed UTF-8 character that `text` begins with; 0 where there is none.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc0 || first > 0xf4 || text.size() < length) return 0;
  std::uint32_t code_point = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0U) != 0x80) return 0;
    code_point = code_point << 6 | (byte & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  return code_point < kSmallest[length] || is_surrogate || code_point > 0x10ffff ? 0 : length;
}

// Controls, those of Unicode's second block among them, and its two separators of lines and paragraphs.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  return (first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0) || character == "\u2028" ||
         character == "\u2029";
}

void append_escape(std::string& out, char character) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(character);
  switch (character) {
    case '\n':
      out += "\\n";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\r':
      out += "\\r";
      break;
    default:
      out += {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 0xfU]};
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    if (length == 0 || is_control(character)) {
      for (const char byte : character) append_escape(out, byte);
    } else {
      out += character;
    }
    text.remove_prefix(character.size());
  }
  return out;
}

}  // namespace wick
