#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/framework/npy.h>
#include <wick/tests/framework/bytes.h>
#include <wick/tests/framework/errors.h>

namespace wick {
namespace {

nlohmann::json golden(const std::string& key) {
  std::ifstream in(WICK_GOLDENS "/npy_cases.json");
  return nlohmann::json::parse(in)[key];
}

TEST(Npy, ReadsWhatNumPyWrote) {
  for (const nlohmann::json cases = golden("loads"); const auto& one : cases) {
    SCOPED_TRACE(one["name"].get<std::string>());
    const Tensor tensor = decode_npy(from_hexadecimal(one["file"]));
    EXPECT_EQ(name(tensor.dtype()), one["dtype"].get<std::string>());
    EXPECT_EQ(tensor.shape(), Shape(one["shape"].get<std::vector<std::int64_t>>()));
    EXPECT_TRUE(tensor.is_contiguous());
    EXPECT_EQ(bytes_of(tensor), from_hexadecimal(one["data"]));
  }
}

TEST(Npy, WritesTheBytesThatNumPyWrites) {
  for (const nlohmann::json cases = golden("saves"); const auto& one : cases) {
    SCOPED_TRACE(one["dtype"].get<std::string>() + one["shape"].dump());
    EXPECT_EQ(encode_npy(tensor_of(one)), from_hexadecimal(one["file"]));
  }
}

TEST(Npy, RefusesOtherTypesByName) {
  for (const nlohmann::json cases = golden("refused"); const auto& one : cases) {
    const std::string descr = one["descr"];
    EXPECT_EQ(error_of<FormatError>([&] { decode_npy(from_hexadecimal(one["file"]), "x.npy"); }),
              "x.npy: header: descr is " + descr +
                  ", expected one of f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, b1");
  }
}

TEST(Npy, ReadsUnsignedNumbersOnlyWhereTheyFit) {
  const std::string dict = "{'descr': '<u8', 'fortran_order': False, 'shape': (2,)}";
  const std::uint64_t numbers[] = {7, std::uint64_t{1} << 63};
  std::string data(sizeof(numbers), '\0');
  std::memcpy(data.data(), numbers, sizeof(numbers));
  EXPECT_EQ(error_of<FormatError>([&] { decode_npy(npy_bytes(dict, data), "x.npy"); }),
            "x.npy: element 1 is 9223372036854775808, more than int64 holds");
}

TEST(Npy, ReadsAnyByteButZeroAsTrue) {
  const std::string dict = "{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}";
  const Tensor mask = decode_npy(npy_bytes(dict, std::string("\x00\x01\x02\xff", 4)));
  EXPECT_EQ(bytes_of(mask), (std::vector{std::byte{0}, std::byte{1}, std::byte{1}, std::byte{1}}));
}

TEST(Npy, WidensEveryHalfExactly) {
  const std::string dict = "{'descr': '<f2', 'fortran_order': False, 'shape': (65536,)}";
  std::string data;
  for (int bits = 0; bits < 65536; ++bits) {
    data += {static_cast<char>(bits & 0xff), static_cast<char>(bits >> 8)};
  }
  const std::vector<double> numbers = decode_npy(npy_bytes(dict, data)).to_vector<double>();
  for (int bits = 0; bits < 65536; ++bits) {
    const int exponent = bits >> 10 & 0x1f;
    const int fraction = bits & 0x3ff;
    double expected = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) expected = std::numeric_limits<double>::infinity();
    if (bits >= 0x8000) expected = -expected;
    const double number = numbers[static_cast<std::size_t>(bits)];
    if (exponent == 31 && fraction != 0) {
      EXPECT_TRUE(std::isnan(number)) << bits;
    } else {
      EXPECT_EQ(number, expected) << bits;
    }
    EXPECT_EQ(std::signbit(number), bits >= 0x8000) << bits;
  }
}

// Longer than the pieces in which files are read.
TEST(Npy, ReadsBackLongArrays) {
  const Tensor numbers = arange(100'003);
  const Tensor masks = numbers.to(boolean);
  EXPECT_EQ(bytes_of(decode_npy(encode_npy(numbers))), bytes_of(numbers));
  EXPECT_EQ(bytes_of(decode_npy(encode_npy(masks))), bytes_of(masks));
}

TEST(Npy, WritesViewsInRowMajorOrder) {
  const Tensor matrix = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor turned = matrix.strided_view({3, 2}, {1, 3});
  EXPECT_EQ(encode_npy(turned), encode_npy(tensor({{1, 4}, {2, 5}, {3, 6}})));
}

TEST(Npy, LeavesTheGraphBehind) {
  Tensor weights = ones({2});
  weights.set_requires_grad(true);
  EXPECT_FALSE(decode_npy(encode_npy(weights)).requires_grad());
}

TEST(Npy, DoesNotWriteAnUndefinedTensor) {
  TemporaryFolder folder;
  EXPECT_EQ(error_of<TypeError>([&] { save_npy(folder / "x.npy", Tensor()); }),
            "save_npy: the tensor is undefined");
  EXPECT_EQ(error_of<TypeError>([] { encode_npy(Tensor()); }), "encode_npy: the tensor is undefined");
  EXPECT_TRUE(folder.names().empty());
}

TEST(Npy, SavesAndLoadsFiles) {
  TemporaryFolder folder;
  const Tensor matrix = tensor({{1.5, -2}, {0.1, 4}});
  save_npy(folder / "matrix", matrix);  // the name stays as it is
  EXPECT_EQ(folder.names(), std::vector<std::string>{"matrix"});
  EXPECT_EQ(folder.content("matrix"), encode_npy(matrix));
  const Tensor turned = matrix.strided_view({2, 2}, {1, 2});
  save_npy(folder / "turned.npy", turned);
  EXPECT_EQ(folder.content("turned.npy"), encode_npy(turned));
  const Tensor loaded = load_npy(folder / "matrix");
  EXPECT_EQ(loaded.shape(), matrix.shape());
  EXPECT_EQ(bytes_of(loaded), bytes_of(matrix));
}

TEST(Npy, LoadsTheLessonsArrays) {
  const Tensor weights = load_npy(WICK_GOLDENS "/lesson4/weights.npy");
  EXPECT_EQ(weights.dtype(), float64);
  EXPECT_EQ(weights.shape(), Shape({1, 6, 6}));
  const Tensor ids = load_npy(WICK_GOLDENS "/lesson5/ids.npy");
  EXPECT_EQ(ids.dtype(), int64);
  EXPECT_EQ(ids.shape(), Shape({12}));
}

}  // namespace
}  // namespace wick
