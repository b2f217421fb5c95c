// Lesson 5: a retrieval-style attention layer over characters. Equal characters get equal rows and columns,
// since nothing tells the layer about order.

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <wick/framework/print.h>
#include <wick/framework/round.h>
#include <wick/framework/text.h>
#include <wick/models/corpus.h>
#include <wick/ops/ops.h>
#include <wick/ops/testing/compare.h>
#include <wick/tools/experiment.h>
#include <wick/tools/lesson.h>

namespace wick::tools {
namespace {

constexpr PrintOptions kMatrix{.precision = 3, .suppress = true, .linewidth = 200};

Experiment lesson(DType dtype) {
  Experiment experiment;
  experiment.text = lantern_bay();
  experiment.dtype = dtype;
  return experiment;
}

// ['t', 'h', 'e'], as Python prints a list of strings.
std::string list_of(const std::vector<std::string>& strings) {
  std::string text = "[";
  for (std::size_t i = 0; i < strings.size(); ++i) text += (i == 0 ? "" : ", ") + repr(strings[i]);
  return text + "]";
}

std::string shape_of(const Attention& attention, const std::string& name) {
  return to_string(attention[name].shape());
}

// True where these rows of (T, T) weights agree, as np.allclose sees it.
bool rows_agree(const Tensor& weights, std::initializer_list<std::int64_t> rows) {
  std::int64_t before = *rows.begin();
  for (const std::int64_t row : rows) {
    if (!testing::allclose(slice(weights, 0, before, before + 1), slice(weights, 0, row, row + 1)))
      return false;
    before = row;
  }
  return true;
}

// The characters that occur more than once, in their order.
std::vector<std::string> repeated(const std::vector<std::string>& characters) {
  std::map<std::string, int> counts;
  for (const std::string& character : characters) ++counts[character];
  std::vector<std::string> result;
  for (const auto& [character, count] : counts) {
    if (count > 1) result.push_back(character);
  }
  return result;
}

}  // namespace

void print_lesson5(DType dtype, std::ostream& out) {
  const Attention attention = run_experiment(lesson(dtype));
  const Tensor weights = first(attention["head.weights"]);  // (T, T)

  out << "vocab_size: " << attention.tokenizer.vocab_size() << "\n";
  out << "len(data): " << attention.all_ids.numel() << "\n";
  out << "first 12 ids: " << to_list_string(slice(attention.all_ids, 0, 0, 12)) << "\n";
  out << "decoded[:24]: " << repr(attention.tokenizer.decode(slice(attention.all_ids, 0, 0, 24))) << "\n";
  out << "ids: " << to_list_string(attention.ids) << "\n";
  out << "chars: " << list_of(attention.tokens) << "\n";
  out << "embed_table.shape: " << attention.table.shape() << "\n";
  out << "X.shape: " << shape_of(attention, "x") << "\n";
  out << "Q.shape: " << shape_of(attention, "head.query") << " K.shape: " << shape_of(attention, "head.key")
      << " V.shape: " << shape_of(attention, "head.value") << "\n";
  out << "scores.shape: " << shape_of(attention, "head.scores") << "\n";
  out << "weights.shape: " << shape_of(attention, "head.weights") << "\n";
  out << "out.shape: " << shape_of(attention, "head.out") << "\n";
  out << "row sums: " << to_list_string(round(sum(weights, 1), 6)) << "\n";

  out << "tokens: " << list_of(attention.tokens) << "\n";
  out << "attention weights (T x T):\n" << to_string(round(weights, 3), kMatrix) << "\n";
  out << "argmax attended position per query row: " << to_list_string(argmax(weights)) << "\n";
  const Tensor columns = transpose(weights);
  out << "rows 2,10,11 (all 'e') identical: " << python_bool(rows_agree(weights, {2, 10, 11})) << "\n";
  out << "rows 3,8 (both space) identical: " << python_bool(rows_agree(weights, {3, 8})) << "\n";
  out << "cols 2,10,11 identical: " << python_bool(rows_agree(columns, {2, 10, 11})) << "\n";
  out << "cols 3,8 identical: " << python_bool(rows_agree(columns, {3, 8})) << "\n";
}

void print_lesson5_exercises(DType dtype, std::ostream& out) {
  // 1: another slice of the corpus.
  Experiment later = lesson(dtype);
  later.start = 100;
  const Attention boats = run_experiment(later);
  out << "data[100:112]: " << repr(boats.tokenizer.decode(boats.ids)) << "\n";
  out << "X.shape: " << shape_of(boats, "x") << "\n";
  out << "repeated characters: " << list_of(repeated(boats.tokens)) << "\n";

  // 2: causal.
  Experiment causal = lesson(dtype);
  causal.causal = true;
  const Tensor weights = first(run_experiment(causal)["head.weights"]);  // (T, T)
  out << to_string(round(weights, 3), kMatrix) << "\n";
  out << "row 0 attends only to column 0: " << python_bool(weights.at({0, 0}) == 1) << "\n";
  // Blocking once more changes nothing where everything above the diagonal is 0 already.
  out << "lower-triangular: " << python_bool(testing::same_bits(weights, causal_mask(weights, 0))) << "\n";

  // 3: positions tell the three 'e' apart.
  Experiment positions = lesson(dtype);
  positions.positions = 0.1;
  const Tensor ordered = first(run_experiment(positions)["head.weights"]);  // (T, T)
  out << "rows 2,10,11 (all 'e') identical: " << python_bool(rows_agree(ordered, {2, 10, 11})) << "\n";
}

}  // namespace wick::tools
