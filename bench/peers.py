#!/usr/bin/env python3
"""Times what NumPy and PyTorch do of the works that wick is timed at, and prints JSON; tools/bench runs it.

    python3 bench/peers.py head/lesson4/numpy softmax/4096x64/torch …

One round: each work is called again and again for some milliseconds, and its best bunch of calls counts. OMP_NUM_THREADS
says how many threads both have. A library that is not there is left out; what it would have computed is then absent.
"""

import argparse
import contextlib
import ctypes
import json
import os
import re
import sys
import time

THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))

try:
    import numpy as np
except ImportError:
    np = None
try:
    import torch

    torch.set_num_threads(THREADS)
except ImportError:
    torch = None


# --- the works: each gives a function to time, made of operands that stand ready -----------------------------------------

HEADS = {"lesson4": (1, 6, 64, 16), "lesson5": (1, 12, 32, 16), "16x64x64": (16, 64, 64, 16), "1x1024x768": (1, 1024, 768, 64)}


def normals(*shape):
    return np.random.default_rng(0).standard_normal(shape, dtype=np.float32)


def numpy_softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def numpy_head(size, causal):
    """As the course computes it."""
    B, T, C, hs = HEADS[size]
    x = normals(B, T, C)
    Wq, Wk, Wv = (normals(C, hs) / np.float32(C**0.5) for _ in range(3))
    scale = np.float32(1 / hs**0.5)

    def call():
        q, k, v = x @ Wq, x @ Wk, x @ Wv
        scores = q @ k.transpose(0, 2, 1) * scale
        if causal:
            scores = np.where(np.triu(np.ones((T, T), bool), 1), np.float32(-1e9), scores)
        return numpy_softmax(scores) @ v

    return call


def torch_head(size, causal, with_backward=False):
    """The usual module: three Linear without bias, and the triangle kept as a buffer."""
    B, T, C, hs = HEADS[size]
    torch.manual_seed(0)
    query, key, value = (torch.nn.Linear(C, hs, bias=False) for _ in range(3))
    blocked = torch.triu(torch.ones(T, T, dtype=torch.bool), 1)
    x = torch.randn(B, T, C)

    def forward():
        q, k, v = query(x), key(x), value(x)
        scores = q @ k.transpose(-2, -1) * hs**-0.5
        if causal:
            scores = scores.masked_fill(blocked, float("-inf"))
        return torch.softmax(scores, -1) @ v

    if not with_backward:
        return forward
    gradient = torch.ones(B, T, hs)

    def step():
        for linear in (query, key, value):
            linear.weight.grad = None
        forward().backward(gradient)

    return step


def torch_attentions(shape, causal):
    """The ways in which PyTorch computes it, the fastest of which counts: the library's own function where it has one, and
    the steps."""
    torch.manual_seed(0)
    q, k, v = (torch.randn(*shape) for _ in range(3))
    T, hs = shape[2:]
    blocked = torch.triu(torch.ones(T, T, dtype=torch.bool), 1)

    def steps():
        scores = q @ k.transpose(-2, -1) * hs**-0.5
        if causal:
            scores = scores.masked_fill(blocked, float("-inf"))
        return torch.softmax(scores, -1) @ v

    ways = [steps]
    if hasattr(torch.nn.functional, "scaled_dot_product_attention"):
        ways.append(lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal))
    return (q, k, v), ways


def attention_backwards(shape):
    """As above: (prepare, call) pairs, of which the call is timed."""
    inputs, ways = torch_attentions(shape, causal=False)
    for one in inputs:
        one.requires_grad_(True)
    gradient = torch.ones(*shape)
    return [(way, lambda y: torch.autograd.grad(y, inputs, gradient)) for way in ways]


def calls_of(name):
    """The functions that do this work, as (prepare, call) pairs; None where there is no such work, or its library is not
    there."""
    work, _, who = name.rpartition("/")
    kind, _, rest = work.partition("/")
    if (np if who == "numpy" else torch) is None:
        return None
    if kind == "head":
        size, *flags = rest.split("/")
        if size not in HEADS or (who == "numpy" and "forward_backward" in flags):
            return None
        if who == "numpy":
            return plain(numpy_head(size, "causal" in flags))
        return plain(torch_head(size, "causal" in flags, "forward_backward" in flags))
    shape = tuple(int(n) for n in re.findall(r"\d+", rest))
    causal = rest.endswith("/causal")
    if kind == "softmax":
        if who == "numpy":
            x = normals(*shape)
            return plain(lambda: numpy_softmax(x))
        x = torch.randn(*shape)
        return plain(lambda: torch.softmax(x, -1))
    if kind == "transpose":
        if who == "numpy":
            x = normals(*shape)
            return plain(lambda: np.ascontiguousarray(x.T))
        x = torch.randn(*shape)
        return plain(lambda: x.t().contiguous())
    if kind == "attention" and who == "torch":
        return [(None, way) for way in torch_attentions(shape, causal)[1]]
    if kind == "attention_backward" and who == "torch":
        return attention_backwards(shape)
    return None


def plain(call):
    return [(None, call)]


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


def no_gradients_for(name):
    """Open around the timing of what has no backward: as wick has its NoGrad, and costing no call anything."""
    return contextlib.nullcontext() if torch is None or "backward" in name else torch.inference_mode()


def best_of(prepare, call, milliseconds):
    """The best of bunches of some 50 us, until the time is over, five at least."""
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
            return f", OpenBLAS {version().decode().split()[1]} {core().decode()}"
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
    parser.add_argument("--milliseconds", type=float, default=50, help="for each work (50)")
    parser.add_argument("works", nargs="+", metavar="WORK/numpy|torch")
    options = parser.parse_args()
    seconds = {}
    for name in options.works:
        for prepare, call in calls_of(name) or []:
            with no_gradients_for(name):
                seconds[name] = min(seconds.get(name, float("inf")), best_of(prepare, call, options.milliseconds))
    json.dump({"context": context(), "seconds": seconds, "wrong": {}}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
