#include <algorithm>
#include <array>
#include <cstdio>

#include <wick/tools/terminal.h>
#include <wick/tools/text_table.h>

namespace wick::tools {

std::string short_number(double number) {
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.2g", number);
  return digits.data();
}

std::string text_table(const std::vector<std::vector<std::string>>& rows, const std::vector<Align>& columns) {
  std::vector<std::size_t> widths(columns.size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - columns_of(row[i]), ' ');
      line += (i == 0 ? "" : "  ") + (columns[i] == Align::left ? row[i] + padding : padding + row[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace wick::tools
