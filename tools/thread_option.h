#pragma once

#include <wick/tools/options.h>

namespace wick::tools {

/// --threads N, for commands that may take a while.
void add_thread_option(Options& options);

/// Sets how many threads ops have from here on: what --threads says, else OMP_NUM_THREADS, else one. (Threads
/// of OpenMP wait for each other in loops. Where they share the processors with somebody else, two of them
/// were seen to take ten times as long as one: so nobody gets them unasked.) No result depends on it.
void use_threads(const Options& options);

}  // namespace wick::tools
