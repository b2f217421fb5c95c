#pragma once

#include <iosfwd>

#include <wick/framework/dtype.h>

namespace wick::tools {

/// The course's lessons: what they print, line for line, computed in `dtype`.
void print_lesson4(DType dtype, std::ostream& out);
void print_lesson4_exercises(DType dtype, std::ostream& out);
void print_lesson5(DType dtype, std::ostream& out);
void print_lesson5_exercises(DType dtype, std::ostream& out);

/// "True" or "False", as Python prints them.
const char* python_bool(bool value);

}  // namespace wick::tools
