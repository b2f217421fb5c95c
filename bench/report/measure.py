"""Runs the benchmark programs, and the script beside them that times NumPy and PyTorch, in rounds.

A name is <work>/<who>: product/64x64x64/openblas, softmax/4096x64/avx2, head/lesson4/numpy. Each is kept at its best of
all rounds, so that what else the machine does has to hit every one of them to count, and hits both sides of a ratio alike.
"""

import json
import os
import re
import subprocess
import sys

PEERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers.py")

# Settings under which a peer, or wick, would not be what its user meets: which code a library takes
# (ATEN_CPU_CAPABILITY, NPY_DISABLE_CPU_FEATURES, ONEDNN_MAX_CPU_ISA, glibc.cpu.hwcaps), its threads, its memory, and what
# slows Python itself down.
HANDICAPS = ("OPENBLAS_", "GOTO_", "BLIS_", "DNNL_", "ONEDNN_", "MKL_", "OMP_", "KMP_", "GOMP_", "ATEN_", "TORCH_", "PYTORCH_",
             "NPY_", "NUMPY_", "GLIBC_TUNABLES", "MALLOC_", "PYTHONDEVMODE", "PYTHONMALLOC", "PYTHONTRACEMALLOC", "WICK_ISA")

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


class Failure(Exception):
    """What ends the run, in one line."""


class Measurements:
    """What was measured: seconds of one call by name, counters where a program gave some, what was wrong, and the
    machine with all who took part."""

    def __init__(self, seconds=None, context=None, wrong=None, counters=None):
        self.seconds = seconds or {}
        self.context = context or {}
        self.wrong = wrong or {}
        self.counters = counters or {}

    def add(self, name, seconds, counters=None):
        if name not in self.seconds or seconds < self.seconds[name]:
            self.seconds[name] = seconds
            if counters:
                self.counters[name] = counters


def environment(threads, core_type=None):
    """The environment, without what would handicap somebody."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(HANDICAPS)}
    clean["OMP_NUM_THREADS"] = clean["OPENBLAS_NUM_THREADS"] = str(threads)
    if core_type:
        clean["OPENBLAS_CORETYPE"] = core_type
    return clean


def run(command, env):
    """Standard output of a program that may end with 1 because something in it was wrong."""
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise Failure(f"{os.path.basename(command[0])} ended with {done.returncode}: {last}")
    return done.stdout


class Programs:
    """Google Benchmark programs in a folder, and which names each of them has."""

    def __init__(self, folder, threads):
        self.threads = threads
        self.env = environment(threads)
        self.names = {}
        for program in sorted(os.listdir(folder)):
            path = os.path.join(folder, program)
            if program.startswith("wick_") and program.endswith("_bench") and os.access(path, os.X_OK):
                self.names[path] = run([path, "--benchmark_list_tests"], self.env).splitlines()
        if not self.names:
            raise Failure(f"no benchmark programs in {folder}")

    def all_names(self):
        return {name for names in self.names.values() for name in names}

    def help_openblas(self, core_type):
        """An OpenBLAS older than the processor falls back to code of twenty years ago; then it is told what to take."""
        self.env = environment(self.threads, core_type)

    def run_probe(self, into):
        """One short benchmark of each program, for what the programs say of themselves."""
        for path, names in self.names.items():
            read(run([path, f"--benchmark_filter=^{names[0]}$", "--benchmark_format=json", "--benchmark_min_time=0.001"], self.env), into)

    def run_round(self, wanted, into, min_time, repetitions):
        """One round of all the wanted names, each program in an order of its own drawing."""
        for path, names in self.names.items():
            chosen = [name for name in names if name in wanted]
            if not any(not name.startswith("limit/") for name in chosen):
                continue
            # (In POSIX's regular expressions these characters are special too, and may be escaped.)
            pattern = "^(" + "|".join(re.sub(r"([.+*?()\[\]{}^$|\\])", r"\\\1", name) for name in chosen) + ")$"
            read(run([path, f"--benchmark_filter={pattern}", "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
                      f"--benchmark_min_time={min_time}", f"--benchmark_repetitions={repetitions}"], self.env), into)


def read(text, into):
    """Takes over what a program printed."""
    try:
        result = json.loads(text)
        context = result["context"]
        for entry in result["benchmarks"]:
            if entry.get("run_type") == "aggregate":
                continue
            if entry.get("error_occurred"):
                into.wrong[entry["run_name"]] = entry.get("error_message", "")
                continue
            counters = {key: entry[key] for key in ("FLOP/s", "bytes/s", "% of limit") if key in entry}
            # The best bunch of calls where the program tells it. One that does not has one thread: then the mean of them
            # all, by the clock that says less.
            mean = min(entry["real_time"], entry.get("cpu_time", entry["real_time"])) * UNITS[entry["time_unit"]]
            into.add(entry["run_name"], entry.get("best", mean), counters)
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(f"a benchmark program printed what is not its JSON: {error!r}") from error
    into.context.update({key: value for key, value in context.items() if isinstance(value, str)})


def has_modules(python, modules):
    try:
        return subprocess.run([python, "-c", "import " + ", ".join(modules)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


def python_with(modules):
    """The first Python that has all of them, else the first that has any, or None. (tools/setup.sh looks alike.)"""
    pythons = ("python3", "/usr/bin/python3")
    for wanted in (modules, *((module,) for module in modules)):
        for python in pythons:
            if has_modules(python, wanted):
                return python
    return None


def run_peers_round(python, wanted, into, env, milliseconds, check):
    """One round of NumPy and PyTorch; with `check`, what they compute is compared first."""
    names = sorted(name for name in wanted if name.endswith(("/numpy", "/torch")))
    if python is None or not names:
        return
    try:
        result = json.loads(run([python, "-B", PEERS, "--milliseconds", str(milliseconds), *(["--check"] if check else []), *names], env))
    except ValueError as error:
        raise Failure(f"peers.py printed what is not its JSON: {error}") from error
    into.context.update(result["context"])
    into.wrong.update(result["wrong"])
    for name, seconds in result["seconds"].items():
        into.add(name, seconds)


def say(text):
    print(f"wick: {text}", file=sys.stderr, flush=True)
