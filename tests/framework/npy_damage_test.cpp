// Every way a .npy file can be bad gives one error that says so, and never much memory or another array.

#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/framework/npy.h>
#include <wick/tests/framework/bytes.h>
#include <wick/tests/framework/errors.h>

namespace wick {
namespace {

std::string damage(const std::vector<std::byte>& file) {
  return error_of<FormatError>([&] { decode_npy(file, "x.npy"); });
}

std::string damage(const std::string& file) { return damage(to_bytes(file)); }

// What is wrong with a file of two float32 that has this dict; without the opening "x.npy: header: ".
std::string header_damage(const std::string& dict) {
  const std::string opening = "x.npy: header: ";
  const std::string message = damage(npy_bytes(dict, std::string(8, '\0')));
  return message.starts_with(opening) ? message.substr(opening.size()) : "not about the header: " + message;
}

std::string shape_damage(const std::string& shape) {
  return header_damage("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}");
}

TEST(NpyDamage, Magic) {
  EXPECT_EQ(damage(""), "x.npy: not a .npy file: it begins with '', expected '\\x93NUMPY'");
  EXPECT_EQ(damage("\x93NUM"), "x.npy: not a .npy file: it begins with '\\x93NUM', expected '\\x93NUMPY'");
  EXPECT_EQ(damage("PK\x03\x04\nz\x93NUMPY"),
            "x.npy: not a .npy file: it begins with 'PK\\x03\\x04\\nz', expected '\\x93NUMPY'");
}

TEST(NpyDamage, Version) {
  EXPECT_EQ(damage("\x93NUMPY"), "x.npy: cut short: found 0 bytes of the format version, expected 2");
  EXPECT_EQ(damage("\x93NUMPY\x01"), "x.npy: cut short: found 1 byte of the format version, expected 2");
  EXPECT_EQ(damage(std::string("\x93NUMPY\x04\x00", 8)),
            "x.npy: format version 4.0, expected 1.0, 2.0 or 3.0");
  EXPECT_EQ(damage(std::string("\x93NUMPY\x00\x00", 8)),
            "x.npy: format version 0.0, expected 1.0, 2.0 or 3.0");
  EXPECT_EQ(damage("\x93NUMPY\x01\x01"), "x.npy: format version 1.1, expected 1.0, 2.0 or 3.0");
}

TEST(NpyDamage, HeaderLength) {
  EXPECT_EQ(damage(std::string("\x93NUMPY\x01\x00", 8)),
            "x.npy: cut short: found 0 bytes of the header's length, expected 2");
  EXPECT_EQ(damage(std::string("\x93NUMPY\x02\x00\x05\x00\x00", 11)),
            "x.npy: cut short: found 3 bytes of the header's length, expected 4");
  EXPECT_EQ(damage(std::string("\x93NUMPY\x01\x00\x76\x00{'descr'", 18)),
            "x.npy: cut short: found 8 bytes of the header, expected 118");
  EXPECT_EQ(damage(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14)),
            "x.npy: a header of 4294967295 bytes, expected at most 10000");
  EXPECT_EQ(damage(npy_bytes(std::string(10001, ' '), "")),
            "x.npy: a header of 10001 bytes, expected at most 10000");
  EXPECT_EQ(damage(npy_bytes(std::string(10000, ' '), "")),
            "x.npy: header: expected a dict at byte 10000, found its end");
}

TEST(NpyDamage, Dict) {
  EXPECT_EQ(header_damage(""), "expected a dict at byte 0, found its end");
  EXPECT_EQ(header_damage("  [1, 2]"), "expected a dict at byte 2, found [1, 2]");
  EXPECT_EQ(header_damage("{"), "expected a key in quotes at byte 1, found its end");
  EXPECT_EQ(header_damage("{}"), "the key 'descr' is missing");
  EXPECT_EQ(header_damage("{'descr': '<f4', 'fortran_order': False}"), "the key 'shape' is missing");
  EXPECT_EQ(header_damage("{'descr': '<f4', 'shape': (2,)}"), "the key 'fortran_order' is missing");
  EXPECT_EQ(header_damage("{'descr' '<f4'}"), "expected ':' at byte 9, found '<f4'}");
  EXPECT_EQ(header_damage("{,}"), "expected a key in quotes at byte 1, found ,}");
  EXPECT_EQ(header_damage("{'descr': '<f4' 'shape': ()}"),
            "expected ',' or '}' at byte 16, found 'shape': ()}");
  EXPECT_EQ(header_damage("{'descr': '<f4', 'descr': '<f4'}"), "the key 'descr' comes twice");
  EXPECT_EQ(header_damage("{'name\n': 1}"),
            "the key 'name\\n' is unknown, expected 'descr', 'fortran_order' and 'shape'");
  EXPECT_EQ(
      header_damage("{'" + std::string(500, 'k') + "': 1}"),
      "the key '" + std::string(40, 'k') + "…' is unknown, expected 'descr', 'fortran_order' and 'shape'");
  EXPECT_EQ(header_damage("{'descr: 1}"), "expected a closing quote at byte 1, found 'descr: 1}");
  EXPECT_EQ(header_damage("{'de\\x73cr': 1}"),
            "expected a string without backslashes at byte 1, found 'de\\x73cr': 1}");
  EXPECT_EQ(header_damage("{'\xe9': 1}"),
            "the key '\\xe9' is unknown, expected 'descr', 'fortran_order' and 'shape'");
  EXPECT_EQ(header_damage("{b'descr': 1}"), "expected a key in quotes at byte 1, found b'descr': 1}");
  EXPECT_EQ(header_damage("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} + 1"),
            "expected nothing after the dict at byte 56, found + 1");
  EXPECT_EQ(header_damage(std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}\0", 56)),
            "expected nothing after the dict at byte 55, found \\x00");
}

TEST(NpyDamage, Values) {
  EXPECT_EQ(header_damage("{'descr': 4}"), "expected descr to be a type in quotes at byte 10, found 4}");
  EXPECT_EQ(
      header_damage("{'descr': ('<f4', (2,))}"),
      "descr is the structured type ('<f4', (2,))}, expected one of f2, f4, f8, i1, i2, i4, i8, u1, u2, "
      "u4, u8, b1");
  for (const std::string descr : {"", "<", "f", "4", "<f", "<f3", "<f44", "<<f4", "f4<", "float32", "f4 "}) {
    EXPECT_EQ(header_damage("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2,)}"),
              "descr is '" + descr + "', expected one of f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, b1");
  }
  EXPECT_EQ(header_damage("{'fortran_order': 0}"),
            "expected fortran_order to be True or False at byte 18, found 0}");
  EXPECT_EQ(header_damage("{'fortran_order': Falsehood}"), "expected ',' or '}' at byte 23, found hood}");
}

TEST(NpyDamage, Shape) {
  EXPECT_EQ(shape_damage("2"), "expected shape to be a tuple of sizes at byte 50, found 2}");
  EXPECT_EQ(shape_damage("[2]"), "expected shape to be a tuple of sizes at byte 50, found [2]}");
  EXPECT_EQ(shape_damage("(2)"), "shape is (2), expected a tuple: (2,)");
  EXPECT_EQ(shape_damage("(,)"), "expected a size in shape at byte 51, found ,)}");
  EXPECT_EQ(shape_damage("(2 1)"), "expected ',' or ')' in shape at byte 53, found 1)}");
  EXPECT_EQ(shape_damage("(2.0,)"), "expected ',' or ')' in shape at byte 52, found .0,)}");
  EXPECT_EQ(shape_damage("(02,)"), "expected a size without leading zeros in shape at byte 51, found 02,)}");
  EXPECT_EQ(shape_damage("(True,)"), "expected a size in shape at byte 51, found True,)}");
  EXPECT_EQ(shape_damage("(+2,)"), "expected a size in shape at byte 51, found +2,)}");
  EXPECT_EQ(shape_damage("(1, (2,))"), "expected a size in shape at byte 54, found (2,))}");
  EXPECT_EQ(shape_damage("(2,"), "expected a size in shape at byte 53, found }");
  EXPECT_EQ(shape_damage("(-2,)"), "shape has the size -2, expected 0 or more");
  EXPECT_EQ(shape_damage("(9223372036854775808,)"),
            "shape has the size 9223372036854775808, beyond a 64-bit integer");
  EXPECT_EQ(shape_damage("(" + std::string(999, '9') + ",)"),
            "shape has the size " + std::string(40, '9') + "…, beyond a 64-bit integer");
  EXPECT_EQ(shape_damage("(1, 1, 1, 1, 1, 1, 1, 1, 2)"), "shape has 9 sizes, expected at most 8");
  EXPECT_EQ(shape_damage("(4294967296, 4294967296)"),
            "shape (4294967296, 4294967296) has more elements than 64 bits can count in bytes");
  EXPECT_EQ(shape_damage("(0, 4294967296, 4294967296)"),
            "shape (0, 4294967296, 4294967296) has more elements than 64 bits can count in bytes");
  EXPECT_EQ(shape_damage("(1152921504606846976, 0)"),
            "shape (1152921504606846976, 0) has more elements than 64 bits can count in bytes");
}

TEST(NpyDamage, DataSize) {
  const std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}";
  EXPECT_EQ(damage(npy_bytes(dict, std::string(23, 'x'))),
            "x.npy: cut short: found 23 bytes of data, expected 24 bytes for shape (2, 3) of '<f4'");
  EXPECT_EQ(damage(npy_bytes(dict, "")),
            "x.npy: cut short: found 0 bytes of data, expected 24 bytes for shape (2, 3) of '<f4'");
  EXPECT_EQ(damage(npy_bytes(dict, std::string(25, 'x'))),
            "x.npy: data left over after 24 bytes for shape (2, 3) of '<f4'");
  EXPECT_EQ(damage(npy_bytes("{'descr': '|b1', 'fortran_order': False, 'shape': ()}", "xx")),
            "x.npy: data left over after 1 byte for shape () of '|b1'");
  EXPECT_EQ(damage(npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 0)}", "x")),
            "x.npy: data left over after 0 bytes for shape (2, 0) of '<f4'");
}

TEST(NpyDamage, SpacingIsFree) {
  for (const std::string dict :
       {"{'shape':(2,),'descr':'<f4','fortran_order':False}",
        "\t{ \"shape\" : ( 2L , ) ,\n\"descr\" : \"<f4\" , \"fortran_order\" : False , } \r\n"}) {
    EXPECT_EQ(decode_npy(npy_bytes(dict, std::string(8, '\0'))).shape(), Shape({2}));
  }
  EXPECT_EQ(
      decode_npy(npy_bytes("{'descr': '|f4', 'fortran_order': True, 'shape': (1, 2,)}", "xxxxxxxx")).shape(),
      Shape({1, 2}));
}

// 2^57 elements over 4 bytes: found out before memory is asked for, from a file and from a pipe.
TEST(NpyDamage, ClaimsTakeNoMemory) {
  TemporaryFolder folder;
  const std::vector<std::byte> file =
      npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (144115188075855872,)}", "data");
  {
    std::ofstream out(folder / "claim.npy", std::ios::binary);
    out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  }
  const std::string expected =
      ": cut short: found 4 bytes of data, expected 1152921504606846976 bytes for shape "
      "(144115188075855872,) of "
      "'<f8'";
  const std::filesystem::path path = folder / "claim.npy";
  EXPECT_EQ(error_of<FormatError>([&] { load_npy(path); }), path.string() + expected);

  const std::filesystem::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(pipe, std::ios::binary);
    out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  });
  EXPECT_EQ(error_of<FormatError>([&] { load_npy(pipe); }), pipe.string() + expected);
  writer.join();
}

TEST(NpyDamage, OpeningAndReading) {
  TemporaryFolder folder;
  const std::string path = folder.path().string();
  EXPECT_EQ(error_of<FileError>([&] { load_npy(path + "/none.npy"); }),
            path + "/none.npy: cannot open: No such file or directory");
  EXPECT_EQ(error_of<FileError>([&] { load_npy(path); }), path + ": cannot read: Is a directory");
  EXPECT_EQ(error_of<FileError>([&] { load_npy(path + "/two\nlines"); }),
            path + "/two\\nlines: cannot open: No such file or directory");
  EXPECT_EQ(error_of<FileError>([&] { load_npy(std::string("x\0.npy", 6)); }),
            "x\\x00.npy: cannot open: a file's name holds no zero byte");
}

// Fixed seed: std::mt19937's numbers are the same everywhere.
TEST(NpyDamage, MutationsGiveATensorOrAnError) {
  std::vector<std::vector<std::byte>> seeds;
  for (const DType dtype : {float32, float64, int64, boolean}) {
    seeds.push_back(encode_npy(arange(12, dtype).strided_view({2, 2, 3}, {6, 3, 1})));
  }
  for (const std::string descr : {"<f2", ">f4", ">u8", "|i1"}) {
    seeds.push_back(npy_bytes("{'descr': '" + descr + "', 'fortran_order': True, 'shape': (2, 3), }",
                              std::string(6 * static_cast<std::size_t>(descr[2] - '0'), 'x')));
  }
  std::mt19937 random(5);
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random()) % end; };
  const std::string telling = "{}()[],:'\" 0123456789-<>=|\\fiubTrueFalseL\n\xff";
  int loaded = 0;
  constexpr int kRounds = 20'000;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::byte> file = seeds[below(seeds.size())];
    for (std::size_t changes = 1 + below(3); changes > 0 && !file.empty(); --changes) {
      // Mostly in the part that is parsed.
      const std::size_t at = below(below(4) == 0 ? file.size() : std::min<std::size_t>(file.size(), 80));
      const auto position = file.begin() + static_cast<std::ptrdiff_t>(at);
      const auto byte = static_cast<std::byte>(below(2) == 0 ? below(256) : telling[below(telling.size())]);
      switch (below(5)) {
        case 0:
          file.erase(position);
          break;
        case 1:
          file.insert(position, byte);
          break;
        case 2:
          file.resize(at);
          break;
        default:
          *position = byte;
      }
    }
    try {
      const Tensor tensor = decode_npy(file);
      EXPECT_LE(tensor.numel(), 512);
      ++loaded;
    } catch (const FormatError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  EXPECT_GT(loaded, kRounds / 100);
  EXPECT_LT(loaded, kRounds / 2);
}

}  // namespace
}  // namespace wick
