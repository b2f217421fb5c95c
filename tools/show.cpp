#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <ostream>

#include <nlohmann/json.hpp>

#include <wick/framework/print.h>
#include <wick/framework/text.h>
#include <wick/ops/argmax.h>
#include <wick/tools/show.h>
#include <wick/tools/terminal.h>

namespace wick::tools {
namespace {

constexpr std::size_t kDigits = 5;  // "0.123"

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, columns_of(text)), ' ') + text;
}

std::vector<std::string> quoted(const std::vector<std::string>& tokens) {
  std::vector<std::string> result;
  result.reserve(tokens.size());
  for (const std::string& token : tokens) result.push_back(repr(token));
  return result;
}

std::string three_digits(double weight, std::size_t width) {
  std::array<char, 64> digits{};
  std::snprintf(digits.data(), digits.size(), "%*.3f", static_cast<int>(width), weight);
  return digits.data();
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char character : text) field += character == '"' ? "\"\"" : std::string(1, character);
  return field + "\"";
}

}  // namespace

void show_table(const ShownWeights& shown, std::optional<std::size_t> width, std::ostream& out) {
  const std::vector<std::string> tokens = quoted(shown.tokens);
  const std::vector<std::int64_t> most_attended = argmax(shown.weights).to_vector<std::int64_t>();
  const std::size_t count = tokens.size();
  const std::size_t index_width = std::to_string(count - 1).size();
  std::size_t token_width = 0;
  for (const std::string& token : tokens) token_width = std::max(token_width, columns_of(token));

  const auto label = [&](std::size_t i) {
    return right(std::to_string(i), index_width) + " " + right(tokens[i], token_width);
  };
  const std::size_t label_width = index_width + 1 + token_width;
  const std::size_t argmax_width = 4 + label_width;
  const std::size_t cell = std::max({kDigits, token_width, index_width}) + 2;
  const std::size_t room = width.value_or(std::numeric_limits<std::size_t>::max());
  const std::size_t most = room > label_width + cell ? (room - label_width) / cell : 1;

  const std::string title = shown.name.empty() ? "attention weights" : shown.name;
  out << wrapped(title + ": a row per query, a column per key; ->: attended most", room) << "\n";
  // The argmax stands behind the last key, or in a block of its own where there is no room for it.
  bool is_done = false;
  for (std::size_t begin = 0; !is_done; begin = std::min(count, begin + most)) {
    const std::size_t end = std::min(count, begin + most);
    is_done = end == count && (begin == end || label_width + (end - begin) * cell + argmax_width <= room);
    out << "\n";
    if (begin < end) {
      out << std::string(label_width, ' ');
      for (std::size_t key = begin; key < end; ++key) out << right(std::to_string(key), cell);
      out << "\n" << std::string(label_width, ' ');
      for (std::size_t key = begin; key < end; ++key) out << right(tokens[key], cell);
      out << "\n";
    }
    for (std::size_t query = 0; query < count; ++query) {
      out << label(query);
      for (std::size_t key = begin; key < end; ++key) {
        const double weight =
            shown.weights.at({static_cast<std::int64_t>(query), static_cast<std::int64_t>(key)});
        out << three_digits(weight, cell);
      }
      if (is_done) out << " -> " << label(static_cast<std::size_t>(most_attended[query]));
      out << "\n";
    }
  }
}

void show_json(const ShownWeights& shown, std::ostream& out) {
  const std::vector<double> numbers = shown.weights.to_vector<double>();
  const auto count = static_cast<std::ptrdiff_t>(shown.tokens.size());
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::ptrdiff_t query = 0; query < count; ++query) {
    rows.push_back(
        std::vector<double>(numbers.begin() + query * count, numbers.begin() + (query + 1) * count));
  }
  std::string text;
  for (const std::string& token : shown.tokens) text += token;
  nlohmann::ordered_json object;
  if (!shown.name.empty()) object["name"] = shown.name;
  object["text"] = text;
  object["tokens"] = shown.tokens;
  object["ids"] = shown.ids.to_vector<std::int64_t>();
  object["weights"] = rows;
  object["argmax"] = argmax(shown.weights).to_vector<std::int64_t>();
  out << object.dump() << "\n";
}

void show_csv(const ShownWeights& shown, std::ostream& out) {
  const std::vector<std::int64_t> most_attended = argmax(shown.weights).to_vector<std::int64_t>();
  const auto count = static_cast<std::int64_t>(shown.tokens.size());
  out << "position,token";
  for (std::int64_t key = 0; key < count; ++key) out << "," << key;
  out << ",argmax\n";
  for (std::int64_t query = 0; query < count; ++query) {
    out << query << "," << csv_field(shown.tokens[static_cast<std::size_t>(query)]);
    for (std::int64_t key = 0; key < count; ++key) out << "," << repr(shown.weights.at({query, key}));
    out << "," << most_attended[static_cast<std::size_t>(query)] << "\n";
  }
}

}  // namespace wick::tools
