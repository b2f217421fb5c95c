#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>

#include <wick/tools/experiment.h>

namespace wick::tools {

/// The weights as a table, the tokens on both sides, three digits, and behind the last key each row's argmax
/// with its token. Where `width` is given, a table wider than that is cut into blocks of columns.
void show_table(const Attention& attention, std::optional<std::size_t> width, std::ostream& out);

/// One object: text, tokens, ids, weights (all digits), argmax. Numbers that JSON does not have (NaN) are
/// null.
void show_json(const Attention& attention, std::ostream& out);

/// A line per query: position, token, a column per key (all digits), argmax. Quoted as RFC 4180 says.
void show_csv(const Attention& attention, std::ostream& out);

}  // namespace wick::tools
