#include <numeric>
#include <ostream>
#include <string_view>
#include <vector>

#include <wick/framework/element_format.h>
#include <wick/framework/error.h>
#include <wick/framework/float_text.h>
#include <wick/framework/print.h>

namespace wick {
namespace {

// Stands in a list of positions for the "..." between the two ends.
constexpr std::int64_t kGap = -1;
constexpr std::string_view kGapText = "...";

template <Element T>
std::string scalar_text_of(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "True" : "False";
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return std::to_string(value);
  } else {
    return scalar_text(value);
  }
}

// The elements of one tensor, of rank 1 at least, laid out in lines.
template <Element T>
class Layout {
 public:
  Layout(const Tensor& tensor, const PrintOptions& options)
      : tensor_(tensor),
        data_(tensor.data<T>()),
        options_(options),
        is_cut_(tensor.numel() > options.threshold),
        format_(shown_elements(), options.precision, options.suppress) {}

  std::string text() const { return block(0, 0, 1, options_.linewidth); }

 private:
  // The positions along a dimension that are shown. Without edge items NumPy still shows the last.
  std::vector<std::int64_t> shown(std::int64_t size) const {
    std::vector<std::int64_t> positions;
    const std::int64_t edge = options_.edgeitems;
    if (!is_cut_ || edge >= size - edge) {
      positions.resize(static_cast<std::size_t>(size));
      std::iota(positions.begin(), positions.end(), std::int64_t{0});
      return positions;
    }
    for (std::int64_t i = 0; i < edge; ++i) positions.push_back(i);
    positions.push_back(kGap);
    for (std::int64_t i = size - std::max<std::int64_t>(edge, 1); i < size; ++i) positions.push_back(i);
    return positions;
  }

  // What decides the width. Without edge items NumPy takes all of them.
  std::vector<T> shown_elements() const {
    if (is_cut_ && options_.edgeitems == 0) return tensor_.to_vector<T>();
    std::vector<T> elements;
    collect(0, 0, elements);
    return elements;
  }

  void collect(int axis, std::int64_t offset, std::vector<T>& elements) const {
    if (axis == tensor_.rank()) {
      elements.push_back(data_[offset]);
      return;
    }
    for (const std::int64_t i : shown(tensor_.shape()[axis])) {
      if (i != kGap) collect(axis + 1, offset + i * tensor_.strides()[axis], elements);
    }
  }

  // One dimension in brackets. What follows a line break is indented by `indent`.
  std::string block(int axis, std::int64_t offset, int indent, std::int64_t width) const {
    if (axis == tensor_.rank() - 1) return row(offset, indent, width);
    const std::string line_break(static_cast<std::size_t>(tensor_.rank() - 1 - axis), '\n');
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    std::string text;
    for (const std::int64_t i : shown(tensor_.shape()[axis])) {
      text += text.empty() ? "[" : line_break + margin;
      text += i == kGap ? std::string(kGapText)
                        : block(axis + 1, offset + i * tensor_.strides()[axis], indent + 1, width - 1);
    }
    return text + "]";
  }

  // The last dimension: elements side by side, in as many lines as they need. The margin of the first line is
  // left to the caller, but counts.
  std::string row(std::int64_t offset, int indent, std::int64_t width) const {
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    const std::int64_t limit = width - 1;  // for the bracket that closes
    std::string done = "[";
    std::string line;  // after the margin
    bool is_first = true;
    for (const std::int64_t i : shown(tensor_.shape()[tensor_.rank() - 1])) {
      if (!is_first) line += ' ';
      is_first = false;
      const std::string word =
          i == kGap ? std::string(kGapText) : format_(data_[offset + i * tensor_.strides().back()]);
      // An empty line gets its word even where that is too long.
      if (!line.empty() && std::ssize(margin) + std::ssize(line) + std::ssize(word) > limit) {
        line.erase(line.find_last_not_of(' ') + 1);
        done += line + "\n" + margin;
        line.clear();
      }
      line += word;
    }
    return done + line + "]";
  }

  const Tensor& tensor_;
  const T* data_;
  const PrintOptions& options_;
  bool is_cut_;
  ElementFormat<T> format_;
};

template <Element T>
std::string list_text(const Tensor& tensor, int axis, std::int64_t offset) {
  if (axis == tensor.rank()) {
    const T value = tensor.data<T>()[offset];
    if constexpr (std::is_same_v<T, float>) {
      return repr(value);
    } else {
      return scalar_text_of(value);
    }
  }
  std::string text = "[";
  for (std::int64_t i = 0; i < tensor.shape()[axis]; ++i) {
    if (i > 0) text += ", ";
    text += list_text<T>(tensor, axis + 1, offset + i * tensor.strides()[axis]);
  }
  return text + "]";
}

void require_not_negative(std::string_view option, std::int64_t value) {
  if (value < 0) {
    throw ValueError("print: " + std::string(option) + " is " + std::to_string(value) +
                     ", expected 0 or more");
  }
}

}  // namespace

std::string to_string(const Tensor& tensor, const PrintOptions& options) {
  require_not_negative("precision", options.precision);
  require_not_negative("edgeitems", options.edgeitems);
  if (!tensor.defined()) return "undefined";
  if (tensor.numel() == 0) return "[]";
  return visit_dtype(tensor.dtype(), [&]<typename T>() {
    return tensor.rank() == 0 ? scalar_text_of(*tensor.data<T>()) : Layout<T>(tensor, options).text();
  });
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) { return out << to_string(tensor); }

std::string to_list_string(const Tensor& tensor) {
  return visit_dtype(tensor.dtype(), [&]<typename T>() {
    static_cast<void>(tensor.data<T>());  // throws where it is undefined
    return list_text<T>(tensor, 0, 0);
  });
}

std::string repr(double number) { return scalar_text(number); }

}  // namespace wick
