#pragma once

#include <stdexcept>
#include <string>

namespace wick {

/// The base of everything that wick throws. The library never prints and never ends the program.
///
/// what() is one line that says what was met, what was expected and where. Thrown while a module computes
/// (see ModuleScope), it opens with that module's path:
///
///     gpt.blocks.2.attention.query: matmul: (4, 8, 32) @ (16, 8): inner dimensions 32 and 16 differ
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message);
};

/// Sizes, ranks or axes that do not fit together.
class ShapeError : public Error {
  using Error::Error;
};

/// An element type that an operation does not take.
class TypeError : public Error {
  using Error::Error;
};

/// A position outside a tensor, a table or a text.
class IndexError : public Error {
  using Error::Error;
};

/// Text or a file that is not in the expected format.
class FormatError : public Error {
  using Error::Error;
};

/// A misuse of the op graph or of the module tree.
class GraphError : public Error {
  using Error::Error;
};

/// A number or a choice that a function does not take: a probability of 2, a negative count, an unknown name.
class ValueError : public Error {
  using Error::Error;
};

/// A file or a folder that could not be opened, read or written.
class FileError : public Error {
  using Error::Error;
};

}  // namespace wick
