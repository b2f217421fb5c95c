#include <array>
#include <cstdint>
#include <cstdio>
#include <iterator>

#include <boost/locale/utf.hpp>

#include <wick/framework/error.h>
#include <wick/framework/text.h>

namespace wick {
namespace {

using Utf8 = boost::locale::utf::utf_traits<char>;

std::string hexadecimal(const char* format, std::uint32_t number) {
  std::array<char, 16> digits{};
  std::snprintf(digits.data(), digits.size(), format, number);
  return digits.data();
}

struct Range {
  char32_t first;
  char32_t last;
};

// What leaves no mark on a screen, or changes the marks of others: controls, spaces other than ' ', joiners
// and marks of direction, line and paragraph separators, byte order marks, tags, private and unassigned
// planes.
constexpr std::array<Range, 26> kUnseen{
    {{0x00, 0x1f},       {0x7f, 0xa0},       {0xad, 0xad},       {0x600, 0x605},     {0x61c, 0x61c},
     {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},     {0x8e2, 0x8e2},     {0x1680, 0x1680},
     {0x180e, 0x180e},   {0x2000, 0x200f},   {0x2028, 0x202f},   {0x205f, 0x206f},   {0x3000, 0x3000},
     {0xd800, 0xf8ff},   {0xfeff, 0xfeff},   {0xfff0, 0xfffb},   {0xfffe, 0xffff},   {0x110bd, 0x110bd},
     {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe00ff},
     {0xe01f0, 0x10ffff}}};

bool can_be_seen(char32_t code_point) {
  for (const Range range : kUnseen) {
    if (code_point >= range.first && code_point <= range.last) return false;
  }
  return true;
}

std::string as_in_python(char32_t code_point, char quote) {
  switch (code_point) {
    case '\t':
      return "\\t";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\\':
      return "\\\\";
    default:
      break;
  }
  if (code_point == static_cast<char32_t>(quote)) return std::string("\\") + quote;
  if (can_be_seen(code_point)) return encode_utf8(code_point);
  return hexadecimal(code_point <= 0xff     ? "\\x%02x"
                     : code_point <= 0xffff ? "\\u%04x"
                                            : "\\U%08x",
                     static_cast<std::uint32_t>(code_point));
}

// Calls visit(bytes, code point) for every character of a text; for a byte that begins no whole one, with
// that byte and `kDamage`.
constexpr char32_t kDamage = 0xffffffff;

template <typename Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  const char* const end = text.data() + text.size();
  for (const char* next = text.data(); next != end;) {
    const char* const start = next;
    const boost::locale::utf::code_point decoded = Utf8::decode(next, end);
    const bool is_whole = decoded != boost::locale::utf::illegal && decoded != boost::locale::utf::incomplete;
    if (!is_whole) next = start + 1;
    visit(std::string_view(start, static_cast<std::size_t>(next - start)),
          is_whole ? static_cast<char32_t>(decoded) : kDamage);
  }
}

// What would move a terminal's cursor or end a line.
bool is_control(char32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0) || code_point == 0x2028 ||
         code_point == 0x2029;
}

std::string escaped_byte(char byte) {
  switch (byte) {
    case '\t':
      return "\\t";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    default:
      return hexadecimal("\\x%02x", static_cast<unsigned char>(byte));
  }
}

}  // namespace

std::vector<char32_t> decode_utf8(std::string_view text) {
  std::vector<char32_t> result;
  result.reserve(text.size());
  for_each_character(text, [&](std::string_view bytes, char32_t character) {
    if (character == kDamage) {
      throw FormatError("the text is not UTF-8: the byte " +
                        hexadecimal("0x%02x", static_cast<unsigned char>(bytes.front())) +
                        " at byte offset " + std::to_string(bytes.data() - text.data()) +
                        " does not begin a whole character");
    }
    result.push_back(character);
  });
  return result;
}

std::string encode_utf8(char32_t code_point) {
  std::string text;
  Utf8::encode(static_cast<boost::locale::utf::code_point>(code_point), std::back_inserter(text));
  return text;
}

std::string repr(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string result(1, quote);
  for_each_character(text, [&](std::string_view bytes, char32_t character) {
    result += character == kDamage ? hexadecimal("\\x%02x", static_cast<unsigned char>(bytes.front()))
                                   : as_in_python(character, quote);
  });
  return result + quote;
}

std::string escaped(std::string_view text) {
  std::string result;
  for_each_character(text, [&](std::string_view bytes, char32_t character) {
    if (character != kDamage && !is_control(character)) {
      result += bytes;
    } else {
      for (const char byte : bytes) result += escaped_byte(byte);
    }
  });
  return result;
}

std::string counted(std::int64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t kShown = 40;
  return escaped(text.substr(0, kShown)) + (text.size() > kShown ? "…" : "");
}

}  // namespace wick
