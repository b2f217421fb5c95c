#include <algorithm>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/framework/text.h>
#include <wick/models/tokenizer.h>
#include <wick/ops/checks.h>

namespace wick {

CharTokenizer::CharTokenizer(std::string_view text) : vocabulary_(decode_utf8(text)) {
  if (vocabulary_.empty()) throw ValueError("the text is empty: a vocabulary needs at least one character");
  std::ranges::sort(vocabulary_);
  vocabulary_.erase(std::unique(vocabulary_.begin(), vocabulary_.end()), vocabulary_.end());
}

Tensor CharTokenizer::encode(std::string_view text) const {
  const std::vector<char32_t> characters = decode_utf8(text);
  std::vector<std::int64_t> ids;
  ids.reserve(characters.size());
  for (const char32_t character : characters) {
    const auto found = std::ranges::lower_bound(vocabulary_, character);
    if (found == vocabulary_.end() || *found != character) {
      throw IndexError("the character " + repr(encode_utf8(character)) + " at offset " +
                       std::to_string(ids.size()) + " is not among the " + std::to_string(vocab_size()) +
                       " of the vocabulary");
    }
    ids.push_back(found - vocabulary_.begin());
  }
  return from_vector(ids);
}

std::string CharTokenizer::character(std::int64_t id) const {
  if (id < 0 || id >= vocab_size()) {
    throw IndexError("no character has the id " + std::to_string(id) + ": ids lie in [0, " +
                     std::to_string(vocab_size()) + ")");
  }
  return encode_utf8(vocabulary_[static_cast<std::size_t>(id)]);
}

std::string CharTokenizer::decode(const Tensor& ids) const {
  require_type("decode", "ids", ids, int64);
  std::string text;
  for (const std::int64_t id : ids.to_vector<std::int64_t>()) text += character(id);
  return text;
}

}  // namespace wick
