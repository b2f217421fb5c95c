// Every way the header of a .safetensors file can be bad gives one error that says so.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <wick/tests/framework/safetensors_files.h>

namespace wick {
namespace {

// What is wrong with a header, whatever data comes; without the opening "x: header: ".
std::string header_damage(const std::string& header) {
  const std::string opening = "x: header: ";
  const std::string message = damage(file_of(header));
  return message.starts_with(opening) ? message.substr(opening.size()) : "not about the header: " + message;
}

// What is wrong with these fields of the tensor "a".
std::string tensor_damage(const std::string& fields) { return header_damage("{\"a\":{" + fields + "}}"); }

TEST(SafetensorsHeaderDamage, NotAnObject) {
  for (const Bad& bad : std::vector<Bad>{
           {"[]", "expected an object, found '[]'"},
           {" {}", "expected an object, found ' {}'"},
           {"\xef\xbb\xbf{}", "expected an object, found '\xef\xbb\xbf{}'"},
           {"null", "expected an object, found 'null'"},
           {"\"{}\"", "expected an object, found '\"{}\"'"},
           {std::string(50, 'x'), "expected an object, found '" + std::string(40, 'x') + "…'"},
       }) {
    EXPECT_EQ(header_damage(bad.given), bad.message);
  }
}

TEST(SafetensorsHeaderDamage, NoJson) {
  for (const Bad& bad : std::vector<Bad>{
           {"{", "no JSON: it ends too early"},
           {"{\"a", "no JSON: it ends too early"},
           {"{\"a\":{}", "\"a\": the key \"dtype\" is missing"},
           {"{\"__metadata__\":{}", "no JSON: it ends too early"},
           {"{}}", "no JSON at byte 2: '}'"},
           {"{} x", "no JSON at byte 3: 'x'"},
           {std::string("{}\0", 3), "no JSON at byte 2: '\\x00'"},
           {std::string("{}\0{}", 5), "no JSON at byte 2: '\\x00{}'"},
           {"{,}", "no JSON at byte 1: ',}'"},
           {"{\"a\" 1}", "no JSON at byte 5: '1}'"},
           {"{\"__metadata__\":{},}", "no JSON at byte 19: '}'"},
           {"{'a':1}", "no JSON at byte 1: ''a':1}'"},
           {"{a:1}", "no JSON at byte 1: 'a:1}'"},
           {"{/* */}", "no JSON at byte 1: '/* */}'"},
           {"{\"__metadata__\":{\"a\":\"\n\"}}", "no JSON at byte 22: '\\n\"}}'"},
           {"{\"__metadata__\":{\"a\":\"\\x\"}}", "no JSON at byte 23: 'x\"}}'"},
           {"{\"a\":{\"shape\":[01]}}", "no JSON at byte 16: '1]}}'"},
           {"{\"a\":{\"shape\":[+1]}}", "no JSON at byte 15: '+1]}}'"},
           {"{\"a\":{\"shape\":[1,]}}", "no JSON at byte 17: ']}}'"},
           {"{\"a\":{\"shape\":[NaN]}}", "no JSON at byte 15: 'NaN]}}'"},
           {"{\"a\":tru}", "no JSON at byte 8: '}'"},
       }) {
    EXPECT_EQ(header_damage(bad.given), bad.message) << bad.given;
  }
}

// Stray, overlong, cut, surrogate, beyond U+10FFFF; in a key, in a text, as an escape.
TEST(SafetensorsHeaderDamage, NotUtf8) {
  for (const std::string bytes :
       {"\x80", "\xff", "\xc0\xaf", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    for (const std::string& header :
         {"{\"" + bytes + "\":{}}", "{\"__metadata__\":{\"" + bytes + "\":\"\"}}",
          "{\"__metadata__\":{\"k\":\"" + bytes + "\"}}", "{\"a\":{\"dtype\":\"" + bytes + "\"}}"}) {
      EXPECT_TRUE(header_damage(header).starts_with("no JSON at byte ")) << header_damage(header);
    }
  }
  for (const std::string escape : {"\\ud800", "\\udc00", "\\ud800\\u0041", "\\u12"}) {
    EXPECT_TRUE(header_damage("{\"" + escape + "\":{}}").starts_with("no JSON at byte ")) << escape;
  }
}

TEST(SafetensorsHeaderDamage, KeysThatComeTwice) {
  const std::string fields = R"({"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  for (const Bad& bad : std::vector<Bad>{
           {"{\"a\":" + fields + ",\"a\":" + fields + "}", "the key \"a\" comes twice"},
           {"{\"a\":" + fields + ",\"b\":" + fields + ",\"\\u0061\":" + fields + "}",
            "the key \"a\" comes twice"},
           {"{\"__metadata__\":{},\"__metadata__\":{}}", "the key \"__metadata__\" comes twice"},
           {"{\"__metadata__\":{\"k\":\"v\",\"k\":\"v\"}}", "\"__metadata__\": the key \"k\" comes twice"},
           {R"({"a":{"dtype":"F32","dtype":"F32"}})", "\"a\": the key \"dtype\" comes twice"},
           {R"({"a":{"shape":[],"shape":[]}})", "\"a\": the key \"shape\" comes twice"},
           {R"({"a":{"data_offsets":[0,4],"data_offsets":[0,4]}})",
            "\"a\": the key \"data_offsets\" comes twice"},
       }) {
    EXPECT_EQ(header_damage(bad.given), bad.message);
  }
}

TEST(SafetensorsHeaderDamage, ValuesOfAnotherKind) {
  for (const Bad& bad : std::vector<Bad>{
           {"{\"a\":1}", "\"a\" is the number 1, expected an object"},
           {"{\"a\":-1}", "\"a\" is the number -1, expected an object"},
           {"{\"a\":1.5}", "\"a\" is the number 1.5, expected an object"},
           {"{\"a\":null}", "\"a\" is null, expected an object"},
           {"{\"a\":true}", "\"a\" is true, expected an object"},
           {"{\"a\":\"F32\"}", "\"a\" is the text \"F32\", expected an object"},
           {"{\"a\":[]}", "\"a\" is a list, expected an object"},
           {"{\"__metadata__\":null}", "\"__metadata__\" is null, expected an object"},
           {"{\"__metadata__\":[]}", "\"__metadata__\" is a list, expected an object"},
           {"{\"__metadata__\":{\"k\":1}}", "\"__metadata__\": \"k\" is the number 1, expected a text"},
           {"{\"__metadata__\":{\"k\":null}}", "\"__metadata__\": \"k\" is null, expected a text"},
           {"{\"__metadata__\":{\"k\":{}}}", "\"__metadata__\": \"k\" is an object, expected a text"},
           {"{\"__metadata__\":{\"k\":[\"v\"]}}", "\"__metadata__\": \"k\" is a list, expected a text"},
           {"{\"a\\nb\":1}", "\"a\\nb\" is the number 1, expected an object"},
           {"{\"" + std::string(50, 'n') + "\":1}",
            "\"" + std::string(40, 'n') + "…\" is the number 1, expected an object"},
       }) {
    EXPECT_EQ(header_damage(bad.given), bad.message);
  }
}

TEST(SafetensorsHeaderDamage, Fields) {
  for (const Bad& bad : std::vector<Bad>{
           {"", "\"a\": the key \"dtype\" is missing"},
           {R"("dtype":"F32","data_offsets":[0,4])", "\"a\": the key \"shape\" is missing"},
           {R"("dtype":"F32","shape":[1])", "\"a\": the key \"data_offsets\" is missing"},
           {R"("dtype":"F32","strides":[1])",
            "\"a\": the key \"strides\" is unknown, expected dtype, shape and data_offsets"},
           {R"("Dtype":"F32")",
            "\"a\": the key \"Dtype\" is unknown, expected dtype, shape and data_offsets"},
           {R"("dtype":1)", "\"a\": dtype is the number 1, expected one of F32, F64, I64, BOOL"},
           {R"("dtype":null)", "\"a\": dtype is null, expected one of F32, F64, I64, BOOL"},
           {R"("dtype":["F32"])", "\"a\": dtype is a list, expected one of F32, F64, I64, BOOL"},
           {R"("dtype":{})", "\"a\": dtype is an object, expected one of F32, F64, I64, BOOL"},
           {R"("shape":2)", "\"a\": shape is the number 2, expected a list of sizes"},
           {R"("shape":"[2]")", "\"a\": shape is the text \"[2]\", expected a list of sizes"},
           {R"("shape":null)", "\"a\": shape is null, expected a list of sizes"},
           {R"("shape":{})", "\"a\": shape is an object, expected a list of sizes"},
           {R"("shape":[-1])", "\"a\": shape has the number -1, expected sizes of 0 or more"},
           {R"("shape":[-0])", "\"a\": shape has the number 0, expected sizes of 0 or more"},
           {R"("shape":[2.0])", "\"a\": shape has the number 2.0, expected sizes of 0 or more"},
           {R"("shape":[1e3])", "\"a\": shape has the number 1e3, expected sizes of 0 or more"},
           {R"("shape":["2"])", "\"a\": shape has the text \"2\", expected sizes of 0 or more"},
           {R"("shape":[true])", "\"a\": shape has true, expected sizes of 0 or more"},
           {R"("shape":[[2]])", "\"a\": shape has a list, expected sizes of 0 or more"},
           {R"("shape":[{}])", "\"a\": shape has an object, expected sizes of 0 or more"},
           {R"("shape":[9223372036854775808])",
            "\"a\": shape has the size 9223372036854775808, beyond a 64-bit integer"},
           {R"("shape":[18446744073709551616])",
            "\"a\": shape has the number 18446744073709551616, expected sizes of 0 or more"},
           {R"("shape":[1,1,1,1,1,1,1,1,1])", "\"a\": shape has more sizes than 8"},
           {R"("data_offsets":4)", "\"a\": data_offsets is the number 4, expected a list of 2 numbers"},
           {R"("data_offsets":null)", "\"a\": data_offsets is null, expected a list of 2 numbers"},
           {R"("data_offsets":[])", "\"a\": data_offsets has fewer than 2 numbers"},
           {R"("data_offsets":[0])", "\"a\": data_offsets has fewer than 2 numbers"},
           {R"("data_offsets":[0,4,8])", "\"a\": data_offsets has more than 2 numbers"},
           {R"("data_offsets":[-4,0])",
            "\"a\": data_offsets has the number -4, expected whole numbers of 0 or more, up to 64 bits"},
           {R"("data_offsets":[0,4.0])",
            "\"a\": data_offsets has the number 4.0, expected whole numbers of 0 or more, up to 64 bits"},
           {R"("data_offsets":[0,[4]])",
            "\"a\": data_offsets has a list, expected whole numbers of 0 or more, up to 64 bits"},
           {R"("data_offsets":[0,18446744073709551615])",
            "\"a\": data_offsets has 18446744073709551615, beyond a 64-bit integer"},
       }) {
    EXPECT_EQ(tensor_damage(bad.given), bad.message);
  }
}

TEST(SafetensorsHeaderDamage, OtherTypesAreRefusedByName) {
  for (const std::string dtype : {"F16", "BF16", "F8_E4M3", "F8_E5M2", "I32", "I16", "I8", "U8", "U16", "U32",
                                  "U64", "C64", "f32", "F32 ", "", "float32", "\xe2\x82\xac"}) {
    EXPECT_EQ(tensor_damage("\"dtype\":\"" + dtype + "\",\"shape\":[1],\"data_offsets\":[0,4]"),
              "\"a\": dtype is \"" + dtype + "\", expected one of F32, F64, I64, BOOL");
  }
}

std::string sizes_damage(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return tensor_damage("\"dtype\":\"" + dtype + "\",\"shape\":[" + shape + "],\"data_offsets\":[" + offsets +
                       "]");
}

TEST(SafetensorsHeaderDamage, ShapesAndOffsetsThatDoNotFit) {
  EXPECT_EQ(
      sizes_damage("F32", "1000,1000", "0,4"),
      "\"a\": data_offsets are [0, 4], which is 4 long, expected 4000000 for shape (1000, 1000) of F32");
  EXPECT_EQ(sizes_damage("F32", "", "0,0"),
            "\"a\": data_offsets are [0, 0], which is 0 long, expected 4 for shape () of F32");
  EXPECT_EQ(sizes_damage("F64", "1", "0,4"),
            "\"a\": data_offsets are [0, 4], which is 4 long, expected 8 for shape (1,) of F64");
  EXPECT_EQ(sizes_damage("I64", "1", "0,9"),
            "\"a\": data_offsets are [0, 9], which is 9 long, expected 8 for shape (1,) of I64");
  EXPECT_EQ(sizes_damage("BOOL", "0,3", "0,3"),
            "\"a\": data_offsets are [0, 3], which is 3 long, expected 0 for shape (0, 3) of BOOL");
  EXPECT_EQ(sizes_damage("F32", "1", "8,4"), "\"a\": data_offsets are [8, 4]: the end is before the begin");
  EXPECT_EQ(sizes_damage("F32", "1", "9223372036854775807,3"),
            "\"a\": data_offsets are [9223372036854775807, 3]: the end is before the begin");
  EXPECT_EQ(sizes_damage("F32", "4294967296,4294967296", "0,0"),
            "\"a\": shape (4294967296, 4294967296) has more elements than 64 bits can count in bytes");
  EXPECT_EQ(sizes_damage("F32", "0,4294967296,4294967296", "0,0"),
            "\"a\": shape (0, 4294967296, 4294967296) has more elements than 64 bits can count in bytes");
  EXPECT_EQ(sizes_damage("F64", "1152921504606846976", "0,0"),
            "\"a\": shape (1152921504606846976,) has more elements than 64 bits can count in bytes");
  EXPECT_EQ(sizes_damage("BOOL", "9223372036854775807", "0,9223372036854775807"),
            "not about the header: x: cut short: found 0 bytes of data, expected 9223372036854775807");
}

TEST(SafetensorsHeaderDamage, OverlapsAndHoles) {
  for (const Bad& bad : std::vector<Bad>{
           {entry("a", 1, 4), "bytes 0 to 1 of the data belong to no tensor: \"a\" is the next"},
           {entry("a", 0, 4) + "," + entry("b", 5, 6),
            "bytes 4 to 5 of the data belong to no tensor: \"b\" is the next"},
           {entry("b", 5, 6) + "," + entry("a", 0, 4),
            "bytes 4 to 5 of the data belong to no tensor: \"b\" is the next"},
           {entry("a", 0, 4) + "," + entry("b", 0, 4),
            "\"b\" with data_offsets [0, 4] overlaps \"a\" with [0, 4]"},
           {entry("a", 0, 4) + "," + entry("b", 3, 6),
            "\"b\" with data_offsets [3, 6] overlaps \"a\" with [0, 4]"},
           {entry("b", 3, 6) + "," + entry("a", 0, 4),
            "\"b\" with data_offsets [3, 6] overlaps \"a\" with [0, 4]"},
           {entry("a", 0, 9) + "," + entry("b", 3, 6),
            "\"b\" with data_offsets [3, 6] overlaps \"a\" with [0, 9]"},
           {entry("a", 0, 4) + "," + entry("empty", 2, 2),
            "\"empty\" with data_offsets [2, 2] overlaps \"a\" with [0, 4]"},
           {entry("a", 0, 4) + "," + entry("empty", 9, 9),
            "bytes 4 to 9 of the data belong to no tensor: \"empty\" is the next"},
       }) {
    EXPECT_EQ(header_damage("{" + bad.given + "}"), bad.message);
  }
}

TEST(SafetensorsHeaderDamage, DeepNestingEndsAtOnce) {
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(header_damage("{\"a\":" + deep), "\"a\" is a list, expected an object");
  EXPECT_EQ(tensor_damage("\"shape\":" + deep), "\"a\": shape has a list, expected sizes of 0 or more");
}

}  // namespace
}  // namespace wick
