# shellcheck shell=bash
# The checks that only tools/check --full runs: what takes minutes, and what one would not install for every change.
# Sourced by tools/check, never run.

: "${root:?} ${builds:?} ${release:?}" # from setup.sh

# --- embedded ---------------------------------------------------------------------------------------------------

check_embedded() {
  set_up test
  build_release
  WICK_EMBEDDED_WHOLE=1 run_tests "$release" --tests-regex '^embedded$'
}

# --- tsan -------------------------------------------------------------------------------------------------------

# Clang and its own OpenMP: the thread sanitizer cannot see how GCC's runtime lets threads wait for each other. LLVM's
# tells it through a tool of its own (Archer, which it loads by itself beside the sanitizer); the runtime's inside is not
# instrumented, and has to be left out. More threads than processors, so that there are races to see on any machine.
check_tsan() {
  set_up tsan
  export OMP_NUM_THREADS=4 TSAN_OPTIONS=ignore_noninstrumented_modules=1
  # The cut-down sanitizers' build: see check_sanitizers.
  build_and_test tsan -DCMAKE_BUILD_TYPE=RelWithDebInfo -DWICK_SANITIZE=thread \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -gline-tables-only'
  if "$builds/tsan/tools/wick" info | grep -q 'without OpenMP'; then
    complain 'this build has no OpenMP, so its ops had no threads to watch'
    return 1
  fi
}

# --- emulated ---------------------------------------------------------------------------------------------------

# A processor as QEMU names it, and the instruction set that has to be chosen there. The last has AVX2, but an operating
# system that does not save its registers.
emulated_processors=('Nehalem sse2' 'Haswell avx2' 'Haswell,-xsave sse2')

check_emulated() {
  local one processor expected pid pids=() failed=0
  set_up emulated
  build_release
  say "left out of the tests of ops, because they take minutes in an emulator: $not_emulated"
  # Side by side, since the tests mostly run on one thread.
  for one in "${emulated_processors[@]}"; do
    read -r processor expected <<<"$one"
    {
      trap - INT # which a shell turns off for what runs in the background
      check_emulated_processor 2>&1 | sed -u "s/^/$processor: /" >&2
    } &
    pids+=("$!")
  done
  for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
  return "$failed"
}

# What takes minutes there, and is the same on any processor: ops by the million, memory, and how threads share work.
not_emulated='DeepChain.*:Attention.MemoryGrowsAsTheSequence:Attention.TheSameBitsOnOneTwoAndThreeThreads'
not_emulated+=':Threads.TheSameBitsOnOneTwoThreeAndFour'

check_emulated_processor() {
  local emulator chosen said there failed=0 wick=$release/tools/wick lesson5=$root/tests/goldens/lesson5.txt
  emulator=$(find_emulator)
  # Of the model's features QEMU lacks a few that have nothing to do with arithmetic, and says so each time. Threads that
  # wait in a loop are emulated too, so they had better sleep.
  emulate() {
    env OMP_WAIT_POLICY=passive "${settings[@]}" "$emulator" -cpu "$processor" "$@" 2> >(grep -v "TCG doesn't support requested feature" >&2)
  }

  local settings=()
  chosen=$(emulate "$wick" info | sed -n 's/^chosen *//p') || true # it is judged below
  [[ $chosen == "$expected" ]] || {
    complain "chose '$chosen', expected $expected"
    failed=1
  }
  emulate "$wick" lesson 5 | diff -u -- "$lesson5" - || {
    complain "lesson 5 prints something else"
    failed=1
  }

  settings=(WICK_ISA=avx512)
  there='scalar, sse2'
  [[ $expected == avx2 ]] && there+=', avx2'
  said=$(emulate "$wick" lesson 5 2>&1 >/dev/null) && {
    complain "WICK_ISA=avx512 was taken"
    failed=1
  }
  [[ $said == *"WICK_ISA=avx512: "*"; there are $there" ]] || {
    complain "with WICK_ISA=avx512 it says '$said', expected what there is: $there"
    failed=1
  }

  settings=()
  # QEMU 7.2 lets a masked load of AVX2 touch what its mask leaves out, which no processor does.
  [[ $expected == avx2 ]] && settings=(WICK_TESTS_OPEN_PAGES=1)
  run_gtest emulate "$release/tests/wick_ops_kernels_tests" || failed=1
  run_gtest emulate "$release/tests/wick_ops_tests" --gtest_filter="-$not_emulated" || failed=1
  return "$failed"
}

# Runs a test program through what is given before it. Only failures are shown; no test at all is one of them.
run_gtest() { # <command>…
  local log status=0
  log=$(mktemp)
  "$@" --gtest_brief=1 >"$log" 2>&1 </dev/null || status=1
  if ((status)) || ! grep -qE '^\[  PASSED  \] [1-9]' "$log"; then
    status=1
    tail -n 100 -- "$log" >&2
    complain "failed: $*"
  else
    say "$(grep -E '^\[==========\]' "$log" | tail -n 1 | sed 's/^\[=*\] //')"
  fi
  rm -f -- "$log"
  return "$status"
}

# --- symbols ----------------------------------------------------------------------------------------------------

# Of the Debug build, which nothing else compiles with either compiler. The Release builds have it as a test.
check_symbols() {
  local compiler folder objects failed=0
  set_up symbols
  for compiler in g++ clang++; do
    folder=$builds/symbols-$compiler
    CXX=$compiler configure "$folder" -DCMAKE_BUILD_TYPE=Debug -DWICK_BUILD_TOOLS=OFF -DWICK_BUILD_TESTS=OFF \
      -DWICK_BUILD_BENCH=OFF
    build "$folder" --target wick_kernels
    objects=$(find "$folder/ops/kernels" -name '*.o' | paste -sd ,)
    cmake -DNM="$(command -v nm)" -DREADELF="$(command -v readelf)" -DOBJECTS="$objects" \
      -P "$root/tests/ops/kernels/check_units.cmake" || {
      complain "$compiler, Debug: the units of ops/kernels share code, or run some before they are asked"
      failed=1
    }
  done
  return "$failed"
}

# --- tidy -------------------------------------------------------------------------------------------------------

check_tidy() {
  local log
  set_up tidy
  # Nothing is built here, only the list of commands is read. A file that is not in it is read as its neighbours are.
  CXX=clang++ configure "$builds/tidy" -DCMAKE_BUILD_TYPE=Release -DWICK_WERROR=ON -DWICK_BUILD_TOOLS=ON \
    -DWICK_BUILD_TESTS=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
  log=$builds/tidy/tidy.log
  files '*.cpp' | tr '\n' '\0' |
    (cd -- "$root" && xargs -0 -n 1 -P "$(processors)" clang-tidy --quiet --warnings-as-errors='*' -p "$builds/tidy") \
      >"$log" 2>&1 || {
    grep -vE '^[0-9]+ warnings? ' -- "$log" >&2 || true
    complain 'clang-tidy finds the above (.clang-tidy says what it looks for)'
    return 1
  }
}

# --- fuzz -------------------------------------------------------------------------------------------------------

# As many runs as take about a minute. The same seed and the same start make the same inputs.
fuzz_runs=500000

check_fuzz() {
  local folder=$builds/fuzz format failed=0
  set_up fuzz
  CXX=clang++ configure "$folder" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DWICK_BUILD_TOOLS=OFF -DWICK_BUILD_TESTS=ON \
    -DWICK_BUILD_BENCH=OFF -DWICK_SANITIZE=address,undefined,fuzzer-no-link \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -gline-tables-only -D_GLIBCXX_ASSERTIONS'
  for format in npy safetensors; do
    build "$folder" --target "wick_${format}_fuzz"
    fuzz_reader || failed=1
  done
  return "$failed"
}

fuzz_reader() {
  local tests=$root/tests/framework kept=$folder/found-$format corpus=$folder/corpus-$format log=$folder/fuzz-$format.log runs
  rm -rf -- "$corpus" "$kept"
  mkdir -- "$corpus" "$kept"
  # The limits: no input may make the reader take more memory than a small array needs, or more than seconds.
  "$folder/tests/wick_${format}_fuzz" -runs="$fuzz_runs" -seed=1 -max_len=512 -timeout=10 -malloc_limit_mb=16 \
    -dict="$tests/$format.dict" -artifact_prefix="$kept/" "$corpus" "$tests/${format}_inputs" >"$log" 2>&1 </dev/null || {
    grep -vE '^(#[0-9]|INFO:|Running|Executed)' -- "$log" | head -n 60 >&2 || true # without its progress
    complain "the input is kept in: $(find "$kept" -type f)"
    complain "copy it to tests/framework/${format}_inputs/ under a name that tells what it is: from then on it is a test"
    return 1
  }
  runs=$(grep -E '^Done [1-9]' "$log") # or nothing was tried
  say "$format: $runs"
}

# --- depth ------------------------------------------------------------------------------------------------------

# All that the library does on a main stack (and on OpenMP's threads, which get the same) of
# 256 KiB. DeepChain's graphs of a million ops are what would show recursion.
check_depth() {
  local tests failed=0
  set_up test
  build_release
  ulimit -s 256
  for tests in framework ops_kernels ops models; do
    run_gtest "$release/tests/wick_${tests}_tests" || failed=1
  done
  run_gtest "$release/tests/wick_ops_tests" --gtest_filter='DeepChain.*' || failed=1 # they are there
  return "$failed"
}
