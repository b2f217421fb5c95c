#include <cstring>
#include <set>
#include <string>

#include "support.h"

namespace wick::kernels {
namespace {

TEST(Sets, StartWithScalarAndGrowWider) {
  const auto sets = built_sets();
  ASSERT_FALSE(sets.empty());
  EXPECT_STREQ(sets[0]->name, "scalar");
  EXPECT_TRUE(is_present(*sets[0]));
  std::set<std::string> names;
  int lanes = 0;
  for (const KernelTable* table : sets) {
    EXPECT_TRUE(names.insert(table->name).second) << table->name << " is listed twice";
    EXPECT_GT(table->lanes, lanes) << table->name;
    lanes = table->lanes;
  }
#ifdef __x86_64__
  EXPECT_EQ(names, (std::set<std::string>{"scalar", "sse2", "avx2", "avx512"}));
#endif
}

// A kernel left out of a table would be a null pointer, and found only where it is called.
template <typename T>
void expect_complete(const KernelTable& table) {
  void* pointers[sizeof(Kernels<T>) / sizeof(void*)];
  static_assert(sizeof(pointers) == sizeof(Kernels<T>));
  std::memcpy(pointers, &table.in<T>(), sizeof(pointers));
  for (std::size_t i = 0; i < std::size(pointers); ++i)
    EXPECT_NE(pointers[i], nullptr) << table.name << " " << i;
}

TEST(Sets, HaveEveryKernel) {
  for (const KernelTable* table : built_sets()) {
    expect_complete<float>(*table);
    expect_complete<double>(*table);
  }
}

TEST(Sets, NameThoseThatAreAbsent) {
  for (const KernelTable* table : present_sets()) std::cout << "tested: " << table->name << "\n";
}

TEST(Sets, UnknownTableIsNotPresent) {
  KernelTable unknown = *built_sets()[0];
  unknown.name = "unknown";
  EXPECT_FALSE(is_present(unknown));
}

}  // namespace
}  // namespace wick::kernels
