// What no op may take, whichever op it is: undefined tensors, and elements that are not floats.

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

struct Unary {
  std::string op;
  std::string input;
  std::function<Tensor(const Tensor&)> call;
};

struct Binary {
  std::string op;
  std::function<Tensor(const Tensor&, const Tensor&)> call;
};

std::vector<Unary> floating_unary() {
  return {{"softmax", "x", [](const Tensor& x) { return softmax(x); }},
          {"scale", "x", [](const Tensor& x) { return scale(x, 2); }},
          {"sum", "x", [](const Tensor& x) { return sum(x); }},
          {"sum", "x", [](const Tensor& x) { return sum(x, 0); }},
          {"sum", "x", [](const Tensor& x) { return sum(x, Dimensions{}); }},
          {"argmax", "x", [](const Tensor& x) { return argmax(x); }},
          {"mask", "scores",
           [](const Tensor& x) {
             return mask(x, full({2, 2}, 1, boolean));
           }},
          {"causal_mask", "scores", [](const Tensor& x) { return causal_mask(x); }},
          {"embedding", "table", [](const Tensor& x) { return embedding(x, arange(2)); }}};
}

std::vector<Unary> views() {
  return {{"transpose", "x", [](const Tensor& x) { return transpose(x); }},
          {"transpose", "x", [](const Tensor& x) { return transpose(x, Dimensions{}); }},
          {"reshape", "x", [](const Tensor& x) { return reshape(x, {0}); }},
          {"reshape", "x", [](const Tensor& x) { return reshape(x, {}); }},
          {"slice", "x", [](const Tensor& x) { return slice(x, 0, 0, 0); }},
          {"expand", "x", [](const Tensor& x) { return expand(x, {}); }},
          {"expand", "x", [](const Tensor& x) {
             return expand(x, {2, 2});
           }}};
}

std::vector<Binary> binary() {
  return {{"add", add}, {"subtract", subtract}, {"mul", mul}, {"divide", divide}, {"matmul", matmul}};
}

TEST(Inputs, UndefinedTensorsAreTypeErrors) {
  for (const Unary& one : floating_unary()) {
    EXPECT_EQ(error_of<TypeError>([&] { one.call(Tensor()); }),
              one.op + ": " + one.input + " is an undefined tensor, expected float32 or float64");
  }
  for (const Unary& one : views()) {
    EXPECT_EQ(error_of<TypeError>([&] { one.call(Tensor()); }),
              one.op + ": " + one.input + " is an undefined tensor");
  }
  for (const Binary& one : binary()) {
    for (const Tensor& other : {ones({2, 2}), Tensor()}) {
      EXPECT_EQ(error_of<TypeError>([&] { one.call(Tensor(), other); }),
                one.op + ": the first input is an undefined tensor, expected float32 or float64");
    }
    EXPECT_EQ(error_of<TypeError>([&] {
                one.call(ones({2, 2}), Tensor());
              }),
              one.op + ": the second input is an undefined tensor, expected float32 or float64");
  }
  EXPECT_EQ(error_of<TypeError>([] {
              embedding(ones({2, 2}), Tensor());
            }),
            "embedding: ids is an undefined tensor, expected int64");
  EXPECT_EQ(error_of<TypeError>([] {
              mask(ones({2, 2}), Tensor());
            }),
            "mask: blocked is an undefined tensor, expected boolean");
}

TEST(Inputs, OperatorsOnUndefinedTensorsAreTypeErrors) {
  const Tensor none;
  const std::vector<std::function<Tensor()>> calls = {
      [&] { return none + 1; },    [&] { return 1 + none; },    [&] { return none - 1; },
      [&] { return 1 - none; },    [&] { return none * 2; },    [&] { return 2 * none; },
      [&] { return none / 2; },    [&] { return 2 / none; },    [&] { return -none; },
      [&] { return none + none; }, [&] { return none - none; }, [&] { return none * none; },
      [&] { return none / none; }};
  for (const auto& call : calls) {
    EXPECT_NE(error_of<TypeError>(call).find("is an undefined tensor, expected float32 or float64"),
              std::string::npos);
  }
}

TEST(Inputs, WholeNumbersAndBooleansAreTypeErrors) {
  for (const DType dtype : {int64, boolean}) {
    const std::string type(name(dtype));
    const Tensor x = ones({2, 2}, dtype);
    for (const Unary& one : floating_unary()) {
      EXPECT_EQ(error_of<TypeError>([&] { one.call(x); }),
                one.op + ": " + one.input + " is " + type + ", expected float32 or float64");
    }
    for (const Binary& one : binary()) {
      EXPECT_EQ(error_of<TypeError>([&] {
                  one.call(x, ones({2, 2}));
                }),
                one.op + ": the first input is " + type + ", expected float32 or float64");
      EXPECT_EQ(error_of<TypeError>([&] {
                  one.call(ones({2, 2}), x);
                }),
                one.op + ": the second input is " + type + ", expected float32 or float64");
    }
  }
}

TEST(Inputs, MixedFloatsAreTypeErrors) {
  const Tensor narrow = ones({2, 2}, float32);
  const Tensor wide = ones({2, 2}, float64);
  for (const Binary& one : binary()) {
    EXPECT_EQ(error_of<TypeError>([&] { one.call(narrow, wide); }),
              one.op + ": float32 and float64: one type is needed; to() converts");
    EXPECT_EQ(error_of<TypeError>([&] { one.call(wide, narrow); }),
              one.op + ": float64 and float32: one type is needed; to() converts");
  }
}

TEST(Inputs, IdsAreInt64AndMasksAreBoolean) {
  for (const DType dtype : {float32, float64, boolean}) {
    EXPECT_EQ(error_of<TypeError>([&] {
                embedding(ones({2, 2}), zeros({2}, dtype));
              }),
              "embedding: ids is " + std::string(name(dtype)) + ", expected int64");
  }
  for (const DType dtype : {float32, float64, int64}) {
    EXPECT_EQ(error_of<TypeError>([&] {
                mask(ones({2, 2}), zeros({2, 2}, dtype));
              }),
              "mask: blocked is " + std::string(name(dtype)) + ", expected boolean");
  }
}

TEST(Inputs, ARefusedCallAllocatesNothing) {
  const Tensor x = ones({64, 64});
  const Tensor narrow = slice(x, 1, 0, 63);
  const Tensor ids = full({64, 64}, 64, int64);
  const Tensor blocked = full({63}, 1, boolean);
  const auto expect_refused = [](const std::string& op, auto call) {
    EXPECT_EQ(bytes_taken([&] { EXPECT_THROW(call(), Error) << op; }), 0) << op;
  };
  expect_refused("matmul", [&] { matmul(narrow, x); });
  expect_refused("add", [&] { add(x, narrow); });
  expect_refused("mask", [&] { mask(x, blocked); });
  expect_refused("causal_mask", [&] { causal_mask(narrow); });
  expect_refused("softmax", [&] { softmax(narrow, 2); });
  expect_refused("sum", [&] { sum(narrow, {0, -2}); });
  expect_refused("argmax", [&] { argmax(narrow, 2); });
  expect_refused("embedding", [&] { embedding(narrow, ids); });
  expect_refused("reshape", [&] { reshape(narrow, {64, 64}); });
  expect_refused("expand", [&] { expand(narrow, {64}); });
}

}  // namespace
}  // namespace wick
