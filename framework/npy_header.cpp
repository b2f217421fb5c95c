#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/npy_elements.h>
#include <wick/framework/npy_header.h>
#include <wick/framework/text.h>

namespace wick {
namespace {

constexpr std::string_view kKeys = "'descr', 'fortran_order' and 'shape'";

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader parse() {
    expect('{', "a dict");
    while (!take('}')) {
      parse_entry();
      if (take(',')) continue;
      expect('}', "',' or '}'");
      break;
    }
    skip_space();
    if (next_ != text_.size()) fail_here("nothing after the dict");
    for (const auto& [key, is_there] :
         {std::pair("descr", descr_.has_value()), std::pair("fortran_order", fortran_order_.has_value()),
          std::pair("shape", shape_.has_value())}) {
      if (!is_there) fail("the key '" + std::string(key) + "' is missing");
    }
    return {*descr_, *fortran_order_, *shape_};
  }

 private:
  void parse_entry() {
    const std::string key = parse_string("a key in quotes");
    expect(':', "':'");
    if (key == "descr") {
      set(descr_, key, parse_descr());
    } else if (key == "fortran_order") {
      set(fortran_order_, key, parse_bool());
    } else if (key == "shape") {
      set(shape_, key, parse_shape());
    } else {
      fail("the key '" + excerpt(key) + "' is unknown, expected " + std::string(kKeys));
    }
  }

  template <typename T>
  void set(std::optional<T>& value, const std::string& key, T&& parsed) {
    if (value) fail("the key '" + key + "' comes twice");
    value = std::forward<T>(parsed);
  }

  std::string parse_string(const std::string& expected) {
    skip_space();
    const char quote = next_ < text_.size() ? text_[next_] : '\0';
    if (quote != '\'' && quote != '"') fail_here(expected);
    const std::size_t end = text_.find(quote, next_ + 1);
    if (end == std::string_view::npos) fail_here("a closing quote");
    const std::string_view content = text_.substr(next_ + 1, end - next_ - 1);
    if (content.find('\\') != std::string_view::npos) fail_here("a string without backslashes");
    next_ = end + 1;
    return std::string(content);
  }

  std::string parse_descr() {
    skip_space();
    if (const std::string_view rest = text_.substr(next_); rest.starts_with('[') || rest.starts_with('(')) {
      fail("descr is the structured type " + excerpt(rest) + ", expected one of " + std::string(kNpyTypes));
    }
    return parse_string("descr to be a type in quotes");
  }

  bool parse_bool() {
    skip_space();
    for (const auto& [word, value] :
         {std::pair(std::string_view("True"), true), std::pair(std::string_view("False"), false)}) {
      if (text_.substr(next_).starts_with(word)) {
        next_ += word.size();
        return value;
      }
    }
    fail_here("fortran_order to be True or False");
  }

  Shape parse_shape() {
    expect('(', "shape to be a tuple of sizes");
    std::vector<std::int64_t> sizes;
    bool has_comma = true;
    while (!take(')')) {
      if (!has_comma) fail_here("',' or ')' in shape");
      sizes.push_back(parse_size());
      has_comma = take(',');
    }
    // In Python (3) is a number; only a comma makes it a tuple.
    if (sizes.size() == 1 && !has_comma) {
      fail("shape is (" + std::to_string(sizes[0]) + "), expected a tuple: (" + std::to_string(sizes[0]) +
           ",)");
    }
    return checked_shape(sizes);
  }

  std::int64_t parse_size() {
    skip_space();
    std::int64_t size = 0;
    const char* const first = text_.data() + next_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), size);
    if (error == std::errc::invalid_argument) fail_here("a size in shape");
    const std::string digits(first, end);
    if (error != std::errc{}) fail("shape has the size " + excerpt(digits) + ", beyond a 64-bit integer");
    if (size < 0) fail("shape has the size " + digits + ", expected 0 or more");
    if (digits.size() > 1 && digits.front() == '0') fail_here("a size without leading zeros in shape");
    next_ += digits.size();
    // Python 2 wrote 64-bit integers as 3L.
    if (next_ < text_.size() && text_[next_] == 'L') ++next_;
    return size;
  }

  Shape checked_shape(const std::vector<std::int64_t>& sizes) const {
    if (sizes.size() > static_cast<std::size_t>(kMaxRank)) {
      fail("shape has " + std::to_string(sizes.size()) + " sizes, expected at most " +
           std::to_string(kMaxRank));
    }
    std::int64_t bytes = 8;
    for (const std::int64_t size : sizes) {
      if (size != 0 && __builtin_mul_overflow(bytes, size, &bytes)) {
        fail("shape " + to_string(Dimensions(sizes)) + " has more elements than 64 bits can count in bytes");
      }
    }
    return Shape(std::span(sizes));
  }

  void skip_space() { next_ = std::min(text_.find_first_not_of(" \t\n\r\f", next_), text_.size()); }

  bool take(char wanted) {
    skip_space();
    if (next_ == text_.size() || text_[next_] != wanted) return false;
    ++next_;
    return true;
  }

  void expect(char wanted, const std::string& expected) {
    if (!take(wanted)) fail_here(expected);
  }

  [[noreturn]] void fail_here(const std::string& expected) const {
    const std::string found = next_ == text_.size() ? "its end" : excerpt(text_.substr(next_));
    fail("expected " + expected + " at byte " + std::to_string(next_) + ", found " + found);
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw FormatError(name_ + ": header: " + message);
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t next_ = 0;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<Shape> shape_;
};

std::string_view npy_descr(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return "<f4";
    case DType::float64:
      return "<f8";
    case DType::int64:
      return "<i8";
    case DType::boolean:
      return "|b1";
  }
  return "";
}

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& name) {
  return Parser(text, name).parse();
}

std::string npy_preamble(DType dtype, const Shape& shape) {
  // NumPy leaves room for the first size to grow to 21 digits, then pads to a multiple of 64. That is always
  // 128: at most 8 sizes whose product fits in 64 bits are at most 42 characters long, and with all else it
  // is 126.
  constexpr std::size_t kLength = 128;
  std::string preamble("\x93NUMPY\x01\x00\x76\x00", 10);
  preamble += "{'descr': '" + std::string(npy_descr(dtype)) +
              "', 'fortran_order': False, 'shape': " + to_string(shape) + ", }";
  preamble.resize(kLength - 1, ' ');
  return preamble + '\n';
}

}  // namespace wick
