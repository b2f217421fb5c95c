#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/framework/npy.h>
#include <wick/framework/print.h>
#include <wick/framework/round.h>
#include <wick/tests/framework/bytes.h>
#include <wick/tests/framework/errors.h>

namespace wick {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string lines(const std::string& file, int first, int count) {
  std::ifstream in(std::string(WICK_GOLDENS) + "/" + file);
  std::string text;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (number >= first && number < first + count) text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

TEST(Print, IsWhatNumPyPrints) {
  std::ifstream in(WICK_GOLDENS "/print_cases.json");
  const nlohmann::json cases = nlohmann::json::parse(in);
  int printed = 0;
  for (const auto& one : cases) {
    if (!one.contains("str")) continue;
    const auto& o = one["options"];
    PrintOptions options;
    options.precision = o.value("precision", options.precision);
    options.suppress = o.value("suppress", options.suppress);
    options.linewidth = o.value("linewidth", options.linewidth);
    options.threshold = o.value("threshold", options.threshold);
    options.edgeitems = o.value("edgeitems", options.edgeitems);
    EXPECT_EQ(to_string(tensor_of(one), options), one["str"].get<std::string>()) << one;
    ++printed;
  }
  EXPECT_GT(printed, 300);
}

TEST(Print, ListsAsPythonDoes) {
  std::ifstream in(WICK_GOLDENS "/print_cases.json");
  const nlohmann::json cases = nlohmann::json::parse(in);
  int listed = 0;
  for (const auto& one : cases) {
    if (!one.contains("list")) continue;
    EXPECT_EQ(to_list_string(tensor_of(one)), one["list"].get<std::string>()) << one;
    ++listed;
  }
  EXPECT_GT(listed, 50);
}

TEST(Print, TheLessonsPrintOuts) {
  const Tensor weights = load_npy(WICK_GOLDENS "/lesson4/weights.npy");
  EXPECT_EQ(to_string(round(weights.strided_view({6, 6}, {6, 1}), 3)), lines("lesson4.txt", 6, 6));
}

TEST(Print, Floats) {
  EXPECT_EQ(to_string(tensor({1, 0.5, 0.25}, float64)), "[1.   0.5  0.25]");
  EXPECT_EQ(to_string(tensor({0.1, 0.123456789}, float64)), "[0.1        0.12345679]");
  EXPECT_EQ(to_string(tensor({0.1}, float32)), "[0.1]");
  EXPECT_EQ(to_string(tensor({0.0001}, float64)), "[0.0001]");
  EXPECT_EQ(to_string(tensor({0.0001}, float32)), "[1.e-04]");  // a little less than the double
  EXPECT_EQ(to_string(tensor({1e-5, 1}, float64)), "[1.e-05 1.e+00]");
  EXPECT_EQ(to_string(tensor({1e-5, 1}, float64), {.suppress = true}), "[0.00001 1.     ]");
  EXPECT_EQ(to_string(tensor({1e-5, 1}, float64), {.precision = 3, .suppress = true}), "[0. 1.]");
  EXPECT_EQ(to_string(tensor({-1e-5, 1}, float64), {.precision = 3, .suppress = true}), "[-0.  1.]");
  EXPECT_EQ(to_string(tensor({1e8}, float64)), "[1.e+08]");
  EXPECT_EQ(to_string(tensor({99999999}, float64)), "[99999999.]");
  EXPECT_EQ(to_string(tensor({96529408}, float32)), "[96529408.]");
  EXPECT_EQ(to_string(tensor({1, 1000}, float64)), "[   1. 1000.]");
  EXPECT_EQ(to_string(tensor({1, 1000.5}, float64)), "[1.0000e+00 1.0005e+03]");
  EXPECT_EQ(to_string(tensor({1e-300, 1e300}, float64)), "[1.e-300 1.e+300]");
  EXPECT_EQ(to_string(tensor({1e-5, 1e300}, float64)), "[1.e-005 1.e+300]");
  EXPECT_EQ(to_string(tensor({kNan, 1, -kInfinity}, float64)), "[ nan   1. -inf]");
  EXPECT_EQ(to_string(tensor({kNan, kInfinity}, float64)), "[nan inf]");
  EXPECT_EQ(to_string(tensor({-0.0, 0.0}, float64)), "[-0.  0.]");
}

// The exact value decides, and a tie goes to the even digit.
TEST(Print, CutsDigits) {
  const PrintOptions one{.precision = 1};
  EXPECT_EQ(to_string(tensor({0.25, 0.75, 0.35, 0.15}, float64), one), "[0.2 0.8 0.3 0.1]");
  EXPECT_EQ(to_string(tensor({0.5, 1.5, 2.5}, float64), {.precision = 0}), "[0. 2. 2.]");
  EXPECT_EQ(to_string(tensor({9.96, 1}, float64), one), "[10.  1.]");
}

TEST(Print, OtherTypes) {
  EXPECT_EQ(to_string(tensor({1, -20, 300})), "[  1 -20 300]");
  EXPECT_EQ(to_string(tensor({std::numeric_limits<std::int64_t>::min(), std::int64_t{0}})),
            "[-9223372036854775808                    0]");
  EXPECT_EQ(to_string(tensor({true, false})), "[ True False]");
}

TEST(Print, RankZeroAndEmpty) {
  EXPECT_EQ(to_string(full({}, 0.1, float64), {.precision = 0}), "0.1");
  EXPECT_EQ(to_string(full({}, 0.1, float32)), "0.1");
  EXPECT_EQ(to_string(full({}, 7, int64)), "7");
  EXPECT_EQ(to_string(full({}, 1, boolean)), "True");
  EXPECT_EQ(to_string(zeros({0})), "[]");
  EXPECT_EQ(to_string(zeros({2, 0})), "[]");
  EXPECT_EQ(to_string(Tensor()), "undefined");
}

TEST(Print, Dimensions) {
  EXPECT_EQ(to_string(arange(8).strided_view({2, 2, 2}, {4, 2, 1})),
            "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]");
  EXPECT_EQ(to_string(arange(6).strided_view({3, 2}, {1, 3})), "[[0 3]\n [1 4]\n [2 5]]");
}

TEST(Print, BreaksLines) {
  EXPECT_EQ(to_string(arange(12), {.linewidth = 20}), "[ 0  1  2  3  4  5\n  6  7  8  9 10 11]");
  EXPECT_EQ(to_string(tensor({{1, 2, 3}, {4, 5, 6}}), {.linewidth = 7}), "[[1 2\n  3]\n [4 5\n  6]]");
  EXPECT_EQ(to_string(arange(3), {.linewidth = 0}), "[0\n 1\n 2]");
}

TEST(Print, Summarizes) {
  EXPECT_EQ(to_string(arange(1001)), "[   0    1    2 ...  998  999 1000]");
  EXPECT_EQ(to_string(arange(10), {.threshold = 9}), "[0 1 2 ... 7 8 9]");
  EXPECT_EQ(to_string(arange(10), {.threshold = 10}), "[0 1 2 3 4 5 6 7 8 9]");
  EXPECT_EQ(to_string(arange(6), {.threshold = 0}), "[0 1 2 3 4 5]");
  EXPECT_EQ(to_string(arange(16).strided_view({4, 4}, {4, 1}), {.threshold = 0, .edgeitems = 1}),
            "[[ 0 ...  3]\n ...\n [12 ... 15]]");
  EXPECT_EQ(to_string(arange(5), {.threshold = 0, .edgeitems = 0}), "[... 4]");
}

TEST(Print, SummarizesWithoutTouchingTheRest) {
  const Tensor huge = zeros({1}).strided_view({1'000'000'000, 1'000'000'000}, {0, 0});
  EXPECT_EQ(to_string(huge, {.edgeitems = 1}), "[[0. ... 0.]\n ...\n [0. ... 0.]]");
}

TEST(Print, IntoAStream) {
  std::ostringstream out;
  out << tensor({1.5, 2}) << '\n';
  EXPECT_EQ(out.str(), "[1.5 2. ]\n");
}

TEST(Print, RefusesOptionsOutsideTheirRange) {
  EXPECT_EQ(error_of<ValueError>([] { to_string(arange(2), {.precision = -1}); }),
            "print: precision is -1, expected 0 or more");
  EXPECT_EQ(error_of<ValueError>([] { to_string(arange(2), {.edgeitems = -1}); }),
            "print: edgeitems is -1, expected 0 or more");
}

TEST(Print, Lists) {
  EXPECT_EQ(to_list_string(ones({2})), "[1.0, 1.0]");
  EXPECT_EQ(to_list_string(tensor({{1, 2}, {3, 4}}).strided_view({2, 2}, {1, 2})), "[[1, 3], [2, 4]]");
  EXPECT_EQ(to_list_string(tensor({0.1}, float32)), "[0.10000000149011612]");
  EXPECT_EQ(to_list_string(tensor({true, false})), "[True, False]");
  EXPECT_EQ(to_list_string(full({}, 2, int64)), "2");
  EXPECT_EQ(to_list_string(zeros({2, 0})), "[[], []]");
  EXPECT_EQ(to_list_string(zeros({0, 2})), "[]");
  EXPECT_EQ(error_of<TypeError>([] { to_list_string(Tensor()); }),
            "an undefined tensor has no elements to read or write");
}

TEST(Print, Repr) {
  EXPECT_EQ(repr(1), "1.0");
  EXPECT_EQ(repr(-0.0), "-0.0");
  EXPECT_EQ(repr(0.1), "0.1");
  EXPECT_EQ(repr(100), "100.0");
  EXPECT_EQ(repr(0.0001), "0.0001");
  EXPECT_EQ(repr(0.00001), "1e-05");
  EXPECT_EQ(repr(1.5e-7), "1.5e-07");
  EXPECT_EQ(repr(9999999999999998), "9999999999999998.0");
  EXPECT_EQ(repr(1e16), "1e+16");
  EXPECT_EQ(repr(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(repr(5e-324), "5e-324");
  EXPECT_EQ(repr(kNan), "nan");
  EXPECT_EQ(repr(-kNan), "nan");
  EXPECT_EQ(repr(-kInfinity), "-inf");
}

}  // namespace
}  // namespace wick
