#include <string>
#include <vector>

#include <wick/ops/packed_attention.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

const std::vector<AttributeSpec> kAttributes = {{.name = "n_head", .default_value = std::int64_t{1}},
                                                {.name = "causal", .default_value = true}};

// Number k of head h at place t of part 0, 1 or 2 (queries, keys, values) stands in column
// (part * n_head + h) * hs + k of row t. Everything in front counts as one dimension here.
struct Layout {
  std::int64_t batch, T, n_head, hs;

  std::size_t packed(std::int64_t b, std::int64_t t, std::int64_t part, std::int64_t h,
                     std::int64_t k) const {
    return static_cast<std::size_t>(((b * T + t) * 3 + part) * n_head * hs + h * hs + k);
  }
  std::size_t out(std::int64_t b, std::int64_t t, std::int64_t h, std::int64_t k) const {
    return static_cast<std::size_t>((b * T + t) * n_head * hs + h * hs + k);
  }
  std::size_t head(std::int64_t b, std::int64_t h, std::int64_t t, std::int64_t k) const {
    return static_cast<std::size_t>(((b * n_head + h) * T + t) * hs + k);
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::int64_t b = 0; b < batch; ++b) {
      for (std::int64_t h = 0; h < n_head; ++h) {
        for (std::int64_t t = 0; t < T; ++t) {
          for (std::int64_t k = 0; k < hs; ++k) visit(b, h, t, k);
        }
      }
    }
  }
};

// Attention's own loops, on heads that are copied to stand alone.
Expected reference(const Inputs& inputs, const Attributes& attributes) {
  static const OpSpec attention = attention_spec();
  const Shape& qkv = inputs[0].shape();
  const std::int64_t n_head = attributes.get<std::int64_t>("n_head");
  std::int64_t batch = 1;
  for (int axis = 0; axis + 2 < qkv.rank(); ++axis) batch *= qkv[axis];
  const Layout layout{batch, qkv[-2], n_head, qkv[-1] / 3 / n_head};
  const Shape heads{batch, n_head, layout.T, layout.hs};
  const std::vector<double> packed = inputs[0].to_vector<double>();
  Inputs parts;
  for (int part = 0; part < 3; ++part) {
    std::vector<double> numbers(static_cast<std::size_t>(heads.numel()));
    layout.for_each([&](auto b, auto h, auto t, auto k) {
      numbers[layout.head(b, h, t, k)] = packed[layout.packed(b, t, part, h, k)];
    });
    parts.push_back(from_vector(numbers, heads));
  }
  const Expected expected = attention.reference(
      parts, Attributes(attention.attributes, {{"causal", attributes.get<bool>("causal")}}));
  const std::vector<double> value = expected.value.to_vector<double>();
  const std::vector<double> bound = expected.bound.to_vector<double>();
  std::vector<double> merged(value.size());
  std::vector<double> merged_bound(value.size());
  layout.for_each([&](auto b, auto h, auto t, auto k) {
    merged[layout.out(b, t, h, k)] = value[layout.head(b, h, t, k)];
    merged_bound[layout.out(b, t, h, k)] = bound[layout.head(b, h, t, k)];
  });
  const Shape shape = packed_attention_shape(qkv, n_head);
  return {from_vector(merged, shape), from_vector(merged_bound, shape)};
}

OpCase make_case(const Shape& qkv, std::int64_t n_head, bool causal, Values values = Values::normal) {
  return {.name = label(qkv) + ", " + std::to_string(n_head) + " heads" + (causal ? ", causal" : "") +
                  (values == Values::wide ? ", wide" : ""),
          .inputs = {{qkv, values}},
          .attributes = Attributes(kAttributes, {{"n_head", n_head}, {"causal", causal}}),
          .has_gradient_check = values == Values::normal && qkv.numel() < 300};
}

std::vector<OpCase> make_cases() {
  std::vector<OpCase> cases;
  for (const bool causal : {false, true}) {
    cases.push_back(make_case({5, 12}, 2, causal));
    cases.push_back(make_case({2, 3, 12}, 1, causal));
    cases.push_back(make_case({2, 2, 3, 18}, 3, causal));
    cases.push_back(make_case({3, 17, 96}, 2, causal));   // heads of 16
    cases.push_back(make_case({2, 64, 192}, 4, causal));  // the first GPT's
    cases.push_back(make_case({1, 130, 30}, 2, causal));  // more than one tile of keys
    cases.push_back(make_case({2, 33, 12}, 2, causal, Values::wide));
    cases.push_back(make_case({0, 3, 12}, 2, causal));
    cases.push_back(make_case({2, 0, 12}, 2, causal));
    cases.push_back(make_case({2, 3, 0}, 2, causal));
    cases.push_back(make_case({2, 1, 6}, 2, causal));
  }
  return cases;
}

}  // namespace

OpSpec packed_attention_spec() {
  return {.name = "packed_attention",
          .inputs = {{"qkv", InputKind::floating}},
          .attributes = kAttributes,
          .forward =
              [](const Inputs& inputs, const Attributes& given) {
                return packed_attention(inputs[0], given.get<std::int64_t>("n_head"),
                                        {.causal = given.get<bool>("causal")});
              },
          .reference = reference,
          .cases = make_cases(),
          .may_flush_to_0 = true,
          .independent_axes =
              [](const Inputs& inputs, const Attributes&) {
                std::vector<IndependentAxis> axes;
                for (int axis = 0; axis + 2 < inputs[0].rank(); ++axis) axes.push_back({{axis}, axis});
                return axes;
              },
          .benchmarks = {make_case({16, 64, 192}, 4, true), make_case({1, 1024, 2304}, 12, true)},
          .operations =
              [](const Inputs& inputs, const Attributes& given, const Tensor& y) {
                const auto T = static_cast<double>(inputs[0].size(-2));
                const double seen = given.get<bool>("causal") ? (T + 1) / 2 : T;
                return 4 * static_cast<double>(y.numel()) * seen;
              }};
}

}  // namespace wick::testing
