#include <algorithm>
#include <clocale>
#include <cwchar>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <wick/framework/text.h>
#include <wick/tools/terminal.h>

namespace wick::tools {

std::optional<std::size_t> terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return std::nullopt;
  }
  return size.ws_col;
}

std::size_t help_width() { return std::clamp<std::size_t>(terminal_width().value_or(80), 40, 100); }

std::size_t columns_of(std::string_view text) {
  const std::vector<char32_t> characters = decode_utf8(text);
  // The C library knows the widths, but tells them in a Unicode locale only; where it has none, all are 1.
  static const locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (unicode == nullptr) return characters.size();
  const locale_t before = uselocale(unicode);
  std::size_t columns = 0;
  for (const char32_t character : characters) {
    const int width = wcwidth(static_cast<wchar_t>(character));
    columns += width < 0 ? 1 : static_cast<std::size_t>(width);
  }
  uselocale(before);
  return columns;
}

std::string wrapped(std::string_view words, std::size_t width, std::size_t indent) {
  std::string text;
  std::size_t column = indent;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (!text.empty() && column + 1 + word.size() > width) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!text.empty()) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text;
}

}  // namespace wick::tools
