// Which set runs, and who says so. WICK_ISA is read once by a process, so its tests run the wick command.

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/instruction_set.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

std::string present() {
  std::string names;
  for (const std::string& name : present_instruction_sets()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

TEST(InstructionSet, ListsFromThePlainestToTheWidest) {
  const std::vector<std::string> all = {"scalar", "sse2", "avx2", "avx512"};
  const std::vector<std::string> names = present_instruction_sets();
  EXPECT_EQ(names.front(), "scalar");
  auto place = all.begin();
  for (const std::string& name : names) {
    place = std::find(place, all.end(), name);
    ASSERT_NE(place, all.end()) << name << " is unknown, or out of order";
  }
#ifdef __x86_64__
  EXPECT_EQ(names.at(1), "sse2");
#endif
}

TEST(InstructionSet, IsTheOneAskedFor) {
  const std::string before(instruction_set());
  for (const std::string& name : present_instruction_sets()) {
    use_instruction_set(name);
    EXPECT_EQ(instruction_set(), name);
    EXPECT_STREQ(active_kernels().name, name.c_str());
  }
  use_instruction_set(before);
}

TEST(InstructionSet, HoldsOnEveryThread) {
  on_every_set([] {
    const std::string_view mine = instruction_set();
    std::thread([=] { EXPECT_EQ(instruction_set(), mine); }).join();
  });
}

TEST(InstructionSet, RefusesAnUnknownOneAndKeepsTheOld) {
  const std::string before(instruction_set());
  for (const std::string name : {"nonsense", "AVX2", "avx", "avx2 ", ""}) {
    EXPECT_EQ(error_of<ValueError>([&] { use_instruction_set(name); }),
              "instruction set '" + name + "': no such instruction set; there are " + present());
    EXPECT_EQ(instruction_set(), before);
  }
}

TEST(InstructionSet, RefusesOneThatTheMachineLacks) {
  const std::vector<std::string> names = present_instruction_sets();
  for (const std::string name : {"avx2", "avx512"}) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string error = error_of<ValueError>([&] { use_instruction_set(name); });
    EXPECT_NE(error.find("; there are " + present()), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace wick
