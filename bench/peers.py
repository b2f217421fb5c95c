#!/usr/bin/env python3
"""Times what NumPy and PyTorch do of the works that wick is timed at, and prints JSON; tools/bench runs it.

    python3 bench/peers.py head/lesson4/numpy softmax/4096x64/torch …

One round: each work is called again and again for some milliseconds, and its best bunch of calls counts. OMP_NUM_THREADS
says how many threads both have. A library that is not there is left out; what it would have computed is then absent.
"""

import argparse
import ctypes
import json
import re
import sys
import time

from peer_checks import complaint_about, no_gradients_for
from peer_works import THREADS, calls_of, np, torch

# --- timing ----------------------------------------------------------------------------------------------------------------


def seconds_of(call, calls):
    """By the wall's clock; where there is one thread, by the processor's if that says less: a call longer than a slice of
    time is interrupted on a machine that others use too. (wick is timed in the same way: bench/program.h.)"""
    processor = time.process_time()
    start = time.perf_counter()
    for _ in range(calls):
        call()
    wall = time.perf_counter() - start
    processor = time.process_time() - processor
    return (min(wall, processor) if THREADS == 1 else wall) / calls


def best_of(prepare, call, milliseconds):
    """The best of bunches of some 50 us, until the time is over, five at least; for no time at all, one call."""
    if not milliseconds:
        return seconds_of(call, 1)
    end = time.perf_counter() + milliseconds * 1e-3
    best, calls, bunches = float("inf"), 1, 0
    while bunches < 5 or time.perf_counter() < end:
        if prepare:
            value = prepare()
            seconds = seconds_of(lambda: call(value), 1)  # pylint: disable=cell-var-from-loop
        else:
            seconds = seconds_of(call, calls)
            if seconds * calls < 50e-6:
                calls *= 2
        best = min(best, seconds)
        bunches += 1
    return best


# --- who they are ------------------------------------------------------------------------------------------------------------


def loaded_blas():
    """What an OpenBLAS that is loaded says of itself, or ""."""
    try:
        with open("/proc/self/maps", encoding="utf-8") as file:
            paths = sorted(set(re.findall(r"\S*/lib\S*blas\S*\.so\S*", file.read())))
    except OSError:
        return ""
    for path in paths:
        library = ctypes.CDLL(path)
        for suffix in ("", "64_"):
            try:
                version, core = (getattr(library, f"openblas_get_{what}{suffix}") for what in ("config", "corename"))
            except AttributeError:
                continue
            version.restype = core.restype = ctypes.c_char_p
            return f", OpenBLAS {version().decode().split()[1]}, chose {core().decode()}"
    return ""


def context():
    said = {}
    if np is not None:
        said["numpy"] = f"NumPy {np.__version__}{loaded_blas()}"
    if torch is not None:
        capability = re.search(r"CPU capability usage: (\S+)", torch.__config__.show())
        said["torch"] = f"PyTorch {torch.__version__}{', ' + capability.group(1) if capability else ''}{loaded_blas()}"
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--milliseconds", type=float, default=50, help="for each work (50); 0: one call")
    parser.add_argument("--check", action="store_true", help="compare PyTorch's results with NumPy's first")
    parser.add_argument("works", nargs="+", metavar="WORK/numpy|torch")
    options = parser.parse_args()
    seconds = {}
    wrong = {}
    for name in options.works:
        complaint = complaint_about(name) if options.check else ""
        if complaint:
            wrong[name] = complaint
            continue
        for prepare, call in calls_of(name) or []:
            with no_gradients_for(name):
                seconds[name] = min(seconds.get(name, float("inf")), best_of(prepare, call, options.milliseconds))
    json.dump({"context": context(), "seconds": seconds, "wrong": wrong}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
