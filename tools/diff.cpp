// wick diff: where two runs begin to differ.

#include <algorithm>
#include <filesystem>
#include <limits>
#include <ostream>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/npy.h>
#include <wick/framework/text.h>
#include <wick/tools/command.h>
#include <wick/tools/difference.h>
#include <wick/tools/options.h>
#include <wick/tools/save_folder.h>
#include <wick/tools/terminal.h>
#include <wick/tools/text_table.h>

namespace wick::tools {
namespace {

namespace fs = std::filesystem;

// One array of both sides: what its line says, and what is shown of it where it is the first that differs.
struct Finding {
  std::string name;
  std::string line;      // "3 of 192 elements differ, …"
  bool is_same = false;  // to the bit
  bool is_different = false;
  std::string where;  // what stands behind the name: "[0, 3], 2 ULP (1.1e-16) apart"
  std::string a;
  std::string b;
};

// `between` and `after` set the number beside the ULP, where there are any: "2 ULP (1.1e-16)".
std::string text_of(const Distance& distance, const char* between, const char* after) {
  const std::string number = short_number(distance.absolute);
  return distance.ulp ? std::to_string(*distance.ulp) + " ULP" + between + number + after : number;
}

// As an index into the array is written: "[0, 3]", and "[()]" for the only element of rank 0.
std::string index_of(const Dimensions& position) {
  std::string text;
  for (const std::int64_t index : position) text += (text.empty() ? "" : ", ") + std::to_string(index);
  return "[" + (text.empty() ? "()" : text) + "]";
}

std::string description(const Tensor& x) {
  return x.defined() ? to_string(x.shape()) + " " + std::string(name(x.dtype())) : "is not there";
}

// An undefined tensor is one that only the other side has.
Finding compare(const std::string& name, const Tensor& a, const Tensor& b, const Tolerance& tolerance) {
  Finding finding;
  finding.name = name;
  finding.a = description(a);
  finding.b = description(b);
  finding.is_different = true;
  if (!a.defined() || !b.defined()) {
    finding.line = a.defined() ? "only in A" : "only in B";
  } else if (!(a.shape() == b.shape())) {
    finding.line = "the shapes differ";
  } else if (!are_comparable(a.dtype(), b.dtype(), tolerance)) {
    finding.line = "the types differ";
  } else {
    const Difference found = difference_of(a, b, tolerance);
    finding.is_same = found.inexact == 0;
    finding.is_different = found.differing > 0;
    const std::string most =
        found.largest ? ", at most " + text_of(*found.largest, " and ", "") + " apart" : "";
    if (found.first) {
      finding.where = index_of(found.first->position);
      if (found.first->distance)
        finding.where += ", " + text_of(*found.first->distance, " (", ")") + " apart";
      finding.a = found.first->a;
      finding.b = found.first->b;
      finding.line = std::to_string(found.differing) + " of " + std::to_string(found.elements) +
                     (found.elements == 1 ? " element" : " elements") +
                     (found.differing == 1 ? " differs" : " differ") + most;
    } else {
      finding.line = finding.is_same ? "equal" : "within the tolerance" + most;
    }
  }
  if (finding.where.empty()) finding.where = ": " + finding.line;
  return finding;
}

// Throws FileError where there is nothing.
bool is_folder(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    if (!error) error = std::make_error_code(std::errc::no_such_file_or_directory);
    throw FileError(escaped(path) + ": cannot open: " + error.message());
  }
  return fs::is_directory(status);
}

// The names of both in the order of `a`; what only `b` has comes behind what comes before it there.
std::vector<std::string> merged(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> names = a;
  auto place = names.begin();
  for (const std::string& name : b) {
    const auto found = std::ranges::find(names, name);
    place = (found != names.end() ? found : names.insert(place, name)) + 1;
  }
  return names;
}

Tensor load(const std::string& folder, const SavedNames& saved, const std::string& name) {
  const bool is_there = std::ranges::find(saved.names, name) != saved.names.end();
  return is_there ? load_npy(fs::path(folder) / (name + ".npy")) : Tensor();
}

void show_lines(const std::vector<Finding>& findings, std::size_t width, std::ostream& out) {
  std::size_t indent = 0;
  for (const Finding& finding : findings) indent = std::max(indent, columns_of(finding.name) + 2);
  for (const Finding& finding : findings) {
    out << finding.name << std::string(indent - columns_of(finding.name), ' ')
        << wrapped(finding.line, width, indent) << "\n";
  }
}

// The exit code.
int show(const std::vector<Finding>& findings, std::ostream& out) {
  const std::size_t width = terminal_width().value_or(std::numeric_limits<std::size_t>::max());
  const auto first = std::ranges::find(findings, true, &Finding::is_different);
  if (first != findings.end()) {
    out << wrapped("first difference: " + first->name + first->where, width) << "\n";
    out << "  A  " << wrapped(first->a, width, 5) << "\n";
    out << "  B  " << wrapped(first->b, width, 5) << "\n\n";
    show_lines(findings, width, out);
    return 1;
  }
  const std::string counted = std::to_string(findings.size()) + (findings.size() == 1 ? " array" : " arrays");
  if (std::ranges::all_of(findings, &Finding::is_same)) {
    out << counted << ", equal to the bit\n";
  } else {
    out << counted << ", equal within the tolerance\n\n";
    show_lines(findings, width, out);
  }
  return 0;
}

int diff_folders(const std::string& a, const std::string& b, const Tolerance& tolerance, std::ostream& out) {
  const SavedNames in_a = saved_names(a);
  const SavedNames in_b = saved_names(b);
  std::vector<Finding> findings;
  for (const std::string& name :
       in_a.has_order || !in_b.has_order ? merged(in_a.names, in_b.names) : merged(in_b.names, in_a.names)) {
    findings.push_back(compare(escaped(name), load(a, in_a, name), load(b, in_b, name), tolerance));
  }
  const int exit_code = show(findings, out);
  if (exit_code != 0 && !in_a.has_order && !in_b.has_order) {
    out << "\nthe order is alphabetical: neither folder has a steps.json\n";
  }
  return exit_code;
}

}  // namespace

int diff_command(Arguments arguments, std::ostream& out) {
  Options options(
      "wick diff", "A B [options]",
      "Where two runs begin to differ. A and B are two folders of wick attend --save, compared array by "
      "array in the order in which they were computed (alphabetically, where neither has the steps.json "
      "that says it), or two .npy files. Shows the first difference: its index, both values, and how many "
      "ULP (steps from one float to the next) they are apart. Equal means to the bit: 0 is not -0, and "
      "float32 is not float64. With a tolerance these are compared too, their ULP counted in float32. Two "
      "NaN are always equal. The exit code is 0 where all is equal, 1 where not.");
  options.add_positional("A");
  options.add_positional("B");
  options.add("ulp", "N", "0", "floats that are at most so many ULP apart are equal");
  options.add("rtol", "X", "0", "so are numbers whose distance is at most X times that in B");
  options.add("atol", "X", "0", "... plus this");
  if (!options.parse(arguments, out)) return 0;
  const std::string& a = options.argument("A", "A");
  const std::string& b = options.argument("B", "B");
  const Tolerance tolerance{.relative = options.number_from_0("rtol"),
                            .absolute = options.number_from_0("atol"),
                            .ulp = options.unsigned_number("ulp", std::numeric_limits<std::uint32_t>::max())};
  const bool are_folders = is_folder(a);
  if (are_folders != is_folder(b)) {
    throw UsageError("A is a " + std::string(are_folders ? "folder and B a file" : "file and B a folder") +
                     ", expected two folders or two .npy files");
  }
  if (are_folders) return diff_folders(a, b, tolerance, out);
  return show({compare("array", load_npy(a), load_npy(b), tolerance)}, out);
}

}  // namespace wick::tools
