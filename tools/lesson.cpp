// wick lesson N: the course's print-outs.

#include <ostream>

#include <wick/framework/text.h>
#include <wick/tools/command.h>
#include <wick/tools/lesson.h>
#include <wick/tools/options.h>

namespace wick::tools {

const char* python_bool(bool value) { return value ? "True" : "False"; }

int lesson_command(Arguments arguments, std::ostream& out) {
  Options options("wick lesson", "4|5 [options]",
                  "What the course's lesson 4 (from lookup to learned attention) or 5 (a retrieval-style "
                  "attention layer) prints, line for line.");
  options.add_positional("number");
  options.add_switch("exercises", "the lesson's exercises instead");
  options.add_dtype("float64");
  if (!options.parse(arguments, out)) return 0;
  const DType dtype = options.dtype();
  const std::string number = options.has("number") ? options.text("number") : "";
  const bool exercises = options.has("exercises");
  if (number == "4") {
    (exercises ? print_lesson4_exercises : print_lesson4)(dtype, out);
  } else if (number == "5") {
    (exercises ? print_lesson5_exercises : print_lesson5)(dtype, out);
  } else {
    throw UsageError(number.empty() ? "a lesson's number is missing; there are 4 and 5"
                                    : "there is no lesson " + repr(number) + "; there are 4 and 5");
  }
  return 0;
}

}  // namespace wick::tools
