// The least that an outer project may do with wick: it needs no kernel, so none is compiled for it.

#include <iostream>

#include <wick/framework/makers.h>
#include <wick/framework/print.h>

int main() { std::cout << wick::arange(3) << '\n'; }
