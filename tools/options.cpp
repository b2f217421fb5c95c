#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>

#include <wick/framework/text.h>
#include <wick/tools/options.h>
#include <wick/tools/terminal.h>

namespace wick::tools {
namespace {

namespace po = boost::program_options;

// An option's name where a value belongs is a value that was forgotten, not one; --out=--isa would be one.
void refuse_names_as_values(const po::parsed_options& parsed) {
  for (const po::option& option : parsed.options) {
    const std::vector<std::string>& words = option.original_tokens;
    if (option.position_key >= 0) continue;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (!words[i].starts_with("--")) continue;
      if (parsed.description->find_nothrow(words[i].substr(2), /*approx=*/false) != nullptr)
        throw po::error("the required argument for option '" + words[0] + "' is missing; '" + words[i] +
                        "' is an option");
    }
  }
}

}  // namespace

// The explanations get at least this much of the width: on a narrow terminal they begin below long names.
Options::Options(std::string command, std::string synopsis, std::string purpose)
    : command_(std::move(command)),
      synopsis_(std::move(synopsis)),
      purpose_(std::move(purpose)),
      described_("Options", static_cast<unsigned>(help_width()),
                 static_cast<unsigned>(help_width() / 2 + 8)) {
  add_switch("help,h", "print this help");
}

void Options::add(const char* name, const char* value_name, const char* default_value, const char* help) {
  auto* value = po::value<std::string>()->value_name(value_name);
  if (*default_value != '\0') value->default_value(default_value);
  described_.add_options()(name, value, help);
}

void Options::add_switch(const char* name, const char* help) { described_.add_options()(name, help); }

void Options::add_list(const char* name, const char* value_name, const char* help) {
  auto* value = po::value<std::vector<std::string>>()->value_name(value_name)->multitoken();
  described_.add_options()(name, value, help);
}

void Options::add_positional(const char* name) {
  hidden_.add_options()(name, po::value<std::string>());
  positional_.add(name, 1);
}

void Options::add_rest(const char* name) {
  hidden_.add_options()(name, po::value<std::vector<std::string>>());
  positional_.add(name, -1);
  takes_any_rest_ = true;
}

void Options::add_dtype(const char* default_value) {
  add("dtype", "TYPE", default_value, "float32 or float64");
}

bool Options::parse(Arguments arguments, std::ostream& out) {
  po::options_description all;
  all.add(described_).add(hidden_).add_options()("unexpected", po::value<std::vector<std::string>>());
  po::positional_options_description positional = positional_;
  if (!takes_any_rest_) positional.add("unexpected", -1);
  try {
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const po::parsed_options parsed =
        po::command_line_parser(std::vector<std::string>(arguments.begin(), arguments.end()))
            .options(all)
            .positional(positional)
            .style(style)
            .run();
    refuse_names_as_values(parsed);
    po::store(parsed, values_);
  } catch (const po::error& error) {
    fail_with_hint(error.what());
  }
  if (has("help")) {
    const std::string usage = "usage: ";
    out << usage << wrapped(command_ + " " + synopsis_, help_width() - 1, usage.size()) << "\n\n"
        << wrapped(purpose_, help_width() - 1) << "\n\n"
        << described_;
    return false;
  }
  if (has("unexpected")) {
    fail_with_hint("unexpected argument " +
                   repr(values_["unexpected"].as<std::vector<std::string>>().front()));
  }
  return true;
}

void Options::fail_with_hint(const std::string& reason) const {
  throw UsageError(reason + "; " + command_ + " --help tells the options");
}

std::vector<std::string> Options::texts(const char* name) const {
  return has(name) ? values_[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

const std::string& Options::argument(const char* name, const char* what) const {
  if (!has(name) || text(name).empty()) fail_with_hint(std::string(what) + " is missing");
  return text(name);
}

const std::string& Options::text_of(const char* name, const char* what) const {
  if (text(name).empty()) throw UsageError("--" + std::string(name) + " is empty, expected " + what);
  return text(name);
}

const std::string& Options::required_text(const char* name, const char* what) const {
  if (!has(name)) fail_with_hint("--" + std::string(name) + " is missing");
  return text_of(name, what);
}

void Options::fail(const char* name, const std::string& expected) const {
  throw UsageError("--" + std::string(name) + " is " + repr(text(name)) + ", expected " + expected);
}

std::int64_t Options::whole_number(const char* name, std::int64_t smallest, std::int64_t largest) const {
  const std::optional<std::int64_t> number = number_in<std::int64_t>(text(name));
  if (!number || *number < smallest || *number > largest) {
    fail(name, "a whole number from " + std::to_string(smallest) + " to " + std::to_string(largest));
  }
  return *number;
}

std::uint64_t Options::unsigned_number(const char* name, std::uint64_t largest) const {
  const std::optional<std::uint64_t> number = number_in<std::uint64_t>(text(name));
  if (!number || *number > largest) fail(name, "a whole number from 0 to " + std::to_string(largest));
  return *number;
}

double Options::number(const char* name) const {
  const std::optional<double> number = number_in<double>(text(name));
  if (!number || !std::isfinite(*number)) fail(name, "a finite number, such as 0.1");
  return *number;
}

double Options::number_from_0(const char* name) const {
  const std::optional<double> number = number_in<double>(text(name));
  if (!number || !std::isfinite(*number) || *number < 0)
    fail(name, "a finite number from 0 on, such as 1e-5");
  return *number;
}

const std::string& Options::choice(const char* name, std::initializer_list<std::string_view> words) const {
  if (std::ranges::find(words, text(name)) == words.end()) {
    std::string expected;
    for (const std::string_view& word : words) {
      if (!expected.empty()) expected += &word == words.end() - 1 ? " or " : ", ";
      expected += word;
    }
    fail(name, expected);
  }
  return text(name);
}

DType Options::dtype() const {
  return choice("dtype", {"float32", "float64"}) == "float32" ? float32 : float64;
}

}  // namespace wick::tools
