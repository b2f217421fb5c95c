#!/usr/bin/env python3
"""Writes safetensors_cases.json: .safetensors files of every kind, put together here byte by byte from the
format's description, and what is in them.

    python3 generate_safetensors_cases.py

Bytes are written as hexadecimal digits. "loads" are files with what has to come out of them: the tensors in the
order of their bytes, elements row-major and little-endian, and the metadata; "saves" are tensors and metadata with
the file that the format's own library makes of them (header first, compact, padded to 8 bytes).
"""
import json
import pathlib
import struct

import numpy as np

HERE = pathlib.Path(__file__).parent
NAMES = {"float32": "F32", "float64": "F64", "int64": "I64", "bool": "BOOL"}
rng = np.random.default_rng(7)


def file_of(header, data):
    text = header if isinstance(header, bytes) else header.encode()
    return struct.pack("<Q", len(text)) + text + data


def tensor(name, a):
    dtype = a.dtype.name if a.dtype != bool else "boolean"
    return dict(name=name, dtype=dtype, shape=list(a.shape), data=a.tobytes().hex())


def entries(arrays):
    result, data = {}, b""
    for name, a in arrays.items():
        end = len(data) + a.nbytes
        result[name] = dict(dtype=NAMES[a.dtype.name], shape=list(a.shape), data_offsets=[len(data), end])
        data += a.tobytes()
    return result, data


def load(name, file, arrays, metadata=None):
    tensors = [tensor(key, a) for key, a in arrays.items()]
    return dict(name=name, file=file.hex(), tensors=tensors, metadata=metadata or {})


def simple(name, arrays, metadata=None, dump=None):
    header, data = entries(arrays)
    if metadata is not None:
        header = {"__metadata__": metadata, **header}
    return load(name, file_of(json.dumps(header, **(dump or {})), data), arrays, metadata)


def normals(dtype, *shape):
    return rng.standard_normal(shape).astype(dtype)


two = {"a": normals("f4", 2, 3), "b": normals("f8", 3)}
loads = [
    simple("no tensor", {}),
    simple("no tensor, metadata", {}, {"format": "pt"}),
    simple("empty metadata", {"a": normals("f4", 2)}, {}),
    simple("F32", {"a": normals("f4", 2, 3)}),
    simple("F64", {"a": normals("f8", 2, 3)}),
    simple("I64", {"a": np.array([0, -1, 2**63 - 1, -(2**63)], "i8")}),
    simple("BOOL", {"a": np.array([[True, False, True]])}),
    simple("a scalar of every type", {"a": np.float32(1.5).reshape(()), "b": np.float64(-2).reshape(()), "c": np.int64(7).reshape(()), "d": np.array(True)}),
    simple("empty tensors before, between and behind", {"a": np.zeros((0,), "f4"), "b": normals("f4", 3), "c": np.zeros((2, 0, 3), "f8"), "d": np.array([True]), "e": np.zeros((0, 0), "i8")}),
    simple("eight axes", {"a": normals("f4", 1, 2, 1, 1, 2, 1, 3, 1)}),
    simple("no alignment", {"a": np.array([True]), "b": normals("f8", 2), "c": np.array([False, True]), "d": normals("f4", 1)}),
    simple("spaces and lines", two, {"k": "v"}, dict(indent=2)),
    simple("compact", two, {"k": "v"}, dict(separators=(",", ":"))),
    simple("names and texts beyond ASCII", {"caf\u00e9": normals("f4", 1), "\U0001f3ee": normals("f4", 2)}, {"\u706f": "\u00fc\n\"\\"}),
    simple("the same, not escaped", {"caf\u00e9": normals("f4", 1), "\U0001f3ee": normals("f4", 2)}, {"\u706f": "\u00fc"}, dict(ensure_ascii=False)),
    simple("an empty name", {"": normals("f4", 1)}, {"": ""}),
    simple("a zero in a name", {"a\0b": normals("f4", 1)}),
    simple("names of the header's own words", {"dtype": normals("f4", 1), "shape": normals("f4", 2)}, {"data_offsets": "x", "__metadata__": "y"}),
]
header, data = entries(two)
loads += [
    load("the header says the last first", file_of(json.dumps(dict(reversed(header.items()))), data), two),
    load("metadata last", file_of(json.dumps({**header, "__metadata__": {"k": "v"}}), data), two, {"k": "v"}),
    load("fields in another order", file_of(json.dumps({k: dict(reversed(v.items())) for k, v in header.items()}), data), two),
    load("padded with spaces", file_of(json.dumps(header) + " " * 37, data), two),
    load("padded with a line", file_of(json.dumps(header) + "\r\n\t ", data), two),
]
special = np.array([0, 1 << 31, 1, 0x7F800001, 0x7FC12345, 0xFFC00000, 0xFF800000, 0x7F7FFFFF], "u4")
loads.append(simple("floats: -0, subnormal, NaN payloads", {"a": special.view("f4")}))
wide = np.array([1 << 63, 1, 0x7FF0000000000001, 0x7FF8000000012345, 0xFFF0000000000000], "u8")
loads.append(simple("doubles: -0, subnormal, NaN payloads", {"a": wide.view("f8")}))


def save(arrays, metadata=None):
    # The library's order: larger elements first. Here the names are in the given order within one size.
    ordered = dict(sorted(arrays.items(), key=lambda item: -item[1].itemsize))
    header, data = entries(ordered)
    if metadata:
        header = {"__metadata__": metadata, **header}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return dict(file=file_of(text, data).hex(), tensors=[tensor(k, a) for k, a in arrays.items()], metadata=metadata or {})


saves = [
    save({}),
    save({}, {"format": "pt"}),
    save({"a": normals("f4", 2, 3)}),
    save(two),
    save({"a": np.array([True, False]), "b": normals("f4", 3), "c": np.array([1, 2], "i8"), "d": normals("f8"), "e": np.array(False)}, {"a": "1", "b": ""}),
    save({"empty": np.zeros((0, 2), "f4"), "caf\u00e9": normals("f4", 1)}, {"\"quoted\"": "a\\b\nc"}),
]


def rows(cases):
    return "[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]"


(HERE / "safetensors_cases.json").write_text(f'{{"loads": {rows(loads)},\n"saves": {rows(saves)}}}\n')
