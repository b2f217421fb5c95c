// The GPT that PyTorch made (tests/goldens/generate_gpt.py): logits, loss, every gradient, ten steps of
// AdamW.

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include <wick/framework/safetensors.h>
#include <wick/models/gpt.h>
#include <wick/models/training/clipping.h>
#include <wick/models/training/optimizer.h>
#include <wick/ops/reshape.h>
#include <wick/ops/slice.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

using testing::relative_difference;

// What PyTorch computed in float64 from float32 weights, so that its own rounding is none of our business.
class Golden {
 public:
  explicit Golden(bool bias)
      : folder_(std::string(WICK_GOLDENS) + (bias ? "/gpt/" : "/gpt_no_bias/")),
        weights_(load_safetensors(folder_ + "weights.safetensors").tensors),
        expected_(load_safetensors(folder_ + "expected.safetensors").tensors),
        config_{.vocab_size = 11, .block_size = 8, .n_layer = 2, .n_head = 2, .n_embd = 16, .bias = bias} {}

  Gpt model(DType dtype) const { return Gpt(config_, {.dtype = dtype}, *default_rng(1)); }
  const std::vector<NamedTensor>& weights() const { return weights_; }

  Tensor expected(const std::string& name) const {
    const auto found = std::ranges::find(expected_, name, &NamedTensor::name);
    if (found == expected_.end()) throw IndexError(folder_ + " has no " + name);
    return found->tensor;
  }

  // Batch 0 is what logits, loss and gradients are of; the next ten are stepped on.
  Tensor ids(std::int64_t batch) const { return of_batch("ids", batch); }
  Tensor targets(std::int64_t batch) const { return of_batch("targets", batch); }

 private:
  Tensor of_batch(const std::string& name, std::int64_t batch) const {
    const Tensor all = expected(name);  // (11, B, T)
    return reshape(slice(all, 0, batch, batch + 1), {all.size(1), all.size(2)});
  }

  std::string folder_;
  std::vector<NamedTensor> weights_;
  std::vector<NamedTensor> expected_;
  GptConfig config_;
};

// On every instruction set, in both types, with biases and without.
template <typename Body>
void on_every_golden(Body body) {
  for (const bool bias : {true, false}) {
    SCOPED_TRACE(bias ? "with biases" : "without biases");
    const Golden golden(bias);
    on_every_set_and_type([&](DType dtype) {
      Gpt gpt = golden.model(dtype);
      gpt.load_state(golden.weights());
      body(golden, gpt);
    });
  }
}

TEST(GptParity, LogitsAndLossArePyTorchs) {
  on_every_golden([](const Golden& golden, const Gpt& gpt) {
    const double tolerance = gpt.dtype() == float64 ? 1e-13 : 1e-5;
    EXPECT_LE(relative_difference(gpt.forward(golden.ids(0)), golden.expected("logits")), tolerance);
    EXPECT_LE(relative_difference(gpt.loss(golden.ids(0), golden.targets(0)), golden.expected("loss")),
              tolerance);
  });
}

TEST(GptParity, GradientsArePyTorchs) {
  on_every_golden([](const Golden& golden, const Gpt& gpt) {
    gpt.loss(golden.ids(0), golden.targets(0)).backward();
    for (const NamedTensor& parameter : gpt.named_parameters()) {
      EXPECT_LE(relative_difference(parameter.tensor.grad(), golden.expected("gradient." + parameter.name)),
                gpt.dtype() == float64 ? 1e-12 : 1e-4)
          << parameter.name;
    }
  });
}

TEST(GptParity, TenStepsOfAdamWLosePyTorchsLosses) {
  on_every_golden([](const Golden& golden, Gpt& gpt) {
    const double tolerance = gpt.dtype() == float64 ? 1e-10 : 1e-5;
    AdamW optimizer(gpt, {.weight_decay = 0.01});
    std::vector<double> losses;
    std::vector<double> norms;
    for (std::int64_t step = 1; step <= 10; ++step) {
      gpt.zero_grad();
      const Tensor loss = gpt.loss(golden.ids(step), golden.targets(step));
      loss.backward();
      norms.push_back(gradient_norm(optimizer.parameters()));
      optimizer.step(3e-3, clip_scale(norms.back(), 1.0));
      losses.push_back(loss.item());
    }
    EXPECT_LE(relative_difference(from_vector(losses), golden.expected("losses")), tolerance);
    EXPECT_LE(relative_difference(from_vector(norms), golden.expected("norms")), 10 * tolerance);
  });
}

}  // namespace
}  // namespace wick
