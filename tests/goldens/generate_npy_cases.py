#!/usr/bin/env python3
"""Writes npy_cases.json: .npy files of every kind, made by NumPy (1.24.2), and what is in them.

    python3 generate_npy_cases.py

Bytes are written as hexadecimal digits. "loads" are files with the tensor that has to come out of them, its
elements row-major and little-endian; "saves" are tensors with the file that numpy.save makes of them;
"refused" are files with the descr that has to be named.
"""
import io
import json
import pathlib
import warnings

import numpy as np

warnings.filterwarnings("ignore")  # newer format versions on purpose
HERE = pathlib.Path(__file__).parent
NAMES = {"f4": "float32", "f8": "float64", "i8": "int64", "b1": "boolean"}
rng = np.random.default_rng(5)


def written(a, version=None, allow_pickle=False):
    out = io.BytesIO()
    np.lib.format.write_array(out, a, version=version, allow_pickle=allow_pickle)
    return out.getvalue()


def tensor(a, kind):
    a = np.array(a, dtype="<" + kind, order="C")
    return dict(dtype=NAMES[kind], shape=list(a.shape), data=a.tobytes().hex())


def load(name, a, kind, version=None):
    return dict(name=name, file=written(a, version).hex(), **tensor(a, kind))


def numbers(dtype, shape):
    t = np.dtype(dtype)
    bits = rng.integers(0, 256, int(np.prod(shape)) * t.itemsize).astype("u1")
    return bits.view(t).reshape(shape)


x = rng.standard_normal((2, 3))
cube = rng.standard_normal((2, 3, 4))
loads = [load(f"version {v}.0", x.astype("f4"), "f4", (v, 0)) for v in (1, 2, 3)]
for kind, dtype in [("f4", "f4"), ("f4", "f2"), ("f8", "f8"), ("i8", "i8"), ("i8", "i4"), ("i8", "i2"), ("i8", "u4"), ("i8", "u2")]:
    for order in "<>":
        a = numbers(order + dtype, (2, 3)) if dtype[0] in "iu" else x.astype(order + dtype)
        loads.append(load(f"{order}{dtype}", a, kind))
        loads.append(load(f"{order}{dtype} in Fortran order", np.asfortranarray(a), kind))
loads += [load(t, numbers(t, (2, 3)), "i8") for t in ("i1", "u1")]
loads += [load(f"{o}u8", np.array([0, 1, 2**63 - 1], o + "u8"), "i8") for o in "<>"]
loads.append(load("b1", x > 0, "b1"))
loads.append(load("b1 in Fortran order", np.asfortranarray(x > 0), "b1"))
loads.append(load("rank 3 in Fortran order", np.asfortranarray(cube), "f8"))
loads.append(load("a transposed view", cube.transpose(2, 0, 1), "f8"))
loads.append(load("every second element", x[:, ::2], "f8"))
for shape in [(), (0,), (2, 0), (0, 2), (3, 0, 2), (1,), (1, 1, 1, 1, 1, 1, 1, 2)]:
    for kind in NAMES:
        a = np.arange(np.prod(shape)).astype(kind).reshape(shape)
        loads.append(load(f"{kind} {shape}", a, kind))
halves = np.array([0, 1, 0x3FF, 0x400, 0x7BFF, 0x7C00, 0x7C01, 0x7E00, 0x7FFF, 0x8000, 0x8001, 0xFC00, 0xFE01], "u2").view("f2")
loads.append(load("halves: subnormals, infinities, NaNs", halves, "f4"))
special = np.array([0, 1 << 31, 1, 0x7F800001, 0x7FC12345, 0xFFC00000, 0xFF800000, 0x7F7FFFFF], "u4")
loads.append(load("floats: -0, subnormal, NaN payloads", special.view("f4"), "f4"))
wide = np.array([1 << 63, 1, 0x7FF0000000000001, 0x7FF8000000012345, 0xFFF0000000000000], "u8")
loads.append(load("doubles: -0, subnormal, NaN payloads", wide.view("f8"), "f8"))

saves = []
for shape in [(), (0,), (2, 0), (1,), (3,), (2, 3), (10,), (100,), (2, 1, 2), (1, 1, 1, 1, 1, 1, 1, 1), (1, 2, 1, 2, 1, 2, 1, 2)]:
    for kind in NAMES:
        a = (np.arange(np.prod(shape)) % 2).astype(kind).reshape(shape)
        saves.append(dict(file=written(a).hex(), **tensor(a, kind)))
# The longest there are: as many sizes and digits as 64 bits can count.
for shape in [(0, 10, 10, 10, 10, 10, 10, 10**12), (0, 1000, 1000, 1000, 1000, 1000, 1000, 1), (0, 10**18), (10**18, 0)]:
    a = np.lib.stride_tricks.as_strided(np.empty(0, "f4"), shape, (0,) * len(shape))
    saves.append(dict(file=written(a).hex(), dtype="float32", shape=list(shape), data=""))

refused = []
for a in [
    np.zeros(1, "c8"),
    np.zeros(1, "c16"),
    np.zeros(1, "g"),
    np.zeros(1, "S3"),
    np.zeros(1, "U3"),
    np.zeros(1, "V4"),
    np.zeros(1, "M8[s]"),
    np.zeros(1, "m8[D]"),
    np.array([None]),
]:
    refused.append(dict(descr=f"'{a.dtype.str}'", file=written(a, allow_pickle=True).hex()))
record = np.zeros(1, [("a", "f4"), ("b", "i8")])
refused.append(dict(descr="the structured type [('a', '<f4'), ('b', '<i8')], 'fortran_o…", file=written(record).hex()))


def rows(cases):
    return "[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]"


text = f'{{"loads": {rows(loads)},\n"saves": {rows(saves)},\n"refused": {rows(refused)}}}\n'
(HERE / "npy_cases.json").write_text(text)
