#!/usr/bin/env python3
"""Times what NumPy and PyTorch do of the works that wick is timed at, and prints JSON; tools/bench runs it.

    python3 bench/peers.py head/lesson4/numpy softmax/4096x64/torch …

One round: each work is called again and again for some milliseconds, and its best bunch of calls counts. OMP_NUM_THREADS
says how many threads both have. A library that is not there is left out; what it would have computed is then absent.
"""

import argparse
import contextlib
import ctypes
import functools
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


def operands(*shapes):
    """Normals, float32: the same for NumPy and PyTorch where both are there."""
    if np is None:
        torch.manual_seed(0)
        return [torch.randn(*shape) for shape in shapes]
    rng = np.random.default_rng(0)
    return [rng.standard_normal(shape, dtype=np.float32) for shape in shapes]


def tensors(*shapes):
    return [torch.as_tensor(one) for one in operands(*shapes)]


def numpy_softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def numpy_attention(q, k, v, causal):
    T, hs = q.shape[-2:]
    scores = q @ np.swapaxes(k, -1, -2) * np.float32(1 / hs**0.5)
    if causal:
        scores = np.where(np.triu(np.ones((T, T), bool), 1), np.float32(-1e9), scores)
    return numpy_softmax(scores) @ v


def torch_attention(q, k, v, blocked):
    """`blocked`: the triangle, or None. As a model keeps it: made once."""
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if blocked is not None:
        scores = scores.masked_fill(blocked, float("-inf"))
    return torch.softmax(scores, -1) @ v


def triangle(T, causal):
    return torch.triu(torch.ones(T, T, dtype=torch.bool), 1) if causal else None


def head_operands(size):
    """x and the weights of query, key and value, at which scores are of ordinary size."""
    B, T, C, hs = HEADS[size]
    x, *weights = operands((B, T, C), (C, hs), (C, hs), (C, hs))
    return [x] + [weight / C**0.5 for weight in weights]


def numpy_head(size, causal):
    """As the course computes it."""
    x, Wq, Wk, Wv = head_operands(size)
    return lambda: numpy_attention(x @ Wq, x @ Wk, x @ Wv, causal)


def torch_head(size, causal, with_backward=False):
    """The usual module: three Linear without bias, and the triangle kept as a buffer. As below, in each way that there is."""
    B, T, C, hs = HEADS[size]
    x, *weights = map(torch.as_tensor, head_operands(size))
    query, key, value = (torch.nn.Linear(C, hs, bias=False) for _ in weights)
    for linear, weight in zip((query, key, value), weights):
        linear.weight.data = weight.t().contiguous()
    blocked = triangle(T, causal)

    ways = [lambda: torch_attention(query(x), key(x), value(x), blocked)]
    if hasattr(torch.nn.functional, "scaled_dot_product_attention"):
        ways.append(lambda: torch.nn.functional.scaled_dot_product_attention(query(x), key(x), value(x), is_causal=causal))
    if not with_backward:
        return ways
    gradient = torch.ones(B, T, hs)

    def step(forward):
        for linear in (query, key, value):
            linear.weight.grad = None
        forward().backward(gradient)

    return [functools.partial(step, way) for way in ways]


def torch_attentions(shape, causal):
    """The ways in which PyTorch computes it, the fastest of which counts: the library's own function where it has one, and
    the steps."""
    q, k, v = tensors(shape, shape, shape)
    blocked = triangle(shape[2], causal)
    ways = [lambda: torch_attention(q, k, v, blocked)]
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
    if {"numpy": np, "torch": torch}.get(who) is None:
        return None
    if kind == "head":
        size, *flags = rest.split("/")
        if size not in HEADS or (who == "numpy" and "forward_backward" in flags):
            return None
        if who == "numpy":
            return plain(numpy_head(size, "causal" in flags))
        return [(None, way) for way in torch_head(size, "causal" in flags, "forward_backward" in flags)]
    if kind == "gpt":
        import torch_gpt  # needs PyTorch  # pylint: disable=import-outside-toplevel

        return torch_gpt.calls_of(rest) if who == "torch" else None
    shape = tuple(int(n) for n in re.findall(r"\d+", rest))
    causal = rest.endswith("/causal")
    if kind == "softmax":
        if who == "numpy":
            (x,) = operands(shape)
            return plain(lambda: numpy_softmax(x))
        (x,) = tensors(shape)
        return plain(lambda: torch.softmax(x, -1))
    if kind == "transpose":
        if who == "numpy":
            (x,) = operands(shape)
            return plain(lambda: np.ascontiguousarray(x.T))
        (x,) = tensors(shape)
        return plain(lambda: x.t().contiguous())
    if kind == "attention" and who == "torch":
        return [(None, way) for way in torch_attentions(shape, causal)[1]]
    if kind == "attention_backward" and who == "torch":
        return attention_backwards(shape)
    return None


def plain(call):
    return [(None, call)]


# --- comparing -------------------------------------------------------------------------------------------------------------


def complaint_about(name):
    """What PyTorch computes against NumPy; "" where they agree, or one of them does not compute it."""
    work, _, who = name.rpartition("/")
    kind, _, rest = work.partition("/")
    calls = calls_of(name)
    if who != "torch" or np is None or not calls or "backward" in name or kind == "gpt":
        return ""  # NumPy has no gradients, and no GPT; wick's tests compare with PyTorch's
    if kind == "attention":
        shape = tuple(int(n) for n in re.findall(r"\d+", rest))
        expected = numpy_attention(*operands(shape, shape, shape), rest.endswith("/causal"))
    else:
        expected = calls_of(f"{work}/numpy")[0][1]()
    for _, call in calls:
        with no_gradients_for(name):
            got = call().detach().numpy()
        difference = np.abs(got - expected).max()
        if got.shape != expected.shape or not difference <= 1e-4 * np.abs(expected).max():
            return f"differs from NumPy by {difference}"
    return ""


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
    learns = any(part in name for part in ("backward", "gpt/step", "gpt/run"))
    return contextlib.nullcontext() if torch is None or learns else torch.inference_mode()


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
