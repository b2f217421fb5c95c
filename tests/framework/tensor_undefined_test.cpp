// A Tensor made without arguments: everything that can be asked of it answers or throws, and nothing crashes.

#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "errors.h"
#include <wick/framework/makers.h>
#include <wick/framework/tensor.h>

namespace wick {
namespace {

TEST(UndefinedTensor, IsEmptyToLookAt) {
  const Tensor none;
  EXPECT_FALSE(none.defined());
  EXPECT_EQ(none.shape(), Shape());
  EXPECT_EQ(none.strides(), Strides());
  EXPECT_EQ(none.rank(), 0);
  EXPECT_EQ(none.numel(), 0);
  EXPECT_EQ(none.dtype(), float32);
  EXPECT_EQ(none.version(), 0u);
  EXPECT_TRUE(none.is_contiguous());
  EXPECT_FALSE(none.requires_grad());
  EXPECT_EQ(none.node(), nullptr);
  EXPECT_EQ(error_of<IndexError>([&] { return none.size(0); }),
            "size: axis 0: a tensor of rank 0 has no axes");
}

TEST(UndefinedTensor, SharesNothing) {
  const Tensor none;
  EXPECT_FALSE(none.shares_storage(none));
  EXPECT_FALSE(none.shares_storage(zeros({})));
  EXPECT_FALSE(zeros({}).shares_storage(none));
  EXPECT_FALSE(none.is_same(zeros({})));
  EXPECT_TRUE(none.is_same(Tensor()));
}

TEST(UndefinedTensor, ItsHandlesAreUndefinedToo) {
  const Tensor none;
  EXPECT_FALSE(Tensor(none).defined());
  EXPECT_FALSE(none.contiguous().defined());
  EXPECT_FALSE(none.detach().defined());
}

TEST(UndefinedTensor, HasNoElementsToReadOrWrite) {
  Tensor none;
  Tensor scalar = zeros({});
  const std::vector<std::function<void()>> calls = {
      [&] { static_cast<void>(none.item()); },
      [&] { static_cast<void>(none.at({})); },
      [&] { static_cast<void>(none.at({0})); },
      [&] { static_cast<void>(none.to_vector<float>()); },
      [&] { static_cast<void>(none.span<float>()); },
      [&] { static_cast<void>(none.span<double>()); },
      [&] { static_cast<void>(none.data<float>()); },
      [&] { static_cast<void>(none.mutable_span<float>()); },
      [&] { static_cast<void>(none.mutable_data<float>()); },
      [&] { none.set({}, 1); },
      [&] { none.fill(1); },
      [&] { none.copy_from(scalar); },
      [&] { none.copy_from(none); },
      [&] { scalar.copy_from(none); },
      [&] { static_cast<void>(none.clone()); },
      [&] { static_cast<void>(none.to(float32)); },
      [&] { static_cast<void>(none.to(float64)); },
      [&] { static_cast<void>(none.strided_view({}, {})); },
      [&] { static_cast<void>(none.strided_view({0}, {1})); },
      [&] { none.set_requires_grad(true); },
      [&] { none.backward(); },
      [&] { none.backward(scalar); },
      [&] { none.backward(none); },
  };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(error_of<TypeError>(calls[i]), "an undefined tensor has no elements to read or write")
        << "call " << i;
  }
}

TEST(UndefinedTensor, HasNoGradient) {
  Tensor none;
  none.set_requires_grad(false);
  EXPECT_EQ(error_of<GraphError>([&] { return none.grad(); }),
            "grad: only a leaf, a tensor marked by set_requires_grad, collects a gradient");
  EXPECT_EQ(error_of<GraphError>([&] { none.zero_grad(); }),
            "zero_grad: only a leaf, a tensor marked by set_requires_grad, collects a gradient");
}

TEST(UndefinedTensor, IsNoGradientForBackward) {
  Tensor x = zeros({});
  x.set_requires_grad(true);
  EXPECT_EQ(error_of<TypeError>([&] { x.backward(Tensor()); }),
            "an undefined tensor has no elements to read or write");
}

}  // namespace
}  // namespace wick
