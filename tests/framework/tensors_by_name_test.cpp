#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/makers.h>
#include <wick/framework/tensors_by_name.h>

namespace wick {
namespace {

TEST(TensorsByName, FindsTheFirstOfAName) {
  const std::vector<NamedTensor> tensors{{"a", zeros({1})}, {"b", zeros({2})}, {"a", zeros({3})}};
  const TensorsByName by_name(tensors);
  EXPECT_EQ(by_name.find("a"), &tensors[0]);
  EXPECT_EQ(by_name.find("b"), &tensors[1]);
  EXPECT_EQ(by_name.find("c"), nullptr);
  EXPECT_EQ(TensorsByName({}).find("a"), nullptr);
}

}  // namespace
}  // namespace wick
