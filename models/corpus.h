#pragma once

#include <string>
#include <string_view>

namespace wick {

/// The course's passage about the people of Lantern Bay: 501 characters, the last one a space, so that
/// repeats join.
std::string_view lantern_bay_passage();

/// The course's corpus: the passage twenty times over, 10020 characters, 24 different ones.
std::string lantern_bay();

}  // namespace wick
