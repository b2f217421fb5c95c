#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include <wick/framework/makers.h>
#include <wick/framework/npy.h>
#include <wick/tests/tools/run_command.h>

namespace wick::tools {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double next(double x) { return std::nextafter(x, kInfinity); }

// Two arrays of a test, as files.
class Pair {
 public:
  Pair(const Tensor& a, const Tensor& b) {
    save_npy(folder_ / "a.npy", a);
    save_npy(folder_ / "b.npy", b);
  }

  Outcome diff(const std::vector<std::string>& options = {}, int columns = 0) const {
    std::vector<std::string> arguments{"diff", "a.npy", "b.npy"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_wick(arguments, {.folder = folder_.path(), .columns = columns});
  }

  void expect_equal(const std::vector<std::string>& options = {}) const {
    const Outcome outcome = diff(options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out.substr(0, 15), "1 array, equal ");
  }

  void expect_different(const std::string& shown, const std::vector<std::string>& options = {}) const {
    const Outcome outcome = diff(options);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_EQ(outcome.out, shown);
    EXPECT_EQ(outcome.err, "");
  }

 private:
  TestFolder folder_;
};

TEST(Diff, CountsUlpInTheFilesType) {
  const double third = 1.0 / 3;
  Pair(tensor({{1, 2}, {3, third}}, float64), tensor({{1, 2}, {next(3), next(next(third))}}, float64))
      .expect_different(
          "first difference: array[1, 0], 1 ULP (4.4e-16) apart\n"
          "  A  3.0\n"
          "  B  3.0000000000000004\n"
          "\n"
          "array  2 of 4 elements differ, at most 2 ULP and 4.4e-16 apart\n");
  Pair(tensor({0.1, 2}), tensor({std::nextafter(0.1F, 1.0F), 2}))
      .expect_different(
          "first difference: array[0], 1 ULP (7.5e-09) apart\n"
          "  A  0.1\n"
          "  B  0.10000001\n"
          "\n"
          "array  1 of 2 elements differs, at most 1 ULP and 7.5e-09 apart\n");
}

TEST(Diff, CountsUlpAcrossZero) {
  const double least = std::numeric_limits<double>::denorm_min();
  const Outcome outcome = Pair(tensor({least}, float64), tensor({-2 * least}, float64)).diff();
  EXPECT_NE(outcome.out.find("array[0], 3 ULP (1.5e-323) apart\n"), std::string::npos) << outcome.out;
}

TEST(Diff, ZerosOfBothSignsDifferOnlyToTheBit) {
  const Pair zeros(tensor({1, 0.0}, float64), tensor({1, -0.0}, float64));
  zeros.expect_different(
      "first difference: array[1], 0 ULP (0) apart\n"
      "  A  0.0\n"
      "  B  -0.0\n"
      "\n"
      "array  1 of 2 elements differs, at most 0 ULP and 0 apart\n");
  zeros.expect_equal({"--ulp", "1"});
  zeros.expect_equal({"--atol", "1e-300"});
}

TEST(Diff, NaNEqualsNaNAndIsFarFromAllElse) {
  const double other_bits = std::nan("17");
  Pair(tensor({kNaN, 1}, float64), tensor({-other_bits, 1}, float64)).expect_equal();
  const std::string shown =
      "first difference: array[0]\n"
      "  A  nan\n"
      "  B  1.0\n"
      "\n"
      "array  1 of 2 elements differs\n";
  const Pair pair(tensor({kNaN, 1}, float64), tensor({1, 1}, float64));
  pair.expect_different(shown);
  pair.expect_different(shown, {"--atol", "1e300", "--rtol", "1", "--ulp", "4294967295"});
}

TEST(Diff, InfinityEqualsOnlyItself) {
  Pair(tensor({kInfinity, -kInfinity}), tensor({kInfinity, -kInfinity})).expect_equal();
  const float largest = std::numeric_limits<float>::max();
  for (const double other : {-kInfinity, static_cast<double>(largest)}) {
    const Pair pair(tensor({other}), tensor({kInfinity}));
    EXPECT_EQ(pair.diff({"--rtol", "1", "--atol", "1e300", "--ulp", "4294967295"}).exit_code, 1) << other;
  }
}

TEST(Diff, TolerancesAreNumPys) {
  const Pair pair(tensor({100, 0}, float64), tensor({101, 0.001}, float64));
  pair.expect_equal({"--rtol", "0.01", "--atol", "0.001"});
  pair.expect_different(
      "first difference: array[1], 4562254508917369340 ULP (0.001) apart\n"
      "  A  0.0\n"
      "  B  0.001\n"
      "\n"
      "array  1 of 2 elements differs, at most 4562254508917369340 ULP and 1 apart\n",
      {"--rtol", "0.01"});
  // Relative to B.
  EXPECT_EQ(Pair(tensor({101}, float64), tensor({100}, float64)).diff({"--rtol", "0.00995"}).exit_code, 1);
  EXPECT_EQ(Pair(tensor({100}, float64), tensor({101}, float64)).diff({"--rtol", "0.00995"}).exit_code, 0);
}

TEST(Diff, SaysWhatATolerancePassed) {
  EXPECT_EQ(Pair(tensor({1, 3}, float64), tensor({next(1), next(3)}, float64)).diff({"--ulp", "1"}).out,
            "1 array, equal within the tolerance\n"
            "\n"
            "array  within the tolerance, at most 1 ULP and 4.4e-16 apart\n");
  EXPECT_EQ(Pair(tensor({1, 3}, float64), tensor({1, 3}, float64)).diff({"--ulp", "1"}).out,
            "1 array, equal to the bit\n");
}

TEST(Diff, ReadsWholeNumbersAndBooleans) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
  Pair(tensor({1, largest}, int64), tensor({1, largest}, int64)).expect_equal();
  Pair(tensor({1, largest}, int64), tensor({1, smallest}, int64))
      .expect_different(
          "first difference: array[1], 1.8e+19 apart\n"
          "  A  9223372036854775807\n"
          "  B  -9223372036854775808\n"
          "\n"
          "array  1 of 2 elements differs, at most 1.8e+19 apart\n");
  Pair(tensor({1, 5}, int64), tensor({1, 7}, int64)).expect_equal({"--atol", "2"});
  EXPECT_EQ(Pair(tensor({5}, int64), tensor({7}, int64)).diff({"--ulp", "9"}).exit_code, 1);
  const Pair booleans(tensor({1, 0}, boolean), tensor({1, 1}, boolean));
  const std::string shown =
      "first difference: array[1]\n"
      "  A  False\n"
      "  B  True\n"
      "\n"
      "array  1 of 2 elements differs\n";
  booleans.expect_different(shown);
  booleans.expect_different(shown, {"--atol", "1"});
}

TEST(Diff, ReadsScalarsAndEmptyArrays) {
  Pair(zeros({2, 0}), zeros({2, 0})).expect_equal();
  Pair(zeros({}), full({}, 1))
      .expect_different(
          "first difference: array[()], 1065353216 ULP (1) apart\n"
          "  A  0.0\n"
          "  B  1.0\n"
          "\n"
          "array  1 of 1 element differs, at most 1065353216 ULP and 1 apart\n");
  EXPECT_EQ(Pair(zeros({2, 0}), zeros({0, 2})).diff().exit_code, 1);
}

TEST(Diff, OtherShapesAndTypesAreDifferences) {
  Pair(zeros({2, 3}), zeros({3, 2}, float64))
      .expect_different(
          "first difference: array: the shapes differ\n"
          "  A  (2, 3) float32\n"
          "  B  (3, 2) float64\n"
          "\n"
          "array  the shapes differ\n",
          {"--atol", "1"});
  for (const DType other : {float64, int64, boolean}) {
    const std::string type(name(other));
    Pair(zeros({2}), zeros({2}, other))
        .expect_different(
            "first difference: array: the types differ\n"
            "  A  (2,) float32\n"
            "  B  (2,) " +
            type + "\n\narray  the types differ\n");
  }
  EXPECT_EQ(Pair(zeros({2}), zeros({2}, int64)).diff({"--atol", "1"}).exit_code, 1);
}

TEST(Diff, BothFloatTypesAreComparedWithinATolerance) {
  const Pair pair(tensor({0.1, 0.3}, float64), tensor({0.1, std::nextafter(0.3F, 1.0F)}, float32));
  pair.expect_different(
      "first difference: array[1], 1 ULP (4.2e-08) apart\n"
      "  A  0.3\n"
      "  B  0.30000004\n"
      "\n"
      "array  1 of 2 elements differs, at most 1 ULP and 4.2e-08 apart\n",
      {"--atol", "1e-8"});
  pair.expect_equal({"--ulp", "1"});
  // 0.1 is not the float32 of it.
  EXPECT_EQ(pair.diff({"--rtol", "1e-12"}).out.substr(0, 26), "first difference: array[0]");
}

TEST(Diff, ReadsAnyLayoutOfAFile) {
  for (const std::string name : {"fortran", "big_endian"}) {
    SCOPED_TRACE(name);
    const TestFolder folder;
    // [[1, 2], [3, 4]] with its columns one after the other, or with the bytes of each number turned around.
    const bool is_fortran = name == "fortran";
    std::string header = std::string("{'descr': '") + (is_fortran ? "<f8" : ">f8") +
                         "', 'fortran_order': " + (is_fortran ? "True" : "False") + ", 'shape': (2, 2), }";
    header.resize(117, ' ');
    std::string bytes = std::string("\x93NUMPY\x01\x00", 8) + std::string("\x76\x00", 2) + header + "\n";
    for (const double number : {1.0, is_fortran ? 3.0 : 2.0, is_fortran ? 2.0 : 3.0, 4.0}) {
      std::string element(reinterpret_cast<const char*>(&number), sizeof(number));
      if (!is_fortran) std::reverse(element.begin(), element.end());
      bytes += element;
    }
    write_whole(folder / "a.npy", bytes);
    save_npy(folder / "b.npy", tensor({{1, 2}, {3, 4}}, float64));
    EXPECT_EQ(output_of({"diff", folder / "a.npy", folder / "b.npy"}), "1 array, equal to the bit\n");
  }
}

TEST(Diff, NeedsTwoNamesAndTolerancesFrom0On) {
  const std::string hint = "; wick diff --help tells the options";
  expect_refused({"diff"}, 2, "A is missing" + hint);
  expect_refused({"diff", "a"}, 2, "B is missing" + hint);
  expect_refused({"diff", "a", ""}, 2, "B is missing" + hint);
  expect_refused({"diff", "a", "b", "c"}, 2, "unexpected argument 'c'" + hint);
  for (const std::string option : {"rtol", "atol"}) {
    for (const std::string value : {"-1", "nan", "inf", "", "x", "-1e-300"}) {
      expect_refused({"diff", "a", "b", "--" + option, value}, 2,
                     "--" + option + " is '" + value + "', expected a finite number from 0 on, such as 1e-5");
    }
  }
  expect_refused({"diff", "a", "b", "--ulp", "-1"}, 2,
                 "--ulp is '-1', expected a whole number from 0 to 4294967295");
}

TEST(Diff, ADifferenceIsPrintedAlsoWhereNobodyReadsOn) {
  const TestFolder folder;
  save_npy(folder / "a.npy", zeros({1}));
  save_npy(folder / "b.npy", full({1}, 1));
  const std::vector<std::string> arguments{"diff", folder / "a.npy", folder / "b.npy"};
  EXPECT_EQ(run_wick(arguments, {.ignores_sigpipe = true, .out_is_closed_pipe = true}).exit_code, 1);
  const Outcome full_disk = run_wick(arguments, {.out_path = "/dev/full"});
  EXPECT_EQ(full_disk.exit_code, 1);
  EXPECT_EQ(full_disk.err, "wick: standard output: write failed: No space left on device\n");
}

TEST(Diff, FitsANarrowTerminal) {
  EXPECT_EQ(Pair(zeros({1}), full({1}, 1)).diff({}, 30).out,
            "first difference: array[0],\n"
            "1065353216 ULP (1) apart\n"
            "  A  0.0\n"
            "  B  1.0\n"
            "\n"
            "array  1 of 1 element differs,\n"
            "       at most 1065353216 ULP\n"
            "       and 1 apart\n");
}

}  // namespace
}  // namespace wick::tools
