#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <wick/framework/tensor.h>

namespace wick {

/// Characters to ids and back. The vocabulary is the sorted set of a text's characters (Unicode code points;
/// the text is UTF-8), and an id is a position in it: the course's `sorted(set(text))`.
class CharTokenizer {
 public:
  /// The vocabulary of this text. Throws ValueError where it is empty, FormatError where it is not UTF-8.
  explicit CharTokenizer(std::string_view text);

  std::int64_t vocab_size() const { return static_cast<std::int64_t>(vocabulary_.size()); }

  /// The ids of a text's characters: int64, shape (T,). Throws IndexError with the character and its offset,
  /// counted in characters, where the vocabulary lacks one; FormatError where the text is not UTF-8.
  Tensor encode(std::string_view text) const;

  /// The text of ids of any shape, in row-major order. decode(encode(text)) == text.
  /// Throws IndexError for an id outside [0, vocab_size), TypeError unless int64.
  std::string decode(const Tensor& ids) const;

  /// The character of one id, in UTF-8. Throws IndexError.
  std::string character(std::int64_t id) const;

 private:
  std::vector<char32_t> vocabulary_;  // sorted
};

}  // namespace wick
