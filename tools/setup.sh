# shellcheck shell=bash
# What tools/quickstart, tools/test, tools/check and tools/bench share: finding the checkout, installing what is missing, and
# building quietly. Sourced by them, never run. Everything said here goes to standard error, so that what a script
# is run for has standard output to itself.

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")

# Where builds go, each into a folder of its own. Another place serves a checkout that cannot be written to.
builds=${WICK_BUILDS:-$root/build}
[[ $builds == /* ]] || builds=$PWD/$builds

# The build that tools/quickstart, tools/test and tools/bench share.
release=$builds/release

say() { printf 'wick: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

usage_error() { # <script> <message>
  say "$2 (see $1 --help)"
  exit 2
}

has() { command -v "$1" >/dev/null 2>&1; }

processors() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1; }

# --- what is needed ---------------------------------------------------------------------------------------------
# Looked for by what it does, not by its package, so that whatever brought it is welcome.

# The compiler that CMake will take: sets cxx, to nothing where there is none.
find_compiler() {
  local name
  cxx=()
  if [[ -n ${CXX:-} ]]; then
    read -ra cxx <<<"$CXX" # "ccache g++" is two words
    has "${cxx[0]}" || cxx=()
    return
  fi
  for name in c++ g++ clang++; do
    if has "$name"; then
      cxx=("$name")
      return
    fi
  done
}

has_header() { # <header>
  local cxx prefix
  find_compiler
  if ((${#cxx[@]})); then
    printf '#if !__has_include(<%s>)\n#error missing\n#endif\n' "$1" | "${cxx[@]}" -E -x c++ - >/dev/null 2>&1
    return
  fi
  for prefix in /usr /usr/local; do
    [[ -e $prefix/include/$1 ]] && return
  done
  return 1
}

# Debian has the headers of all of Boost in one package, and each library in its own.
has_library() { # <name without lib>
  local cxx suffix
  find_compiler
  ((${#cxx[@]})) || return 1
  for suffix in so a dylib; do # a library that is not found comes back as its bare name
    [[ $("${cxx[@]}" -print-file-name="lib$1.$suffix") == */* ]] && return
  done
  return 1
}

has_cmake() {
  local version
  has cmake || return 1
  version=$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')
  printf '%s\n' 3.22 "$version" | sort -C -V
}

# As the tests look for it.
has_numpy() { sh "$root/tests/tools/with_numpy.sh" -c '' >/dev/null 2>&1; }

# The peers that tools/bench measures wick beside, as bench/ looks for them.
has_eigen() { has_header eigen3/Eigen/Core || has_header Eigen/Core; }
has_openblas() {
  local prefix
  has_library openblas || return 1
  has_header openblas_config.h && return
  for prefix in /usr/include /usr/include/\* /usr/local/include; do # which a glob alone may find
    compgen -G "$prefix/openblas*/openblas_config.h" >/dev/null && return
  done
  return 1
}
has_onednn() { has_header dnnl.h && has_library dnnl; }

# The Debian names of what no Python has for bench/report, which measures NumPy and PyTorch in one: the first that has
# both. What apt-get installs comes to /usr/bin/python3, so that one is made whole where none is.
missing_python_peers() {
  local python module
  for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy, torch' >/dev/null 2>&1 && return
  done
  python=python3
  if may_install; then python=/usr/bin/python3; fi
  for module in numpy torch; do
    "$python" -c "import $module" >/dev/null 2>&1 || echo "python3-$module"
  done
}

# Clang's own libraries for -fsanitize, which Debian packs apart from the compiler.
has_clang_sanitizers() {
  local program status=0
  program=$(mktemp)
  printf 'int main() {}\n' | clang++ -x c++ -fsanitize=address,undefined -o "$program" - >/dev/null 2>&1 || status=$?
  rm -f -- "$program"
  return "$status"
}

# Debian packs Clang's runtime of OpenMP apart too.
has_clang_openmp() {
  local program status=0
  program=$(mktemp)
  printf '#include <omp.h>\nint main() { return omp_in_parallel(); }\n' |
    clang++ -x c++ -fopenmp=libomp -o "$program" - >/dev/null 2>&1 || status=$?
  rm -f -- "$program"
  return "$status"
}

# Prints the program that runs another processor's programs for Linux.
find_emulator() { command -v qemu-x86_64 || command -v qemu-x86_64-static; }

# The Debian names of what is missing for building, for the tests and for single checks, one a line.
missing_for() { # <build|test|bench|format|scripts|clang|sanitizers|tsan|emulated|symbols|tidy|fuzz>
  local cxx
  case $1 in
    build)
      find_compiler
      ((${#cxx[@]})) || echo g++
      has_cmake || echo cmake
      has ninja || has make || echo ninja-build
      has_header xsimd/xsimd.hpp || echo libxsimd-dev
      has_header nlohmann/json.hpp || echo nlohmann-json3-dev
      { has_header boost/program_options.hpp && has_library boost_program_options; } ||
        echo libboost-program-options-dev
      ;;
    test)
      missing_for build
      has_header gtest/gtest.h || echo libgtest-dev
      ;;
    bench)
      missing_for build
      has python3 || echo python3
      has_header benchmark/benchmark.h || echo libbenchmark-dev
      ;;
    format) has clang-format || echo clang-format ;;
    scripts) has shellcheck || echo shellcheck ;;
    clang)
      missing_for test
      has clang++ || echo clang
      ;;
    sanitizers)
      missing_for clang
      has_clang_sanitizers || echo libclang-rt-dev
      ;;
    tsan)
      missing_for sanitizers
      has_clang_openmp || echo libomp-dev
      ;;
    emulated)
      missing_for test
      find_emulator >/dev/null || echo qemu-user
      ;;
    symbols)
      missing_for build
      has g++ || echo g++
      has clang++ || echo clang
      { has nm && has readelf; } || echo binutils
      ;;
    tidy)
      missing_for clang
      has clang-tidy || echo clang-tidy
      ;;
    fuzz) missing_for sanitizers ;;
  esac
}

# What can be done without, with less done.
wanted_for() { # <build|test|bench|…>
  local cxx
  case $1 in
    test | clang | sanitizers | tsan)
      has_numpy || echo python3-numpy
      has_header benchmark/benchmark.h || echo libbenchmark-dev
      ;;&
    clang | sanitizers) has_clang_openmp || echo libomp-dev ;;
    bench) # the peers
      has_eigen || echo libeigen3-dev
      has_openblas || echo libopenblas-dev
      has_onednn || echo libdnnl-dev
      missing_python_peers
      ;;
  esac
}

# --- installing it ----------------------------------------------------------------------------------------------

as_root() {
  if ((EUID == 0)); then
    "$@"
  else
    sudo -n "$@"
  fi
}

may_install() {
  has apt-get && { ((EUID == 0)) || { has sudo && sudo -n true 2>/dev/null; }; }
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 \
    "$@" </dev/null
}

install_packages() { # <log> <package>…
  local log=$1
  shift
  say "installing $*"
  apt install --no-install-recommends "$@" >>"$log" 2>&1 && return
  cat -- "$log" >&2
  : >"$log" # which has been told
  say "apt-get could not install $* (what it said is above)"
}

# Sees to it that all that is needed is there, or says what is not, and stops.
set_up() { # <build|test|bench|…>
  local missing wanted package log
  mapfile -t missing < <(missing_for "$1")
  mapfile -t wanted < <(wanted_for "$1")
  if ((${#missing[@]} + ${#wanted[@]})) && may_install; then
    log=$(mktemp)
    # One source that does not answer need not be the one with these packages, so only the install decides.
    { apt update || true; } >"$log" 2>&1
    if ((${#missing[@]})); then install_packages "$log" "${missing[@]}"; fi
    # One by one: apt-get installs nothing at all where it does not know one of the names.
    for package in "${wanted[@]}"; do install_packages "$log" "$package"; done
    rm -f -- "$log"
    mapfile -t missing < <(missing_for "$1")
    mapfile -t wanted < <(wanted_for "$1")
  fi
  if ((${#missing[@]})); then
    if has apt-get; then
      die "missing: ${missing[*]}; install with: sudo apt-get update && sudo apt-get install -y ${missing[*]}"
    fi
    die "missing: ${missing[*]} (Debian's names; install what your system calls them, then run this again)"
  fi
  if [[ $1 == bench ]] && ((${#wanted[@]})); then
    say "without ${wanted[*]}: those peers are left out"
    return
  fi
  if [[ " ${wanted[*]} " == *" python3-numpy "* ]]; then
    say "without python3-numpy: the comparisons with NumPy are skipped"
  fi
  if [[ " ${wanted[*]} " == *" libbenchmark-dev "* ]]; then
    say "without libbenchmark-dev: bench/ is not built"
  fi
}

# --- building ---------------------------------------------------------------------------------------------------

# Runs a command with its output in a log, which is shown only if the command fails: warnings and errors, without
# the lines that count the steps.
quietly() { # <log> <command>…
  local log=$1 status=0
  shift
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if ((status)); then
    { grep -vE '^\[ *[0-9]+(/[0-9]+|%)\] ' -- "$log" || true; } | head -n 300 >&2
    say "failed: $* (all of it is in $log)"
  fi
  return "$status"
}

# A build of this checkout in a folder of its own.
configure() { # <folder> <cmake argument>…
  local folder=$1 generator=()
  shift
  if ! mkdir -p -- "$folder" 2>/dev/null || ! [[ -w $folder ]]; then
    die "cannot write to $folder (WICK_BUILDS=FOLDER names another place for builds)"
  fi
  # CMake refuses a build folder that was copied or moved along with its checkout.
  if [[ -e $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    say "$folder is the build of another folder; starting it afresh"
    rm -rf -- "$folder"
    mkdir -p -- "$folder"
  fi
  if [[ ! -e $folder/CMakeCache.txt && -z ${CMAKE_GENERATOR:-} ]] && has ninja; then
    generator=(-G Ninja)
  fi
  quietly "$folder/configure.log" cmake -S "$root" -B "$folder" "${generator[@]}" "$@"
}

build() { # <folder> <cmake --build argument>…
  local folder=$1
  shift
  say "building in $folder (some minutes when nothing is built yet)"
  quietly "$folder/build.log" cmake --build "$folder" --parallel "$(processors)" "$@"
}

build_release() {
  configure "$release" -DCMAKE_BUILD_TYPE=Release -DWICK_BUILD_TOOLS=ON -DWICK_BUILD_TESTS=ON \
    -DWICK_WERROR="${WICK_WERROR:-OFF}"
  build "$release"
}

# Tests run side by side: threads that wait in a loop would keep other tests from their work.
run_tests() { # <folder> <ctest argument>…
  local folder=$1
  shift
  OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive} ctest --test-dir "$folder" --output-on-failure --no-tests=error --parallel "$(processors)" "$@" </dev/null
}
