#include <array>
#include <bit>
#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>

#include <wick/framework/error.h>
#include <wick/framework/npy_elements.h>
#include <wick/framework/text.h>

namespace wick {
namespace {

// A float of 16 bits: sign, 5 of exponent, 10 of fraction.
struct Half {
  std::uint16_t bits;
};

template <std::size_t Bytes>
using Bits =
    std::conditional_t<Bytes == 1, std::uint8_t,
                       std::conditional_t<Bytes == 2, std::uint16_t,
                                          std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

std::uint8_t swapped(std::uint8_t bits) { return bits; }
std::uint16_t swapped(std::uint16_t bits) { return __builtin_bswap16(bits); }
std::uint32_t swapped(std::uint32_t bits) { return __builtin_bswap32(bits); }
std::uint64_t swapped(std::uint64_t bits) { return __builtin_bswap64(bits); }

// Exact for all 65536 of them, NaNs with their payloads.
std::uint32_t widened(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U;
  const std::uint32_t exponent = (half >> 10U) & 0x1fU;
  const std::uint32_t fraction = half & 0x3ffU;
  if (exponent == 0) return sign | std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24F);
  const std::uint32_t wide_exponent = exponent == 0x1f ? 0xff : exponent + 127 - 15;
  return sign | wide_exponent << 23U | fraction << 13U;
}

template <typename Raw>
using Target = std::conditional_t<
    std::is_same_v<Raw, Half>, float,
    std::conditional_t<std::integral<Raw> && !std::is_same_v<Raw, bool>, std::int64_t, Raw>>;

template <typename Raw, bool kSwapped>
void decode(std::span<const std::byte> bytes, Tensor& tensor, std::int64_t first, const std::string& name) {
  using To = Target<Raw>;
  To* out = tensor.mutable_data<To>() + first;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Raw), ++out, ++first) {
    Bits<sizeof(Raw)> bits;
    std::memcpy(&bits, bytes.data() + at, sizeof(bits));
    if constexpr (kSwapped) bits = swapped(bits);
    if constexpr (std::is_same_v<Raw, bool>) {
      *out = bits != 0;  // never as a bool of its own, which may only be 0 or 1
    } else if constexpr (std::is_same_v<Raw, Half>) {
      *out = std::bit_cast<float>(widened(bits));
    } else if constexpr (std::is_same_v<Raw, std::uint64_t>) {
      if (bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        throw FormatError(name + ": element " + std::to_string(first) + " is " + std::to_string(bits) +
                          ", more than int64 holds");
      }
      *out = static_cast<std::int64_t>(bits);
    } else {
      *out = To{std::bit_cast<Raw>(bits)};
    }
  }
}

struct Row {
  std::string_view type;
  NpyElements native;
  NpyElements swapped;
};

template <typename Raw>
constexpr Row row(std::string_view type) {
  constexpr DType dtype = dtype_of<Target<Raw>>;
  return {type, {dtype, sizeof(Raw), decode<Raw, false>}, {dtype, sizeof(Raw), decode<Raw, true>}};
}

constexpr std::array kRows{row<Half>("f2"),          row<float>("f4"),         row<double>("f8"),
                           row<std::int8_t>("i1"),   row<std::int16_t>("i2"),  row<std::int32_t>("i4"),
                           row<std::int64_t>("i8"),  row<std::uint8_t>("u1"),  row<std::uint16_t>("u2"),
                           row<std::uint32_t>("u4"), row<std::uint64_t>("u8"), row<bool>("b1")};

}  // namespace

NpyElements npy_elements(std::string_view descr, const std::string& name) {
  constexpr bool kLittle = std::endian::native == std::endian::little;
  std::string_view type = descr;
  bool is_swapped = false;
  if (!type.empty() && std::string_view("<>=|").find(type.front()) != std::string_view::npos) {
    is_swapped = type.front() == (kLittle ? '>' : '<');
    type.remove_prefix(1);
  }
  for (const Row& row : kRows) {
    if (row.type == type) return is_swapped ? row.swapped : row.native;
  }
  throw FormatError(name + ": header: descr is '" + escaped(descr.substr(0, 40)) + "', expected one of " +
                    std::string(kNpyTypes));
}

}  // namespace wick
