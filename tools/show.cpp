#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>

#include <nlohmann/json.hpp>

#include <wick/framework/print.h>
#include <wick/models/text.h>
#include <wick/tools/show.h>

namespace wick::tools {
namespace {

constexpr std::size_t kCell = 7;  // " 0.123", or an escaped token such as '\n'

// How many columns of a terminal a string takes, near enough: its code points.
std::size_t width_of(const std::string& text) { return decode_utf8(text).size(); }

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, width_of(text)), ' ') + text;
}

std::vector<std::string> shown(const std::vector<std::string>& tokens) {
  std::vector<std::string> result;
  for (const std::string& token : tokens) result.push_back(repr(token));
  return result;
}

std::string three_digits(double weight) {
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.3f", weight);
  return digits.data();
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char character : text) field += character == '"' ? "\"\"" : std::string(1, character);
  return field + "\"";
}

}  // namespace

void show_table(const Attention& attention, std::optional<int> width, std::ostream& out) {
  const std::vector<std::string> tokens = shown(attention.tokens);
  const Tensor weights = first(attention["head.weights"]);  // (T, T)
  const std::vector<std::int64_t> argmax = most_attended(attention["head.weights"]).to_vector<std::int64_t>();
  const std::size_t count = tokens.size();
  const std::size_t index_width = std::to_string(count - 1).size();
  std::size_t label_width = 0;
  for (const std::string& token : tokens) label_width = std::max(label_width, width_of(token));
  const std::size_t cell = std::max(kCell, label_width + 1);

  const auto label = [&](std::size_t i) {
    return right(std::to_string(i), index_width) + " " + right(tokens[i], label_width);
  };
  const std::size_t margin = index_width + 1 + label_width;
  const std::size_t argmax_width = margin + 4;
  const std::size_t room = width ? static_cast<std::size_t>(*width) : margin + count * cell + argmax_width;
  const std::size_t per_block = std::clamp<std::size_t>(
      room > margin + argmax_width ? (room - margin - argmax_width) / cell : 1, 1, count);

  out << "attention weights: a row per query, a column per key; ->: attended most\n";
  for (std::size_t begin = 0; begin < count; begin += per_block) {
    const std::size_t end = std::min(count, begin + per_block);
    out << "\n" << std::string(margin, ' ');
    for (std::size_t key = begin; key < end; ++key) out << right(std::to_string(key), cell);
    out << "\n" << std::string(margin, ' ');
    for (std::size_t key = begin; key < end; ++key) out << right(tokens[key], cell);
    out << "\n";
    for (std::size_t query = 0; query < count; ++query) {
      out << label(query);
      for (std::size_t key = begin; key < end; ++key) {
        const double weight = weights.at({static_cast<std::int64_t>(query), static_cast<std::int64_t>(key)});
        out << right(three_digits(weight), cell);
      }
      out << " -> " << label(static_cast<std::size_t>(argmax[query])) << "\n";
    }
  }
}

void show_json(const Attention& attention, std::ostream& out) {
  const Tensor weights = first(attention["head.weights"]);  // (T, T)
  const std::vector<double> numbers = weights.to_vector<double>();
  const auto count = static_cast<std::ptrdiff_t>(attention.tokens.size());
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::ptrdiff_t query = 0; query < count; ++query) {
    rows.push_back(
        std::vector<double>(numbers.begin() + query * count, numbers.begin() + (query + 1) * count));
  }
  std::string text;
  for (const std::string& token : attention.tokens) text += token;
  const nlohmann::ordered_json object = {
      {"text", text},
      {"tokens", attention.tokens},
      {"ids", attention.ids.to_vector<std::int64_t>()},
      {"weights", rows},
      {"argmax", most_attended(attention["head.weights"]).to_vector<std::int64_t>()},
  };
  out << object.dump() << "\n";
}

void show_csv(const Attention& attention, std::ostream& out) {
  const Tensor weights = first(attention["head.weights"]);  // (T, T)
  const std::vector<std::int64_t> argmax = most_attended(attention["head.weights"]).to_vector<std::int64_t>();
  const auto count = static_cast<std::int64_t>(attention.tokens.size());
  out << "position,token";
  for (std::int64_t key = 0; key < count; ++key) out << "," << key;
  out << ",argmax\n";
  for (std::int64_t query = 0; query < count; ++query) {
    out << query << "," << csv_field(attention.tokens[static_cast<std::size_t>(query)]);
    for (std::int64_t key = 0; key < count; ++key) out << "," << repr(weights.at({query, key}));
    out << "," << argmax[static_cast<std::size_t>(query)] << "\n";
  }
}

}  // namespace wick::tools
