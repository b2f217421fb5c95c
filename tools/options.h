#pragma once

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

#include <wick/framework/dtype.h>
#include <wick/tools/program.h>

namespace wick::tools {

/// The options of one command: declared with Boost.Program_options, read with errors that name option and
/// value. Values are declared as strings, since the library's own numbers take "-1" for unsigned and tell no
/// range.
class Options {
 public:
  /// The help begins with "usage: `command` `synopsis`" (command: "wick attend"; synopsis: "[options]") and
  /// the purpose.
  Options(std::string command, std::string synopsis, std::string purpose);

  /// An option with a value, named `value_name` in the help, with its default written out; "" where it has
  /// none.
  void add(const char* name, const char* value_name, const char* default_value, const char* help);
  /// An option without a value.
  void add_switch(const char* name, const char* help);
  /// An option with any number of values: `--in a --in b`, or `--in a b`. It takes all that follows up to the
  /// next option or `--`, so an argument without a name stands in front of it.
  void add_list(const char* name, const char* value_name, const char* help);
  /// An argument without a name in front, in the order of their adding.
  void add_positional(const char* name);
  /// All further arguments without a name in front, any number of them: see texts().
  void add_rest(const char* name);

  /// False where --help was asked for and printed. Throws UsageError for what was not declared, given twice,
  /// or lacks its value; names are not guessed from their beginnings.
  bool parse(Arguments arguments, std::ostream& out);

  bool has(const char* name) const { return values_.count(name) != 0; }
  /// Whether the command line has it, so that its value is no default.
  bool is_given(const char* name) const { return has(name) && !values_[name].defaulted(); }
  const std::string& text(const char* name) const { return values_[name].as<std::string>(); }
  /// The values of a list or of the rest, in their order; none where it was not given.
  std::vector<std::string> texts(const char* name) const;
  /// A positional that has to be there. Throws UsageError "the first file is missing; …", `what` being "the
  /// first file"; an empty one is as good as missing.
  const std::string& argument(const char* name, const char* what) const;
  /// Throws UsageError "--save is empty, expected a folder".
  const std::string& text_of(const char* name, const char* what) const;
  /// The same of an option that has to be there. Throws UsageError "--prompt is missing; …" where it is not.
  const std::string& required_text(const char* name, const char* what) const;

  /// Throw UsageError "--length is '-1', expected a whole number from 1 to 10".
  std::int64_t whole_number(const char* name, std::int64_t smallest, std::int64_t largest) const;
  std::uint64_t unsigned_number(const char* name, std::uint64_t largest) const;
  /// Finite, in decimal notation.
  double number(const char* name) const;
  /// The same, 0 or more.
  double number_from_0(const char* name) const;
  /// One of the words.
  const std::string& choice(const char* name, std::initializer_list<std::string_view> words) const;
  /// --dtype.
  DType dtype() const;
  void add_dtype(const char* default_value);

 private:
  [[noreturn]] void fail(const char* name, const std::string& expected) const;
  [[noreturn]] void fail_with_hint(const std::string& reason) const;

  std::string command_;
  std::string synopsis_;
  std::string purpose_;
  boost::program_options::options_description described_;
  boost::program_options::options_description hidden_;
  boost::program_options::positional_options_description positional_;
  bool takes_any_rest_ = false;
  boost::program_options::variables_map values_;
};

}  // namespace wick::tools
