// The checker is checked: an op that is right passes, and every way of being wrong is found.

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/testing/check.h>
#include <wick/tests/framework/errors.h>

namespace wick::testing {
namespace {

// How the op of these tests goes wrong.
enum class Flaw {
  none,
  value,     // of one element
  rounding,  // twice what is allowed
  nan,       // where there should be a number
  shape,
  type,          // float32 only
  past_the_end,  // the next element in memory shows
  unwritten,     // the last element
  place,         // the first row is computed otherwise
  layout,        // strides are ignored
  gradient_sign,
  gradient_nan,
  gradient_in_float32,
  gradient_unwritten,  // its last element
  gradient_layout,     // strides of the output's gradient are ignored
  narrow_gradient,     // wrong in float32 only
  writes,              // into its input
  throws,
};

template <typename T>
std::vector<T> elements_in_memory(const Tensor& x) {
  return std::vector<T>(x.data<T>(), x.data<T>() + x.numel());
}

class SquareNode final : public Node {
 public:
  SquareNode(const Origin& origin, const Tensor& x, Flaw flaw) : Node(origin), x_(this, x), flaw_(flaw) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    std::vector<double> dx = x_.get().to_vector<double>();
    const bool ignores_layout = flaw_ == Flaw::gradient_layout && gradient.dtype() == float64;
    const std::vector<double> dy =
        ignores_layout ? elements_in_memory<double>(gradient) : gradient.to_vector<double>();
    for (std::size_t i = 0; i < dx.size(); ++i) dx[i] *= 2 * dy[i];
    if (flaw_ == Flaw::gradient_sign) std::ranges::for_each(dx, [](double& number) { number = -number; });
    if (flaw_ == Flaw::gradient_nan && !dx.empty()) dx[0] = std::numeric_limits<double>::quiet_NaN();
    if (flaw_ == Flaw::narrow_gradient && gradient.dtype() == float32 && !dx.empty()) dx[0] += 1;
    if (flaw_ == Flaw::gradient_in_float32)
      return {from_vector(dx, shape()).to(float32).to(gradient.dtype())};
    if (flaw_ != Flaw::gradient_unwritten || gradient.dtype() != float64) {
      return {from_vector(dx, shape()).to(gradient.dtype())};
    }
    Tensor most(shape(), float64);
    for (std::size_t i = 0; i + 1 < dx.size(); ++i) most.mutable_span<double>()[i] = dx[i];
    return {most};
  }

 private:
  Saved x_;
  Flaw flaw_;
};

// What lies behind the last element in memory; 0 where the memory ends there too.
double element_behind(const Tensor& x) {
  try {
    return x.strided_view({1}, Strides({1}), x.numel()).item();
  } catch (const IndexError&) {
    return 0;
  }
}

template <typename T>
void square_into(const Tensor& x, Tensor& y, Flaw flaw) {
  const std::vector<T> in = flaw == Flaw::layout ? elements_in_memory<T>(x) : x.to_vector<T>();
  const auto out = y.mutable_span<T>();
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (flaw == Flaw::unwritten && i > 0 && i + 1 == in.size()) continue;
    out[i] = in[i] * in[i];
  }
  if (in.empty()) return;
  constexpr T kEpsilon = std::numeric_limits<T>::epsilon();
  if (flaw == Flaw::value) out[out.size() / 2] += 1;
  if (flaw == Flaw::rounding) out[0] *= 1 + 2 * kEpsilon;
  if (flaw == Flaw::nan) out[0] = std::numeric_limits<T>::quiet_NaN();
  if (flaw == Flaw::past_the_end) out[0] += 0 * static_cast<T>(element_behind(x));
  if (flaw == Flaw::place && x.rank() == 2 && x.size(0) > 1) out[0] *= 1 + kEpsilon;
}

Tensor square(const Tensor& x, Flaw flaw) {
  if (flaw == Flaw::throws) throw std::runtime_error("no squares today");
  Tensor y(flaw == Flaw::shape ? Shape({x.numel()}) : x.shape(), x.dtype());
  if (x.dtype() == float32) {
    square_into<float>(x, y, flaw);
  } else {
    square_into<double>(x, y, flaw);
  }
  if (flaw == Flaw::type) y = y.to(float32);
  if (flaw == Flaw::writes && x.numel() > 0) Tensor(x).fill(0);
  return record<SquareNode>("square", {&x}, y, x, flaw);
}

OpSpec spec_with(Flaw flaw) {
  return {.name = "square",
          .inputs = {{"x"}},
          .forward = [flaw](const Inputs& inputs, const Attributes&) { return square(inputs[0], flaw); },
          .reference =
              [](const Inputs& inputs, const Attributes&) {
                std::vector<double> y = inputs[0].to_vector<double>();
                std::vector<double> bound;
                for (double& element : y) element *= element;
                for (const double element : y) bound.push_back(element * 1.25);
                return Expected{from_vector(y, inputs[0].shape()), from_vector(bound, inputs[0].shape())};
              },
          .cases = {{.name = "n0", .inputs = {{{0}}}},
                    {.name = "n17", .inputs = {{{17}}}},
                    {.name = "3x5", .inputs = {{{3, 5}}}}},
          .independent_axes =
              [](const Inputs& inputs, const Attributes&) {
                std::vector<IndependentAxis> axes;
                for (int axis = 0; axis < inputs[0].rank(); ++axis) axes.push_back({{axis}, axis});
                return axes;
              }};
}

// The first complaint, for one instruction set.
std::string complaint(Flaw flaw) {
  const OpReport report = check_op(spec_with(flaw), {.instruction_sets = {"scalar"}});
  if (report.failures.empty()) return "";
  const Failure& first = report.failures.front();
  EXPECT_EQ(first.instruction_set, "scalar");
  return first.case_name + ": " + first.what;
}

void expect_begins(const std::string& text, const std::string& beginning) {
  EXPECT_EQ(text.substr(0, beginning.size()), beginning);
}

TEST(CheckOp, PassesWhatIsRight) {
  const OpReport report = check_op(spec_with(Flaw::none));
  EXPECT_TRUE(report.failures.empty());
  EXPECT_EQ(report.op, "square");
  EXPECT_EQ(report.cases, 3);
  EXPECT_TRUE(report.has_gradient);
  EXPECT_LT(report.worst_gradient_error, 1e-8);
  EXPECT_EQ(report.breaks, 5);
  EXPECT_EQ(report.breaks_caught, 5);
  EXPECT_EQ(report.worst_error.size(), present_instruction_sets().size());
}

TEST(CheckOp, FindsWrongValues) {
  expect_begins(complaint(Flaw::value), "n17: float32: element (8,) is ");
  expect_begins(complaint(Flaw::rounding), "n17: float32: element (0,) is ");
  expect_begins(complaint(Flaw::nan), "n17: float32: element (0,) is nan, expected ");
  expect_begins(complaint(Flaw::unwritten), "n17: float32: element (16,) is ");
}

TEST(CheckOp, FindsAWrongShapeOrType) {
  EXPECT_EQ(complaint(Flaw::shape), "3x5: float32: the shape is (15,), expected (3, 5)");
  expect_begins(complaint(Flaw::type), "n0: float64: the result is float32");
}

TEST(CheckOp, FindsWhatTheNeighboursInMemoryDo) {
  EXPECT_EQ(complaint(Flaw::past_the_end), "n17: float32: input 0 with an odd offset gives other bits");
  EXPECT_EQ(complaint(Flaw::layout), "n17: float32: input 0 with gaps gives other bits");
}

TEST(CheckOp, FindsWhatGoesWrongWhereTwoInputsLieOtherwise) {
  const OpSpec spec = {
      .name = "first",
      .inputs = {{"a"}, {"b"}},
      .forward =
          [](const Inputs& inputs, const Attributes&) {
            const bool is_wrong = !inputs[0].is_contiguous() && !inputs[1].is_contiguous();
            return is_wrong ? inputs[1].clone() : inputs[0].clone();
          },
      .reference = [](const Inputs& inputs, const Attributes&) { return Expected{inputs[0]}; },
      .cases = {{.name = "n5", .inputs = {{{5}}, {{5}}}, .has_gradient_check = false}}};
  const OpReport report = check_op(spec, {.instruction_sets = {"scalar"}});
  ASSERT_FALSE(report.failures.empty());
  EXPECT_EQ(report.failures[0].what, "float32: inputs with gaps, gaps gives other bits");
}

TEST(CheckOp, FindsAnInputThatIsWrittenTo) {
  EXPECT_EQ(complaint(Flaw::writes), "n17: float32: input 0 was written to");
}

TEST(CheckOp, FindsWhatDependsOnThePlace) {
  EXPECT_EQ(complaint(Flaw::place), "3x5: float32: other bits for slices of axis 0, reversed");
}

TEST(CheckOp, FindsWrongGradients) {
  expect_begins(complaint(Flaw::gradient_sign), "n17: gradient: input 0 at (");
  expect_begins(complaint(Flaw::gradient_nan),
                "n17: gradient: input 0 at (0,): backward gives nan, differences ");
  EXPECT_EQ(complaint(Flaw::gradient_in_float32),
            "n17: gradient: that of input 0 is float64 and holds float32's numbers");
  expect_begins(complaint(Flaw::gradient_unwritten), "n17: gradient: input 0 at (16,): backward gives ");
  EXPECT_EQ(complaint(Flaw::gradient_layout),
            "n17: gradient: that of input 0 has other bits for an output's gradient with gaps");
  expect_begins(complaint(Flaw::narrow_gradient), "n17: gradient: in float32 that of input 0 is ");
}

TEST(CheckOp, TakesAnExceptionForAFailure) {
  EXPECT_EQ(complaint(Flaw::throws), "n0: float32: threw: no squares today");
}

TEST(CheckOp, FindsCasesThatWouldNotNotice) {
  OpSpec spec = spec_with(Flaw::none);
  spec.cases = {{.name = "n0", .inputs = {{{0}}}}, {.name = "one", .inputs = {{{1}}}}};
  const OpReport report = check_op(spec, {.instruction_sets = {"scalar"}});
  EXPECT_EQ(report.breaks_caught, 4);
  ASSERT_EQ(report.failures.size(), 1u);
  EXPECT_EQ(report.failures[0].what, "no case notices where the gradient of x is shifted by one element");
}

TEST(CheckOp, RunsOneCaseOnOneSet) {
  const OpReport report =
      check_op(spec_with(Flaw::none), {.instruction_sets = {"scalar"}, .only_case = "3x5"});
  EXPECT_EQ(report.cases, 1);
  EXPECT_EQ(report.worst_error.size(), 1u);
  EXPECT_EQ(report.breaks, 0);
}

TEST(CheckOp, RefusesUnknownNames) {
  EXPECT_EQ(error_of<ValueError>([] { check_op(spec_with(Flaw::none), {.only_case = "n18"}); }),
            "the op square has no case n18; there are n0, n17, 3x5");
  const std::string message =
      error_of<ValueError>([] { check_op(spec_with(Flaw::none), {.instruction_sets = {"avx1024"}}); });
  EXPECT_NE(message.find("avx1024"), std::string::npos) << message;
}

TEST(CheckOp, RestoresTheInstructionSet) {
  const std::string before(instruction_set());
  check_op(spec_with(Flaw::throws));
  EXPECT_EQ(instruction_set(), before);
}

}  // namespace
}  // namespace wick::testing
