// A module of one's own, out of wick's: declared, printed and run.

#include <cstdint>
#include <exception>
#include <iostream>

#include <wick/framework/module.h>
#include <wick/framework/random.h>
#include <wick/models/head.h>
#include <wick/models/linear.h>
#include <wick/ops/operators.h>

namespace {

// Two heads look at the same text; what they found is added and taken back to the width of the input.
class TwoHeads final : public wick::Module {
 public:
  TwoHeads(std::int64_t n_embd, std::int64_t head_size, wick::Rng& rng)
      : Module("two_heads"),
        n_embd_(n_embd),
        near_(this, "near", n_embd, head_size, wick::HeadOptions{}, rng),
        far_(this, "far", n_embd, head_size, wick::HeadOptions{}, rng),
        project_(this, "project", head_size, n_embd, wick::LinearOptions{}, rng) {}

  // (B, T, n_embd) -> (B, T, n_embd)
  wick::Tensor forward(const wick::Tensor& x) const {
    wick::ModuleScope scope(*this);
    scope.expect("x", x, {"B", "T", {"C", n_embd_}});
    const wick::Tensor out = project_->forward(near_->forward(x) + far_->forward(x));
    scope.expect("out", out, {"B", "T", {"C", n_embd_}});
    return out;
  }

  std::string description() const override { return "TwoHeads"; }

 private:
  std::int64_t n_embd_;
  wick::Child<wick::Head> near_;
  wick::Child<wick::Head> far_;
  wick::Child<wick::Linear> project_;
};

}  // namespace

int main() try {
  const auto rng = wick::default_rng(42);
  const TwoHeads model(32, 16, *rng);
  std::cout << model;

  const wick::Tensor out = model.forward(rng->standard_normal({4, 8, 32}));
  std::cout << "out " << to_string(out.shape()) << '\n';
  return out.shape() == wick::Shape{4, 8, 32} ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "consumer: " << error.what() << '\n';
  return 1;
}
