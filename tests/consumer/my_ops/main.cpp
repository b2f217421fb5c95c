// The program that tests the op: ./my_ops check.

#include "squares.h"
#include <wick/tools/tester.h>

int main(int argc, char** argv) { return wick::testing::main(argc, argv, {squares_spec()}); }
