#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace wick::tools {

/// The width of the terminal that standard output goes to; nothing where it goes elsewhere.
std::optional<std::size_t> terminal_width();

/// The width that help is laid out for: the terminal's, within reason, or 80.
std::size_t help_width();

/// How many columns of a terminal UTF-8 text takes: two for the characters of East Asia and for emoji, none
/// for marks that join the character before.
std::size_t columns_of(std::string_view text);

/// Words in lines of at most `width`, as far as words allow, to stand behind `indent` columns of something
/// else: further lines are indented as far. Without a line end.
std::string wrapped(std::string_view words, std::size_t width, std::size_t indent = 0);

}  // namespace wick::tools
