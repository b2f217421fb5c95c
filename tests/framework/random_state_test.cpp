// Where streams stand: read, written, and the same as NumPy's.

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "errors.h"
#include "random_streams.h"
#include <wick/framework/error.h>

namespace wick {
namespace {

RngState state_of(const nlohmann::json& one) {
  RngState state{one.at("generator"), {}};
  for (const std::string word : one.at("words")) state.words.push_back(std::stoull(word));
  return state;
}

// One draw as a golden's letter says.
double draw(Rng& rng, char call) {
  switch (call) {
    case 'n':
      return rng.standard_normal();
    case 'i':
      return static_cast<double>(rng.integers(0, 24));
    case 'u':
      return rng.random();
    default:
      return static_cast<double>(rng.integers(0, kWide));
  }
}

std::vector<double> draws(Rng& rng, const std::string& calls) {
  std::vector<double> numbers;
  for (const char call : calls) numbers.push_back(draw(rng, call));
  return numbers;
}

// What the golden's stream gives next; the calls stand in generate_rng_states.py.
void expect_to_go_on(Rng& rng, const nlohmann::json& one) {
  std::vector<double> expected;
  for (const nlohmann::json& number : one.at("then")) {
    expected.push_back(number.is_string() ? parsed(number) : number.get<double>());
  }
  EXPECT_EQ(draws(rng, "inuwniiunn"), expected);
}

std::unique_ptr<Rng> started(const nlohmann::json& one) {
  const std::uint64_t seed = one.at("seed");
  return one.at("generator") == "PCG64" ? default_rng(seed) : random_state(seed);
}

template <typename Check>
void for_each_state(Check check) {
  const nlohmann::json cases = golden("rng_states.json");
  ASSERT_GE(cases.size(), 20U);
  for (const nlohmann::json& one : cases) {
    SCOPED_TRACE(one.at("generator").get<std::string>() + " after " + one.at("calls").get<std::string>());
    check(one);
  }
}

TEST(RngState, IsNumPys) {
  for_each_state([](const nlohmann::json& one) {
    const std::unique_ptr<Rng> rng = started(one);
    draws(*rng, one.at("calls"));
    EXPECT_EQ(rng->state(), state_of(one));
    expect_to_go_on(*rng, one);
  });
}

TEST(RngState, IsWhereAStreamGoesOn) {
  for_each_state([](const nlohmann::json& one) {
    const std::unique_ptr<Rng> rng = rng_from(state_of(one));
    EXPECT_EQ(rng->state(), state_of(one));
    expect_to_go_on(*rng, one);

    // Nothing of what the stream was before is left over.
    const std::unique_ptr<Rng> other = started(one);
    other->integers(0, 24);
    other->standard_normal();
    other->set_state(state_of(one));
    EXPECT_EQ(other->state(), state_of(one));
    expect_to_go_on(*other, one);
  });
}

// NumPy keeps saying what it has given out.
TEST(RngState, ReadsNoLeftoversThatAreNone) {
  RngState pcg = default_rng(42)->state();
  pcg.words[5] = 77;
  EXPECT_EQ(rng_from(pcg)->state(), default_rng(42)->state());
  RngState mt = random_state(42)->state();
  mt.words[626] = 0x7ff8000000000000;
  EXPECT_EQ(rng_from(mt)->state(), random_state(42)->state());
}

TEST(RngState, RefusesWhatItCannotBe) {
  const RngState pcg = default_rng(42)->state();
  const RngState mt = random_state(42)->state();
  const auto refusal = [](RngState state, std::size_t word, std::uint64_t value) {
    state.words.at(word) = value;
    const std::unique_ptr<Rng> rng = state.generator == "PCG64" ? default_rng(1) : random_state(1);
    const RngState before = rng->state();
    const std::string message = error_of<ValueError>([&] { rng->set_state(state); });
    EXPECT_EQ(rng->state(), before);
    return message;
  };
  EXPECT_EQ(refusal(pcg, 3, 4), "the state of PCG64 has an even increment");
  EXPECT_EQ(refusal(pcg, 4, 2),
            "the state of PCG64 has has_uint32 2 and uinteger 0, expected 0 or 1, and 32 bits");
  EXPECT_EQ(refusal(pcg, 5, std::uint64_t{1} << 32),
            "the state of PCG64 has has_uint32 0 and uinteger 4294967296, expected 0 or 1, and 32 bits");
  EXPECT_EQ(refusal(mt, 623, std::uint64_t{1} << 32),
            "the state of MT19937 has key[623] 4294967296, expected 32 bits");
  EXPECT_EQ(refusal(mt, 624, 625), "the state of MT19937 has pos 625, expected 0 to 624");
  EXPECT_EQ(refusal(mt, 625, 2),
            "the state of MT19937 has has_gauss 2 and a gauss of the bits 0, expected 0, or 1 and a finite "
            "number");

  RngState infinite = mt;
  infinite.words[625] = 1;
  infinite.words[626] = 0x7ff0000000000000;
  EXPECT_EQ(
      error_of<ValueError>([&] { rng_from(infinite); }),
      "the state of MT19937 has has_gauss 1 and a gauss of the bits 9218868437227405312, expected 0, or "
      "1 and a finite number");
  RngState cut = pcg;
  cut.words.pop_back();
  EXPECT_EQ(error_of<ValueError>([&] { rng_from(cut); }), "the state of PCG64 has 5 words, expected 6");
  EXPECT_EQ(error_of<ValueError>([&] {
              rng_from({"MT19937", {}});
            }),
            "the state of MT19937 has 0 words, expected 627");
  EXPECT_EQ(error_of<ValueError>([&] { default_rng(1)->set_state(mt); }),
            "the state is of MT19937, expected PCG64");
  EXPECT_EQ(error_of<ValueError>([&] { random_state(1)->set_state(pcg); }),
            "the state is of PCG64, expected MT19937");
  EXPECT_EQ(error_of<ValueError>([&] {
              rng_from({"Philox\n", {}});
            }),
            "the state is of Philox\\n, expected PCG64 or MT19937");
}

}  // namespace
}  // namespace wick
