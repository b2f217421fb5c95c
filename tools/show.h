#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <wick/framework/tensor.h>

namespace wick::tools {

/// The weights of one head over a text, as they are shown.
struct ShownWeights {
  std::vector<std::string> tokens;  ///< each a character in UTF-8
  Tensor ids;                       ///< theirs, (T,)
  Tensor weights;                   ///< (T, T)
  std::string name = {};            ///< of the head, where there are several to tell apart
};

/// The weights as a table, the tokens on both sides, three digits, and behind the last key each row's argmax
/// with its token. Where `width` is given, a table wider than that is cut into blocks of columns.
void show_table(const ShownWeights& shown, std::optional<std::size_t> width, std::ostream& out);

/// One object, on a line: name (where there is one), text, tokens, ids, weights (all digits), argmax. Numbers
/// that JSON does not have (NaN) are null.
void show_json(const ShownWeights& shown, std::ostream& out);

/// A line per query: position, token, a column per key (all digits), argmax. Quoted as RFC 4180 says.
void show_csv(const ShownWeights& shown, std::ostream& out);

}  // namespace wick::tools
