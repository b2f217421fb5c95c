#include <algorithm>
#include <array>
#include <numeric>
#include <type_traits>

#include <gtest/gtest.h>

#include "errors.h"
#include "random_streams.h"
#include <wick/framework/error.h>
#include <wick/framework/random/mt19937.h>
#include <wick/framework/random/pcg64.h>
#include <wick/framework/random/seed_sequence.h>
#include <wick/framework/tensor.h>

namespace wick {
namespace {

// ---- what the goldens leave open: NumPy 1.24.2 gave these numbers

TEST(SeedSequence, UsesBothHalvesOfTheSeed) {
  EXPECT_EQ(seed_sequence(0), (std::array<std::uint64_t, 4>{0xdb2cd7e7b0f478beU, 0xabf4641a2c71ba49U,
                                                            0x20c6ed6d9d7b8d41U, 0x2c4099de223c39d4U}));
  EXPECT_EQ(seed_sequence(std::numeric_limits<std::uint64_t>::max()),
            (std::array<std::uint64_t, 4>{0xaebca151928cad0dU, 0x119c30448638dc7aU, 0x1bbb155659e642a7U,
                                          0xa76b11e3e8c4a8f6U}));
}

struct Interval {
  std::int64_t low;
  std::int64_t high;  // included
  Integers numbers;
};

// Widths at which the bits per draw or the way of refusing change; three draws each, from one stream.
TEST(DefaultRng, IntegersOfEveryWidth) {
  auto rng = default_rng(7);
  for (const Interval& interval : std::vector<Interval>{
           {0, 1, {1, 1, 1}},
           {0, 2, {2, 1, 2}},
           {-1, 2, {2, -1, -1}},
           {0, 65536, {19671, 18682, 57250}},
           {0, 2147483647, {1959843384, 11307155, 1073283950}},
           {0, 2147483648, {255728784, 1004882659, 1753345572}},
           {0, 3221225471, {976135771, 1100381667, 896871673}},
           {0, 4294967294, {3090104047, 1094656542, 4253992337}},
           {-7, 4294967288, {1911588170, 2053633815, 2167018264}},
           {0, 4294967296, {2377253026, 4275641161, 3404457020}},
           {0, 8589934592, {5344478886, 8495102983, 1849487635}},
           {0, 4611686018427387904, {738847596526037320, 2824840328758981339, 202646743737136902}},
           {0, kHighest, {329092485507570181, 4749011146980101826, 4299991617398481407}},
           {-1, kHighest, {4741898325299542297, 4582848549864415937, 108780685390700096}},
           {kLowest, 4611686018427387904, {-6561477204857244483, 350932531665514141, -6447966364214731017}},
           {kLowest, 9223372036854775806, {-2406630289233025247, -9154487429410845378, 6088306003761642088}},
           {kLowest, kHighest, {-6374068005165888539, -4287036151263968483, 7015889907487041259}},
           {0, 99, {18, 50, 93}},
       }) {
    EXPECT_EQ(drawn(3, [&] { return rng->integers_closed(interval.low, interval.high); }), interval.numbers)
        << interval.low << " to " << interval.high;
  }
}

TEST(RandomState, IntegersOfEveryWidth) {
  auto rng = random_state(7);
  for (const Interval& interval : std::vector<Interval>{
           {0, 1, {1, 0, 1}},
           {0, 2, {2, 0, 1}},
           {-1, 2, {1, 2, -1}},
           {0, 65536, {53593, 27354, 45960}},
           {0, 2147483647, {2146978983, 119248870, 769786948}},
           {0, 2147483648, {1420943751, 1636129708, 1687674368}},
           {0, 3221225471, {283194443, 2896227127, 1237575930}},
           {0, 4294967294, {2887580678, 3906674451, 2980842940}},
           {-7, 4294967288, {916483109, 1485942456, 1941857598}},
           {0, 4294967296, {3999499416, 2579337979, 989143352}},
           {0, 8589934592, {6650713550, 6303950528, 879820150}},
           {0, 4611686018427387904, {2097458808293202524, 3312609029759931127, 2632640818479572629}},
           {0, kHighest, {1540452505839567779, 871334246082202179, 5722350523748406491}},
           {-1, kHighest, {5215258396895171602, 7993751984323010592, 7724707431925273885}},
           {kLowest, 4611686018427387904, {-2890510714987219073, -3683093887986912126, 72959551886593970}},
           {kLowest, 9223372036854775806, {2273668630239950869, 2895628156769480259, -4443160798554622022}},
           {kLowest, kHighest, {-1748768644061625584, 3085416596452049245, -1116003839584313623}},
           {0, 99, {9, 76, 67}},
       }) {
    EXPECT_EQ(drawn(3, [&] { return rng->integers_closed(interval.low, interval.high); }), interval.numbers)
        << interval.low << " to " << interval.high;
  }
}

TEST(BothStreams, PermutationsOfEverySize) {
  EXPECT_EQ(sha256(default_rng(7)->permutation(100'000)),
            "77b25ab0a1454ef1dab8dd03a8bb4fbf09af55d7fd94dd2abd58f6d3d77bfc1a");
  EXPECT_EQ(sha256(random_state(7)->permutation(100'000)),
            "bcd2a4ccad5958b35354ff5f593f5a14f1f427e3400c4a09d969df7aa6b8c1a3");
  for (const std::string stream : {"default_rng", "RandomState"}) {
    SCOPED_TRACE(stream);
    auto rng = maker(stream, 7)();
    EXPECT_EQ(rng->permutation(0), Integers{});
    EXPECT_EQ(rng->permutation(1), Integers{0});
    EXPECT_EQ(rng->random(), maker(stream, 7)()->random()) << "nothing to draw for 0 and 1";
    for (std::int64_t n = 2; n < 70; ++n) {
      Integers order = rng->permutation(n);
      std::sort(order.begin(), order.end());
      Integers counted(static_cast<std::size_t>(n));
      std::iota(counted.begin(), counted.end(), std::int64_t{0});
      EXPECT_EQ(order, counted);
    }
  }
}

TEST(BothStreams, OneChoiceDrawsNothing) {
  for (const std::string stream : {"default_rng", "RandomState"}) {
    SCOPED_TRACE(stream);
    auto rng = maker(stream, 7)();
    EXPECT_EQ(rng->integers(5, 6), 5);
    EXPECT_EQ(rng->integers_closed(kLowest, kLowest), kLowest);
    EXPECT_EQ(rng->integers_closed(kHighest, kHighest), kHighest);
    EXPECT_EQ(rng->integers(0, 1'000'000), maker(stream, 7)()->integers(0, 1'000'000));
  }
}

TEST(BothStreams, EndsAreReachedAndNotPassed) {
  for (const std::string stream : {"default_rng", "RandomState"}) {
    SCOPED_TRACE(stream);
    auto rng = maker(stream, 7)();
    const Integers numbers = drawn(1000, [&] { return rng->integers(-2, 3); });
    EXPECT_EQ(*std::min_element(numbers.begin(), numbers.end()), -2);
    EXPECT_EQ(*std::max_element(numbers.begin(), numbers.end()), 2);
  }
}

// ---- tensors

TEST(BothStreams, ATensorIsTheSameDraws) {
  for (const std::string stream : {"default_rng", "RandomState"}) {
    SCOPED_TRACE(stream);
    const Maker fresh = maker(stream, 42);
    auto one_by_one = fresh();
    auto rng = fresh();

    const Tensor normals = rng->standard_normal({2, 3, 5}, float64);
    EXPECT_EQ(normals.shape(), (Shape{2, 3, 5}));
    EXPECT_EQ(normals.to_vector<double>(), drawn(30, [&] { return one_by_one->standard_normal(); }));
    const Tensor uniforms = rng->random({7}, float64);
    EXPECT_EQ(uniforms.to_vector<double>(), drawn(7, [&] { return one_by_one->random(); }));
    const Tensor integers = rng->integers(-3, 24, {4, 2});
    EXPECT_EQ(integers.dtype(), int64);
    EXPECT_EQ(integers.shape(), (Shape{4, 2}));
    EXPECT_EQ(integers.to_vector<std::int64_t>(), drawn(8, [&] { return one_by_one->integers(-3, 24); }));
    EXPECT_EQ(rng->standard_normal(), one_by_one->standard_normal());
  }
}

TEST(BothStreams, Float32IsFloat64Rounded) {
  for (const std::string stream : {"default_rng", "RandomState"}) {
    SCOPED_TRACE(stream);
    const Maker fresh = maker(stream, 42);
    auto wide = fresh();
    auto narrow = fresh();
    const Tensor normals = narrow->standard_normal({5, 3});
    EXPECT_EQ(normals.dtype(), float32);
    EXPECT_EQ(normals.to_vector<float>(),
              drawn(15, [&] { return static_cast<float>(wide->standard_normal()); }));
    const Tensor uniforms = narrow->random({5, 3});
    EXPECT_EQ(uniforms.dtype(), float32);
    EXPECT_EQ(uniforms.to_vector<float>(), drawn(15, [&] { return static_cast<float>(wide->random()); }));
    EXPECT_EQ(narrow->random(), wide->random());
  }
}

TEST(BothStreams, AnEmptyTensorDrawsNothing) {
  for (const std::string stream : {"default_rng", "RandomState"}) {
    SCOPED_TRACE(stream);
    auto rng = maker(stream, 42)();
    EXPECT_EQ(rng->standard_normal({0, 3}).numel(), 0);
    EXPECT_EQ(rng->random({3, 0}).numel(), 0);
    EXPECT_EQ(rng->integers(0, 24, {0}).numel(), 0);
    EXPECT_EQ(rng->standard_normal(Shape{}, float64).item(), maker(stream, 42)()->standard_normal());
  }
}

// ---- copies

// Both kinds of leftovers, half of a draw and the second normal, must come along.
template <typename Stream>
void expect_copy_goes_on_alike() {
  Stream original(42);
  original.standard_normal();
  original.integers(0, 24);
  Stream copy = original;
  Stream assigned(1);
  assigned = original;
  for (int i = 0; i < 700; ++i) {
    const double normal = original.standard_normal();
    const std::int64_t integer = original.integers(0, 24);
    ASSERT_EQ(copy.standard_normal(), normal);
    ASSERT_EQ(copy.integers(0, 24), integer);
    ASSERT_EQ(assigned.standard_normal(), normal);
    ASSERT_EQ(assigned.integers(0, 24), integer);
  }
}

TEST(DefaultRng, ACopyGoesOnAlike) { expect_copy_goes_on_alike<Pcg64Rng>(); }
TEST(RandomState, ACopyGoesOnAlike) { expect_copy_goes_on_alike<Mt19937Rng>(); }

static_assert(!std::is_copy_constructible_v<Rng> && !std::is_copy_assignable_v<Rng>,
              "a copied Rng would be sliced");

// ---- errors

template <typename Expected>
std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Expected& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(BothStreams, Errors) {
  for (const std::string stream : {"default_rng", "RandomState"}) {
    SCOPED_TRACE(stream);
    auto rng = maker(stream, 42)();
    EXPECT_EQ(message_of<ValueError>([&] { rng->integers(5, 5); }),
              "integers: low is 5, expected below high, which is 5");
    EXPECT_EQ(message_of<ValueError>([&] { rng->integers(kHighest, kLowest); }),
              "integers: low is 9223372036854775807, expected below high, which is -9223372036854775808");
    EXPECT_EQ(message_of<ValueError>([&] { rng->integers(5, -5, {0}); }),
              "integers: low is 5, expected below high, which is -5");
    EXPECT_EQ(message_of<ValueError>([&] { rng->integers_closed(5, 4); }),
              "integers_closed: low is 5, expected at most high, which is 4");
    EXPECT_EQ(message_of<ValueError>([&] { rng->permutation(-1); }),
              "permutation: n is -1, expected 0 or more");
    EXPECT_EQ(message_of<TypeError>([&] { rng->standard_normal({2}, int64); }),
              "standard_normal: dtype is int64, expected float32 or float64");
    EXPECT_EQ(message_of<TypeError>([&] { rng->random({2}, boolean); }),
              "random: dtype is boolean, expected float32 or float64");
    EXPECT_EQ(rng->standard_normal(), maker(stream, 42)()->standard_normal()) << "an error draws nothing";
  }
}

TEST(RandomState, RefusesSeedsBeyond32Bits) {
  EXPECT_EQ(message_of<ValueError>([] { random_state(std::uint64_t{1} << 32); }),
            "random_state: seed is 4294967296, expected 0 to 4294967295");
  EXPECT_EQ(message_of<ValueError>([] { random_state(static_cast<std::uint64_t>(-1)); }),
            "random_state: seed is 18446744073709551615, expected 0 to 4294967295");
}

}  // namespace
}  // namespace wick
