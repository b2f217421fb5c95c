#include <wick/framework/byte_source.h>
#include <wick/framework/error.h>
#include <wick/framework/text.h>
#include <wick/tools/text_file.h>

namespace wick::tools {

std::string read_text(const std::string& path) {
  std::string text = read_file(path, longest_text);
  if (text.empty()) throw ValueError(escaped(path) + ": the file is empty");
  try {
    decode_utf8(text);
  } catch (const FormatError& error) {
    throw FormatError(escaped(path) + ": " + error.what());
  }
  return text;
}

void require_window(const std::string& what, std::int64_t characters, std::int64_t block_size) {
  if (characters > block_size) return;
  throw ValueError(what + " has " + counted(characters, "character") +
                   ", expected block_size + 1 = " + std::to_string(block_size + 1) + " or more");
}

}  // namespace wick::tools
