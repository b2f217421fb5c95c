#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/framework/print.h>
#include <wick/framework/round.h>
#include <wick/tests/framework/bytes.h>
#include <wick/tests/framework/errors.h>

namespace wick {
namespace {

using Floats = std::vector<double>;

TEST(Round, IsWhatNumPyGives) {
  std::ifstream in(WICK_GOLDENS "/print_cases.json");
  const nlohmann::json cases = nlohmann::json::parse(in);
  int rounded = 0;
  for (const auto& one : cases) {
    if (!one.contains("round")) continue;
    nlohmann::json expected = one;
    expected["data"] = one["round"];
    const Tensor result = round(tensor_of(one), one["decimals"]);
    // By their text, in which one NaN is as good as another, and 0.0 is not -0.0.
    EXPECT_EQ(to_list_string(result), to_list_string(tensor_of(expected))) << one;
    ++rounded;
  }
  EXPECT_GT(rounded, 40);
}

TEST(Round, Halves) {
  EXPECT_EQ(round(tensor({0.5, 1.5, 2.5, -0.5}, float64)).to_vector<double>(), (Floats{0, 2, 2, 0}));
  EXPECT_EQ(round(tensor({2.675}, float64), 2).to_vector<double>(), Floats{2.68});
}

TEST(Round, WholeNumbers) {
  const Tensor numbers = tensor({15, 25, -149});
  EXPECT_EQ(round(numbers, 3).to_vector<double>(), (Floats{15, 25, -149}));
  EXPECT_EQ(round(numbers, -1).to_vector<double>(), (Floats{20, 20, -150}));
  EXPECT_EQ(round(numbers, -2).to_vector<double>(), (Floats{0, 0, -100}));
}

TEST(Round, AnyLayoutAndItsOwnMemory) {
  const Tensor matrix = tensor({{1.26, 2.26}, {3.26, 4.26}}, float64);
  const Tensor turned = matrix.strided_view({2, 2}, {1, 2});
  const Tensor result = round(turned, 1);
  EXPECT_EQ(result.to_vector<double>(), (Floats{1.3, 3.3, 2.3, 4.3}));
  EXPECT_FALSE(result.shares_storage(matrix));
  EXPECT_FALSE(round(arange(2)).shares_storage(arange(2)));
}

TEST(Round, Refuses) {
  EXPECT_EQ(error_of<TypeError>([] { round(zeros({2}, boolean), 1); }),
            "round: a boolean tensor has nothing to round");
  EXPECT_EQ(error_of<TypeError>([] { round(Tensor(), 1); }), "round: the tensor is undefined");
}

}  // namespace
}  // namespace wick
