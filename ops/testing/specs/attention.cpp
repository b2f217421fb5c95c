#include <algorithm>
#include <cmath>
#include <limits>

#include <wick/ops/attention.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

const std::vector<AttributeSpec> kAttributes = {{"causal", false}, {"scale", 0.0}};  // 0: 1 / sqrt(hs)

AttentionOptions options_of(const Inputs& inputs, const Attributes& attributes) {
  AttentionOptions options;
  options.causal = attributes.get<bool>("causal");
  if (attributes.get<double>("scale") != 0) options.scale = attributes.get<double>("scale");
  if (inputs.size() > 3) options.blocked = inputs[3];
  return options;
}

// (…, Tq, vs)
Shape output_shape(const Inputs& inputs) {
  Shape shape = broadcast_shapes("reference", front_of(inputs[0].shape()), front_of(inputs[1].shape()));
  shape = broadcast_shapes("reference", shape, front_of(inputs[2].shape()));
  shape.push_back(inputs[0].size(-2));
  shape.push_back(inputs[2].size(-1));
  return shape;
}

// One row of weights, with what its errors grow with.
struct Row {
  std::vector<long double> weights;
  long double largest_magnitude;  // of scale |query| |key|, over all keys that are seen
};

// The numbers of one call, found by position as broadcasting has it.
class Loops {
 public:
  Loops(const Inputs& inputs, const Attributes& attributes) : inputs_(inputs) {
    for (std::size_t i = 0; i < 3; ++i) numbers_.push_back(inputs[i].to_vector<double>());
    if (inputs.size() > 3) blocked_ = inputs[3].to_vector<bool>();
    causal_ = attributes.get<bool>("causal");
    scale_ = attributes.get<double>("scale");
    if (scale_ == 0) scale_ = 1 / std::sqrt(static_cast<double>(inputs[0].size(-1)));
  }

  Row row(const Dimensions& position) const {
    const std::int64_t Tk = inputs_[1].size(-2);
    std::vector<std::int64_t> seen;
    for (std::int64_t key = 0; key < Tk; ++key) {
      if (!is_hidden(position, key)) seen.push_back(key);
    }
    Row row{std::vector<long double>(static_cast<std::size_t>(Tk)), 0};
    if (seen.empty()) {
      for (long double& weight : row.weights) weight = 1 / static_cast<long double>(Tk);
      return row;
    }
    long double largest = -std::numeric_limits<long double>::infinity();
    for (const std::int64_t key : seen) {
      long double& score = row.weights[static_cast<std::size_t>(key)];
      long double magnitude = 0;
      for (std::int64_t k = 0; k < inputs_[0].size(-1); ++k) {
        const long double product = at(0, position, position[-2], k) * at(1, position, key, k) * scale_;
        score += product;
        magnitude += std::abs(product);
      }
      row.largest_magnitude = std::max(row.largest_magnitude, magnitude);
      if (std::isnan(score) || score > largest) largest = score;
      if (std::isnan(largest)) break;
    }
    long double sum = 0;
    for (const std::int64_t key : seen) {
      long double& weight = row.weights[static_cast<std::size_t>(key)];
      weight = std::exp(weight - largest);
      sum += weight;
    }
    for (const std::int64_t key : seen) row.weights[static_cast<std::size_t>(key)] /= sum;
    return row;
  }

  long double value(const Dimensions& position, std::int64_t key) const {
    return at(2, position, key, position[-1]);
  }

 private:
  long double at(std::size_t input, Dimensions position, std::int64_t row, std::int64_t column) const {
    position[-2] = row;
    position[-1] = column;
    return numbers_[input][broadcast_index(position, inputs_[input].shape())];
  }

  bool is_hidden(Dimensions position, std::int64_t key) const {
    if (causal_ && key > position[-2] + inputs_[1].size(-2) - inputs_[0].size(-2)) return true;
    position[-1] = key;
    return !blocked_.empty() && blocked_[broadcast_index(position, inputs_[3].shape())];
  }

  const Inputs& inputs_;
  std::vector<std::vector<double>> numbers_;
  std::vector<bool> blocked_;
  bool causal_ = false;
  double scale_ = 0;
};

// Row by row in long double; the bound is what attention.h states.
Expected reference(const Inputs& inputs, const Attributes& attributes) {
  const Loops loops(inputs, attributes);
  const Shape shape = output_shape(inputs);
  const auto Tk = static_cast<long double>(inputs[1].size(-2));
  const auto hs = static_cast<long double>(inputs[0].size(-1));
  std::vector<double> y;
  std::vector<double> bound;
  Row row{{}, 0};
  for_each_position(shape, [&](const Dimensions& position) {
    if (position[-1] == 0) row = loops.row(position);
    long double sum = 0;
    long double magnitude = 0;
    for (std::size_t key = 0; key < row.weights.size(); ++key) {
      const long double product = row.weights[key] * loops.value(position, static_cast<std::int64_t>(key));
      sum += product;
      magnitude += std::abs(product);
    }
    y.push_back(static_cast<double>(sum));
    bound.push_back(static_cast<double>(magnitude * (2 * (hs + 4) * row.largest_magnitude + Tk + hs + 16)));
  });
  return {from_vector(y, shape), from_vector(bound, shape)};
}

// Every dimension in front goes by itself; columns go with the values', and queries are alone where their
// place does not matter.
std::vector<IndependentAxis> independent_axes(const Inputs& inputs, const Attributes& attributes) {
  const Shape y = output_shape(inputs);
  const auto axis_of = [&](std::size_t input, int axis) {
    return broadcast_axis(inputs[input].shape(), y, axis);
  };
  const bool is_blocked = inputs.size() > 3;
  std::vector<IndependentAxis> axes;
  for (int axis = 0; axis < y.rank() - 2; ++axis) {
    axes.push_back({{axis_of(0, axis), axis_of(1, axis), axis_of(2, axis)}, axis});
    if (is_blocked) axes.back().of_inputs.push_back(axis_of(3, axis));
  }
  axes.push_back({{std::nullopt, std::nullopt, inputs[2].rank() - 1}, y.rank() - 1});
  if (is_blocked) axes.back().of_inputs.emplace_back();
  if (attributes.get<bool>("causal")) return axes;
  axes.push_back({{inputs[0].rank() - 2, std::nullopt, std::nullopt}, y.rank() - 2});
  if (is_blocked) axes.back().of_inputs.push_back(axis_of(3, y.rank() - 2));
  return axes;
}

struct Sizes {
  std::int64_t Tq, Tk, hs, vs;
};

// The cases of either op: with the shape of a mask, or without.
struct Cases {
  std::vector<OpCase> all;

  void add(std::string name, const Shape& query, const Shape& key, const Shape& value, bool causal,
           Values values = Values::normal, double scale = 0) {
    const std::int64_t count = query.numel() + key.numel() + value.numel();
    all.push_back(
        {.name = std::move(name),
         .inputs = {{query, values}, {key, values}, {value, values}},
         .attributes = Attributes(kAttributes, {{"causal", causal}, {"scale", scale}}),
         .has_gradient_check = (values == Values::normal || values == Values::equal) && count < 300});
  }

  void add(const Sizes& sizes, bool causal) {
    const auto& [Tq, Tk, hs, vs] = sizes;
    add(label({Tq, hs}) + ", " + label({Tk, hs}) + ", " + label({Tk, vs}) + (causal ? ", causal" : ""),
        {Tq, hs}, {Tk, hs}, {Tk, vs}, causal);
  }

  // Adds a mask to the latest case.
  void block(const Shape& blocked) {
    all.back().inputs.push_back({blocked, Values::booleans});
    all.back().name += ", blocked " + label(blocked);
  }
};

std::vector<OpCase> make_cases() {
  Cases cases;
  for (const std::int64_t n : kSizes) {
    cases.add({3, n, 4, 2}, false);
    if (n > 0) cases.add({n, n, 3, 5}, true);
    if (n != 3) cases.add({n, 3, 4, 2}, false);
    if (n != 4 && n > 0) cases.add({3, 3, n, 2}, false);
    if (n != 2) cases.add({3, 3, 4, n}, false);
  }
  for (const std::int64_t n : {1, 3, 16, 17, 64}) cases.add({7, 9, n, n}, true);
  for (const std::int64_t Tk : {127, 128, 129, 255, 257, 300}) {  // around the borders of tiles of keys
    cases.add({5, Tk, 5, 3}, false);
    cases.add({5, Tk, 5, 3}, true);
  }
  cases.add({150, 150, 3, 2}, true);  // more queries than a tile has
  cases.add({150, 20, 3, 2}, false);
  cases.add({0, 5, 3, 2}, true);
  cases.add({6, 6, 16, 16}, false);    // lesson 4
  cases.add({12, 12, 16, 16}, false);  // lesson 5
  cases.add({2, 5, 3, 4}, true);
  cases.add("a batch", {2, 3, 4}, {2, 5, 4}, {2, 5, 3}, true);
  cases.add("shared keys and values", {2, 3, 4}, {5, 4}, {1, 5, 3}, true);
  cases.add("shared queries", {3, 4}, {2, 5, 4}, {2, 5, 3}, false);
  cases.add("every batch with every other", {2, 1, 3, 4}, {3, 5, 4}, {1, 3, 5, 2}, false);
  cases.add("no batch", {0, 3, 4}, {0, 5, 4}, {5, 3}, true);
  cases.add("another scale", {3, 4}, {5, 4}, {5, 2}, true, Values::normal, -0.7);
  cases.add("wide", {5, 4}, {33, 4}, {33, 3}, false, Values::wide);
  cases.add("wide over tiles", {5, 4}, {300, 4}, {300, 3}, false, Values::wide);
  cases.add("subnormal", {5, 4}, {33, 4}, {33, 3}, false, Values::subnormal);
  cases.add("NaN and infinities", {40, 1}, {5, 1}, {5, 3}, false, Values::non_finite);
  cases.add("NaN and infinities over tiles", {40, 2}, {140, 2}, {140, 3}, false, Values::normal);
  cases.all.back().inputs[0].values = Values::non_finite;
  cases.add("equal", {3, 4}, {5, 4}, {5, 2}, false, Values::equal);
  return cases.all;
}

std::vector<OpCase> make_blocked_cases() {
  Cases cases;
  const auto add = [&](const Sizes& sizes, bool causal, const Shape& blocked) {
    cases.add(sizes, causal);
    cases.block(blocked);
  };
  for (const std::int64_t n : kSizes) {
    add({5, n, 4, 2}, false, {5, n});
    if (n > 0) add({n, n, 3, 2}, true, {n, n});
  }
  add({3, 5, 4, 2}, false, {5});
  add({9, 5, 4, 2}, false, {9, 1});  // whole rows
  add({9, 20, 4, 2}, true, {9, 1});
  add({3, 5, 4, 2}, false, {});
  add({17, 300, 4, 3}, false, {17, 300});
  add({17, 300, 4, 3}, true, {17, 1});
  add({60, 60, 3, 2}, true, {60, 60});
  cases.add("a batch", {2, 3, 4}, {2, 5, 4}, {2, 5, 3}, true);
  cases.block({2, 1, 5});
  cases.add("a batch of heads", {2, 2, 3, 4}, {2, 2, 5, 4}, {2, 2, 5, 2}, false);
  cases.block({2, 1, 3, 5});
  cases.add("equal", {3, 4}, {5, 4}, {5, 2}, false, Values::equal);
  cases.block({3, 5});
  return cases.all;
}

OpCase benchmark(const std::string& name, std::int64_t B, std::int64_t H, std::int64_t T, std::int64_t hs,
                 bool causal) {
  const Shape shape{B, H, T, hs};
  return {.name = name + (causal ? " causal" : ""),
          .inputs = {{shape}, {shape}, {shape}},
          .attributes = Attributes(kAttributes, {{"causal", causal}})};
}

OpSpec spec(const char* name) {
  return {.name = name,
          .inputs = {{"query", InputKind::floating},
                     {"key", InputKind::floating},
                     {"value", InputKind::floating}},
          .attributes = kAttributes,
          .forward =
              [](const Inputs& inputs, const Attributes& given) {
                return attention(inputs[0], inputs[1], inputs[2], options_of(inputs, given));
              },
          .reference = reference,
          .cases = {},
          .may_flush_to_0 = true,
          .independent_axes = independent_axes};
}

}  // namespace

OpSpec attention_spec() {
  OpSpec attention = spec("attention");
  attention.cases = make_cases();
  for (const bool causal : {false, true}) {
    attention.benchmarks.push_back(benchmark("B1 H1 T6 hs16", 1, 1, 6, 16, causal));
    attention.benchmarks.push_back(benchmark("B1 H1 T12 hs16", 1, 1, 12, 16, causal));
    attention.benchmarks.push_back(benchmark("B16 H4 T64 hs16", 16, 4, 64, 16, causal));
    attention.benchmarks.push_back(benchmark("B1 H12 T1024 hs64", 1, 12, 1024, 64, causal));
  }
  // query @ keyᵀ and weights @ value, of what causality does not hide: query i sees Tk - Tq + i + 1 keys.
  attention.operations = [](const Inputs& inputs, const Attributes& given, const Tensor& y) {
    const auto queries = static_cast<double>(inputs[0].size(-2));
    const auto keys = static_cast<double>(inputs[1].size(-2));
    const double seen = given.get<bool>("causal") ? keys - (queries - 1) / 2 : keys;
    const double pairs = static_cast<double>(front_of(y.shape()).numel()) * queries * seen;
    return 2 * pairs * static_cast<double>(inputs[0].size(-1) + y.size(-1));
  };
  return attention;
}

OpSpec blocked_attention_spec() {
  OpSpec attention = spec("blocked_attention");
  attention.inputs.push_back({"blocked", InputKind::booleans});
  attention.cases = make_blocked_cases();
  return attention;
}

}  // namespace wick::testing
