// One op over files, so that whoever reads .npy can judge it.

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <set>
#include <span>
#include <utility>

#include <wick/framework/graph.h>
#include <wick/framework/npy.h>
#include <wick/framework/text.h>
#include <wick/framework/threads.h>
#include <wick/framework/write_file.h>
#include <wick/ops/testing/gradcheck.h>
#include <wick/tools/op_commands.h>
#include <wick/tools/options.h>

namespace wick::tools {
namespace {

namespace fs = std::filesystem;

using testing::Attributes;
using testing::AttributeValue;
using testing::Inputs;
using testing::OpInput;
using testing::OpSpec;

constexpr const char* kLeftOut = "-";
constexpr int kMostThreads = 1024;

// What is to be written where.
using Results = std::vector<std::pair<std::string, Tensor>>;

void declare(Options& options) {
  options.add_positional("name");
  options.add_list("in", "FILE", "the inputs, in the order of the op's signature (see list)");
  options.add_list("arg", "KEY=VALUE", "attributes: axis=0, axes=0,2,1, keepdims=true, fill=-inf");
  options.add("out", "FILE", "", "where the result goes");
  options.add("grad-out", "FILE", "",
              "the gradient of the result, in its shape and type, to go backward from");
  options.add_list(
      "grad-in", "FILE",
      "where the gradients of the inputs go: one file for each floating input, in their order; - for "
      "one that is not wanted");
  options.add("isa", "SET", "", "the instruction set (see wick info; default: the widest)");
  options.add("threads", "N", "",
              "how many threads the op may use, in a build with OpenMP (default: OMP_NUM_THREADS, or the "
              "processors)");
}

std::string counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string in_brackets(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? " (" : ", ") + name;
  return text.empty() ? text : text + ")";
}

Attributes read_attributes(const OpSpec& spec, const std::vector<std::string>& texts) {
  return from_command_line("--arg: ", [&] {
    std::map<std::string, AttributeValue> given;
    for (const std::string& text : texts) {
      if (!given.insert(parse_attribute(spec.attributes, text)).second)
        throw ValueError("the attribute " + text.substr(0, text.find('=')) + " is given more than once");
    }
    return Attributes(spec.attributes, given);
  });
}

Inputs read_inputs(const OpSpec& spec, const Options& options) {
  const std::vector<std::string> files = options.texts("in");
  if (files.size() != spec.inputs.size()) {
    std::vector<std::string> names;
    for (const OpInput& input : spec.inputs) names.push_back(input.name);
    throw UsageError(signature(spec) + " takes " + counted(names.size(), "input") + in_brackets(names) +
                     ", --in names " + counted(files.size(), "file"));
  }
  Inputs inputs;
  for (const std::string& file : files) inputs.push_back(load_npy(file));
  return inputs;
}

std::string described(const Tensor& tensor) {
  return to_string(tensor.shape()) + " of " + std::string(name(tensor.dtype()));
}

// The gradients that --grad-in asks for, under their files' names.
Results backward(const OpSpec& spec, const Attributes& attributes, const Inputs& inputs, const Tensor& output,
                 const Options& options) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (is_floating(inputs[i].dtype())) names.push_back(spec.inputs[i].name);
  }
  if (!is_floating(output.dtype())) {
    throw UsageError("--grad-out: the result is " + described(output) + ", which has no gradient");
  }
  const std::vector<std::string> files = options.texts("grad-in");
  if (files.size() != names.size()) {
    throw UsageError(signature(spec) + " has gradients for " + counted(names.size(), "input") +
                     in_brackets(names) + ", --grad-in names " + counted(files.size(), "file") +
                     "; - stands for one that is not wanted");
  }
  const std::string& grad_out = options.text("grad-out");
  const Tensor gradient = load_npy(grad_out);
  if (!(gradient.shape() == output.shape()) || gradient.dtype() != output.dtype()) {
    throw ShapeError("--grad-out: " + grad_out + " is " + described(gradient) + ", the result is " +
                     described(output));
  }
  const auto forward = [&](const Inputs& given) { return spec.forward(given, attributes); };
  Results results;
  for (const Tensor& found : testing::gradients_of(forward, inputs, gradient)) {
    if (found.defined()) results.emplace_back(files[results.size()], found);
  }
  std::erase_if(results, [](const auto& result) { return result.first == kLeftOut; });
  return results;
}

// One for all the names of a file.
fs::path place_of(const std::string& file) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(file), error);
  return error ? fs::path(file) : place;
}

void require_names(const Options& options) {
  if (!options.has("out")) throw UsageError("--out is missing, expected a file for the result");
  options.text_of("out", "a file");
  if (options.has("grad-out")) options.text_of("grad-out", "a file");
  for (const char* list : {"in", "grad-in"}) {
    if (std::ranges::count(options.texts(list), "") != 0)
      throw UsageError("--" + std::string(list) + " is empty, expected a file");
  }
  if (options.has("grad-out") != options.has("grad-in"))
    throw UsageError("--grad-out and --grad-in need each other: one is given without the other");
  std::vector<std::string> files = options.texts("grad-in");
  std::erase(files, kLeftOut);
  files.push_back(options.text("out"));
  std::set<fs::path> places;
  for (const std::string& file : files) {
    if (!places.insert(place_of(file)).second)
      throw UsageError("two results would go into one file, " + repr(file));
  }
}

// All of them or none.
void write(const Results& results) {
  std::vector<std::vector<std::byte>> contents;
  std::vector<FileContent> files;
  for (const auto& [file, value] : results) contents.push_back(encode_npy(value));
  for (std::size_t i = 0; i < results.size(); ++i) files.push_back({results[i].first, {contents[i]}});
  write_files(files);
}

}  // namespace

int op_run(const Tester& tester, Arguments arguments, std::ostream& out) {
  Options options(
      tester.caller + " run", "NAME --in FILE… --out FILE [options]",
      "Runs one op over .npy files, in the type that they hold, and its backward where gradients are "
      "asked for. Files are written once everything is computed, all of them or none.");
  declare(options);
  if (!options.parse(arguments, out)) return 0;
  const std::string& name = options.argument("name", "the name of an op");
  const OpSpec& spec =
      from_command_line("", [&]() -> const OpSpec& { return find_spec(tester.specs, name); });
  require_names(options);
  const Attributes attributes = read_attributes(spec, options.texts("arg"));
  if (options.has("isa")) choose_instruction_set(options.text("isa"));
  if (options.has("threads"))
    set_thread_count(static_cast<int>(options.whole_number("threads", 1, kMostThreads)));

  const Inputs inputs = read_inputs(spec, options);
  const Tensor output = [&] {
    const NoGrad no_grad;
    return spec.forward(inputs, attributes);
  }();
  Results results;
  if (options.has("grad-out")) results = backward(spec, attributes, inputs, output, options);
  results.emplace_back(options.text("out"), output);
  write(results);
  return 0;
}

}  // namespace wick::tools
