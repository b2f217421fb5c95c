#pragma once

#include <string>
#include <string_view>

namespace wick::tools {

/// A word as a shell has to be given it: as it is where that is safe, else in single quotes.
std::string shell_quoted(std::string_view word);

}  // namespace wick::tools
