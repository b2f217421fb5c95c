#include <algorithm>
#include <exception>
#include <functional>
#include <numeric>
#include <vector>

#include <wick/framework/graph.h>
#include <wick/framework/print.h>
#include <wick/framework/random.h>
#include <wick/ops/testing/check_case.h>
#include <wick/ops/testing/compare.h>
#include <wick/ops/testing/gradcheck.h>
#include <wick/ops/testing/judge.h>
#include <wick/ops/testing/layouts.h>

namespace wick::testing {
namespace {

// How far a gradient in float32 may lie from that in float64, against the largest: only its type is in
// question, its value is checked in float64.
constexpr double kFloat32Tolerance = 1e-4;

// A gradient that was rounded to float32 on its way, which differences are too coarse to tell: numbers that
// were drawn in float64 never all fit there.
bool went_through_float32(const Tensor& gradient) {
  const std::vector<double> numbers = gradient.to_vector<double>();
  return std::ranges::any_of(numbers, [](double number) { return number != 0; }) &&
         same_bits(gradient.to(float32).to(float64), gradient);
}

// Called with the inputs lying in memory in other ways: each of them alone, and all together.
void for_each_layout(const Inputs& inputs,
                     const std::function<void(const Inputs& others, const std::string& description)>& body) {
  std::vector<std::vector<Layout>> layouts;
  std::size_t most = 0;
  for (const Tensor& input : inputs) {
    layouts.push_back(layouts_of(input));
    most = std::max(most, layouts.back().size());
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (const Layout& layout : layouts[i]) {
      Inputs others = inputs;
      others[i] = layout.tensor;
      body(others, "input " + std::to_string(i) + " with " + layout.name);
    }
  }
  for (std::size_t k = 0; k < most && inputs.size() > 1; ++k) {
    Inputs others;
    std::string names;
    for (const auto& choices : layouts) {
      const Layout& layout = choices[k % choices.size()];
      others.push_back(layout.tensor);
      names += (names.empty() ? "" : ", ") + layout.name;
    }
    body(others, "inputs with " + names);
  }
}

// One case of one op on the instruction set in use, adding to the report.
class CaseCheck {
 public:
  CaseCheck(const OpSpec& spec, const OpCase& op_case, std::string set, std::uint64_t seed, OpReport& report)
      : spec_(spec), case_(op_case), set_(std::move(set)), seed_(seed), report_(report) {}

  void run() {
    for (const DType dtype : {float32, float64}) {
      guarded(std::string(name(dtype)), [&] { check_forward(dtype); });
    }
    if (case_.has_gradient_check) guarded("gradient", [&] { check_gradient(); });
  }

 private:
  void fail(const std::string& what) { report_.failures.push_back({case_.name, set_, what}); }

  void guarded(const std::string& where, const std::function<void()>& body) {
    try {
      body();
    } catch (const std::exception& error) {
      fail(where + ": threw: " + error.what());
    } catch (...) {
      fail(where + ": threw what is no std::exception");
    }
  }

  Tensor forward(const Inputs& inputs) const { return spec_.forward(inputs, case_.attributes); }

  void check_forward(DType dtype) {
    const NoGrad no_grad;
    const Inputs inputs = make_inputs(spec_, case_, dtype, seed_);
    Inputs exact;
    for (const Tensor& input : inputs)
      exact.push_back(is_floating(input.dtype()) ? input.to(float64) : input);
    const Expected expected = spec_.reference(exact, case_.attributes);
    const DType result = is_floating(expected.value.dtype()) ? dtype : expected.value.dtype();
    poison_memory(expected.value.shape(), result);
    const Tensor output = forward(inputs);

    const std::string where(name(dtype));
    const Judgement judgement = judge(output, expected, spec_.may_flush_to_0);
    double& worst = report_.worst_error[set_];
    worst = std::max(worst, judgement.worst_error);
    if (!judgement.complaint.empty()) return fail(where + ": " + judgement.complaint);
    if (output.dtype() != result) return fail(where + ": the result is " + std::string(name(output.dtype())));

    check_untouched(where, inputs, dtype);
    for_each_layout(inputs, [&](const Inputs& others, const std::string& description) {
      poison_memory(output.shape(), output.dtype());
      if (!same_bits_but_nan(forward(others), output)) fail(where + ": " + description + " gives other bits");
    });
    if (spec_.independent_axes) {
      for (const IndependentAxis& axis : spec_.independent_axes(inputs, case_.attributes)) {
        check_independence(where, inputs, output, axis);
      }
    }
  }

  void check_independence(const std::string& where, const Inputs& inputs, const Tensor& output,
                          const IndependentAxis& axis) {
    if (axis.of_inputs.size() != inputs.size()) {
      return fail(where + ": an independent axis is given for " + std::to_string(axis.of_inputs.size()) +
                  " inputs of " + std::to_string(inputs.size()));
    }
    const std::int64_t size = output.size(axis.of_output);
    if (size < 2) return;
    std::vector<std::int64_t> reversed(static_cast<std::size_t>(size));
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    const std::vector<std::vector<std::int64_t>> picks = {reversed, {0}, {size / 2}, {size - 1}};
    for (const std::vector<std::int64_t>& indices : picks) {
      Inputs picked = inputs;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (axis.of_inputs[i]) picked[i] = take(inputs[i], *axis.of_inputs[i], indices);
      }
      if (same_bits_but_nan(forward(picked), take(output, axis.of_output, indices))) continue;
      const std::string slices = indices.size() > 1 ? "reversed" : std::to_string(indices[0]) + " alone";
      fail(where + ": other bits for slices of axis " + std::to_string(axis.of_output) + ", " + slices);
    }
  }

  void check_gradient() {
    const auto function = [&](const Inputs& inputs) { return forward(inputs); };
    const Inputs inputs = make_inputs(spec_, case_, float64, seed_);
    const Tensor output = [&] {
      const NoGrad no_grad;
      return forward(inputs);
    }();
    if (!is_floating(output.dtype())) return;
    report_.has_gradient = true;
    const GradcheckResult result = gradcheck(function, inputs, {.seed = seed_});
    if (!(result.worst_error <= report_.worst_gradient_error))
      report_.worst_gradient_error = result.worst_error;
    if (!result.passed) return fail("gradient: " + to_string(result));

    const Tensor weights = default_rng(seed_)->standard_normal(output.shape(), float64);
    const Inputs gradients = gradients_of(function, inputs, weights);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (gradients[i].defined() && went_through_float32(gradients[i])) {
        fail("gradient: that of input " + std::to_string(i) + " is float64 and holds float32's numbers");
      }
    }
    const auto expect_same = [&](const Inputs& others, const std::string& description) {
      for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (gradients[i].defined() && !same_bits(others[i], gradients[i])) {
          fail("gradient: that of input " + std::to_string(i) + " has other bits for " + description);
        }
      }
    };
    for_each_layout(inputs, [&](const Inputs& others, const std::string& description) {
      expect_same(gradients_of(function, others, weights), description);
    });
    for (const Layout& layout : layouts_of(weights)) {
      expect_same(gradients_of(function, inputs, layout.tensor), "an output's gradient with " + layout.name);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (gradients[i].defined() && !same_bits(gradients_of(function, inputs, weights, i)[i], gradients[i])) {
        fail("gradient: that of input " + std::to_string(i) + " has other bits where it alone is wanted");
      }
    }
    check_narrow_gradient(inputs, weights, gradients);
    check_untouched("gradient", inputs, float64);
  }

  void check_untouched(const std::string& where, const Inputs& inputs, DType dtype) {
    const Inputs before = make_inputs(spec_, case_, dtype, seed_);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!same_bits(inputs[i], before[i])) fail(where + ": input " + std::to_string(i) + " was written to");
    }
  }

  void check_narrow_gradient(const Inputs& inputs, const Tensor& weights, const Inputs& gradients) {
    Inputs narrow;
    for (const Tensor& input : inputs)
      narrow.push_back(is_floating(input.dtype()) ? input.to(float32) : input);
    const Inputs found =
        gradients_of([&](const Inputs& given) { return forward(given); }, narrow, weights.to(float32));
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (!gradients[i].defined()) continue;
      const double difference = relative_difference(found[i], gradients[i]);
      if (found[i].dtype() == float32 && difference <= kFloat32Tolerance) continue;
      fail("gradient: in float32 that of input " + std::to_string(i) + " is " + repr(difference) +
           " away from float64's, against the largest");
    }
  }

  const OpSpec& spec_;
  const OpCase& case_;
  std::string set_;
  std::uint64_t seed_;
  OpReport& report_;
};

}  // namespace

void check_case(const OpSpec& spec, const OpCase& op_case, const std::string& set, std::uint64_t seed,
                OpReport& report) {
  CaseCheck(spec, op_case, set, seed, report).run();
}

}  // namespace wick::testing
