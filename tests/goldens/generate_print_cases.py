#!/usr/bin/env python3
"""Writes print_cases.json: arrays, and how NumPy prints, lists and rounds them (made with 1.24.2).

    python3 generate_print_cases.py

Each case holds an array ("dtype", "shape", "data": its bytes, little-endian, as hexadecimal digits) and what
came of it: "str" with "options", "list" is str(a.tolist()), "round" to "decimals" gives bytes again.
"""
import json
import pathlib
import warnings

import numpy as np

warnings.filterwarnings("ignore")  # overflows on purpose
HERE = pathlib.Path(__file__).parent
NAMES = {"f4": "float32", "f8": "float64", "i8": "int64", "?": "boolean"}
DEFAULTS = dict(precision=8, suppress=False, linewidth=75, threshold=1000, edgeitems=3)
rng = np.random.default_rng(5)


def floats(dtype, n):
    bits = 32 if dtype == "f4" else 64
    smallest, largest = (-149, 128) if dtype == "f4" else (-1074, 1024)
    kind = rng.integers(9)
    if kind == 0:
        v = rng.standard_normal(n)
    elif kind == 1:
        v = np.round(rng.random(n), rng.integers(1, 5))
    elif kind == 2:
        v = rng.standard_normal(n) * 10.0 ** rng.integers(-12, 12)
    elif kind == 3:
        v = rng.standard_normal(n) * 10.0 ** rng.integers(-12, 12, n)
    elif kind == 4:  # any bits at all, NaNs with odd payloads too
        v = rng.integers(0, 256, n * bits // 8).astype("u1").view(dtype)
    elif kind == 5:
        v = rng.integers(-1000, 1000, n) / 8
    elif kind == 6:  # where the gaps to the two neighbours differ
        v = 2.0 ** rng.integers(smallest, largest, n) * rng.choice([-1, 1])
    elif kind == 7:  # just beside the powers of ten, where the notation changes
        v = 10.0 ** rng.integers(-6, 10, n) * rng.choice([1, 1, 1 + 2e-7, 1 - 2e-7, 1 + 3e-16], n)
    else:  # halves at the digit where they are cut
        v = rng.integers(-40, 40, n) / 16
    v = v.astype(dtype)
    if rng.random() < 0.3 and n:
        special = np.array([np.nan, np.inf, -np.inf, 0, -0.0], dtype)[: rng.integers(1, 6)]
        where = rng.random(n) < 0.3
        v[where] = rng.choice(special, where.sum())
    return v


def integers(n):
    kind = rng.integers(3)
    if kind == 0:
        return rng.integers(-10, 10, n)
    if kind == 1:
        return rng.integers(-(2**63), 2**63 - 1, n)
    return (rng.integers(0, 2**62, n) >> rng.integers(0, 62, n)) * rng.choice([-1, 1], n)


def array(dtype):
    rank = rng.choice([0, 1, 1, 2, 2, 2, 3, 4])
    least = 0 if rng.random() < 0.1 else 1
    shape = rng.integers(least, [2, 14, 6, 4, 3][rank], rank)
    n = int(np.prod(shape))
    if dtype == "?":
        return rng.integers(0, 2, n).astype("?").reshape(shape)
    return (integers(n) if dtype == "i8" else floats(dtype, n)).reshape(shape)


def options():
    o = dict(DEFAULTS)
    if rng.random() < 0.6:
        o["precision"] = int(rng.choice([0, 1, 2, 3, 4, 6, 8, 12, 17, 20]))
        o["suppress"] = bool(rng.integers(2))
    if rng.random() < 0.4:
        o["linewidth"] = int(rng.integers(0, 100))
    if rng.random() < 0.4:
        o["threshold"] = int(rng.integers(0, 20))
        o["edgeitems"] = int(rng.integers(0, 4))
    return o


def hexadecimal(a):
    return np.ascontiguousarray(a).tobytes().hex()


def case(dtype, a):
    return dict(dtype=NAMES[dtype], shape=list(a.shape), data=hexadecimal(a))


cases = []
for i in range(480):
    dtype = str(rng.choice(["f4", "f4", "f8", "f8", "f8", "i8", "?"]))
    a, o = array(dtype), options()
    c = case(dtype, a)
    if i % 6 == 4:
        c["list"] = str(a.tolist())
    elif i % 6 == 5 and dtype != "?" and a.ndim > 0:  # NumPy rounds a float32 of rank 0 as a float64
        c["decimals"] = int(rng.integers(-4, 9))
        c["round"] = hexadecimal(np.round(a, c["decimals"]))
    else:
        with np.printoptions(**o):
            c["str"] = str(a)
        c["options"] = {k: v for k, v in o.items() if v != DEFAULTS[k]}
    cases.append(c)

text = ",\n".join(json.dumps(c) for c in cases)
(HERE / "print_cases.json").write_text(f"[\n{text}\n]\n")
