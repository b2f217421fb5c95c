#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wick::tools {

enum class Align : std::uint8_t { left, right };

/// In two digits, as many as tell how large an error is: "0.17", "2.9e-10".
std::string short_number(double number);

/// Rows as lines of text, every column as wide as its widest cell, two spaces between columns. Every row has
/// a cell for each of the columns.
std::string text_table(const std::vector<std::vector<std::string>>& rows, const std::vector<Align>& columns);

}  // namespace wick::tools
