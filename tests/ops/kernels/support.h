#pragma once

// What the kernel tests share: the walk over the instruction sets, memory that shows every step outside,
// comparison by bits.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <new>
#include <set>
#include <span>
#include <string>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <wick/ops/kernels/sets.h>

namespace wick::kernels {

using Scalars = ::testing::Types<float, double>;

template <typename T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <typename T>
constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <typename T>
constexpr T epsilon = std::numeric_limits<T>::epsilon();

/// Every set that this processor can run. Says once which ones it cannot.
inline std::vector<const KernelTable*> present_sets() {
  static bool said = false;
  std::vector<const KernelTable*> present;
  for (const KernelTable* table : built_sets()) {
    if (is_present(*table)) {
      present.push_back(table);
    } else if (!said) {
      std::cout << "not tested, for this processor lacks it: " << table->name << "\n";
    }
  }
  said = true;
  return present;
}

/// Whether the set's multiply-add rounds once.
inline bool is_fused(const KernelTable& table) {
  const std::string name = table.name;
  return name == "avx2" || name == "avx512";
}

template <typename T>
int lanes_of(const KernelTable& table) {
  const int lanes = table.lanes * static_cast<int>(sizeof(float)) / static_cast<int>(sizeof(T));
  return lanes < 1 ? 1 : lanes;
}

/// 0, 1, and one below, at and above once, twice and four times `around`.
inline std::vector<std::int64_t> sizes_around(std::int64_t around) {
  std::set<std::int64_t> sizes = {0, 1, 2, 3};
  for (const std::int64_t multiple : {around, 2 * around, 4 * around}) {
    for (const std::int64_t size : {multiple - 1, multiple, multiple + 1}) sizes.insert(size);
  }
  return {sizes.begin(), sizes.end()};
}

/// The same bits; NaN is NaN, whatever its sign and payload.
template <typename T>
::testing::AssertionResult same_bits(std::span<const T> a, std::span<const T> b) {
  if (a.size() != b.size())
    return ::testing::AssertionFailure() << "sizes " << a.size() << " and " << b.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != a[i] && b[i] != b[i]) continue;
    if (std::memcmp(&a[i], &b[i], sizeof(T)) != 0) {
      return ::testing::AssertionFailure()
             << std::hexfloat << "element " << i << " of " << a.size() << ": " << a[i] << " and " << b[i];
    }
  }
  return ::testing::AssertionSuccess();
}

template <typename T>
::testing::AssertionResult same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return same_bits(std::span<const T>(a), std::span<const T>(b));
}

/// Where a Guarded array stands in its pages.
enum class Against { end, begin };

/// An array with a forbidden page right behind its last element (or before its first): one step outside ends
/// the test program. On the other side, where the page goes on, a ring of NaN spoils what is read and shows
/// what is written. The array is full of NaN at first. Its alignment is the element's own, and changes with
/// its size.
///
/// QEMU 7.2 lets a masked AVX2 load touch lanes that its mask leaves out, which no processor does. There
/// WICK_TESTS_OPEN_PAGES=1 opens the forbidden pages, and the ring goes all round.
template <typename T>
class Guarded {
 public:
  explicit Guarded(std::int64_t n, Against against = Against::end) : n_(static_cast<std::size_t>(n)) {
    static const bool open_pages = std::getenv("WICK_TESTS_OPEN_PAGES") != nullptr;
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inside = (n_ * sizeof(T) / page + 2) * page;
    size_ = inside + 2 * page;
    void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<unsigned char*>(memory);
    std::memset(memory_, ring, size_);
    data_ = reinterpret_cast<T*>(memory_ + page + (against == Against::end ? inside - n_ * sizeof(T) : 0));
    before_ = {reinterpret_cast<unsigned char*>(data_) - ring_size, ring_size};
    behind_ = {reinterpret_cast<unsigned char*>(data_ + n_), ring_size};
    if (open_pages) return;
    (against == Against::end ? behind_ : before_) = {};
    for (unsigned char* forbidden : {memory_, memory_ + page + inside}) {
      if (mprotect(forbidden, page, PROT_NONE) != 0) throw std::bad_alloc();
    }
  }
  Guarded(const std::vector<T>& values, Against against = Against::end)
      : Guarded(static_cast<std::int64_t>(values.size()), against) {
    if (n_ > 0) std::memcpy(data_, values.data(), n_ * sizeof(T));
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { munmap(memory_, size_); }

  T* data() { return data_; }
  T& operator[](std::int64_t i) { return data_[i]; }
  std::span<const T> values() const { return {data_, n_}; }

  bool is_ring_whole() const {
    for (const auto side : {before_, behind_}) {
      for (const unsigned char byte : side) {
        if (byte != ring) return false;
      }
    }
    return true;
  }

 private:
  static constexpr unsigned char ring = 0xff;  // as float and as double: NaN
  static constexpr std::size_t ring_size = 512;

  std::size_t n_;
  std::size_t size_;
  unsigned char* memory_;
  T* data_;
  std::span<const unsigned char> before_, behind_;
};

/// Numbers for tests: a small generator of its own, so that they are the same everywhere.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}

  /// SplitMix64 (Steele, Lea & Flood, 2014).
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n));
  }

  template <typename T>
  std::vector<T> vector(std::int64_t n, double low = -2, double high = 2) {
    std::vector<T> values(static_cast<std::size_t>(n));
    for (T& value : values) value = static_cast<T>(between(low, high));
    return values;
  }

  /// A permutation of 0 … n-1 (Fisher & Yates).
  std::vector<std::int64_t> permutation(std::int64_t n) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = i;
    for (std::int64_t i = n - 1; i > 0; --i) {
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(below(i + 1))]);
    }
    return order;
  }

 private:
  std::uint64_t state_;
};

/// |got - expected| in units of the last place of `expected`.
template <typename T>
double ulps(T got, long double expected) {
  const T rounded = static_cast<T>(expected);
  const int exponent = std::ilogb(rounded);
  const long double unit = std::ldexp(1.0L, exponent - (std::numeric_limits<T>::digits - 1));
  return static_cast<double>(std::fabs(static_cast<long double>(got) - expected) / unit);
}

}  // namespace wick::kernels
