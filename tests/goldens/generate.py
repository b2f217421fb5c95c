#!/usr/bin/env python3
"""Writes the reference values in this folder with NumPy (made with 1.24.2, float64).

    python3 generate.py            # rewrites every file beside it, except for the two that are given

Each array is one .npy file, each expected print-out one .txt file; README.md says what each holds, and
with which BLAS not a byte changes.
"""
import contextlib
import hashlib
import io
import json
import os
import pathlib

# A product's last bits depend on the BLAS under NumPy and on the kernels that it picks for the processor: keep to one.
os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")
import numpy as np

HERE = pathlib.Path(__file__).parent
PASSAGE = (HERE / "lantern_bay.txt").read_text()


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attend(x, wq, wk, wv, causal=False):
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    if causal:
        t = scores.shape[-1]
        scores = np.where(np.triu(np.ones((t, t), dtype=bool), k=1), -1e9, scores)
    weights = softmax(scores)
    return dict(q=q, k=k, v=v, scores=scores, weights=weights, out=weights @ v)


def save(folder, **arrays):
    (HERE / folder).mkdir(exist_ok=True)
    for name, a in arrays.items():
        np.save(HERE / folder / f"{name}.npy", np.ascontiguousarray(a))


def said(folder, f):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        f()
    (HERE / f"{folder}.txt").write_text(text.getvalue())


# ---- lesson 4 ---------------------------------------------------------------------------------
def lesson4(hs=16):
    rng = np.random.default_rng(42)
    x = rng.standard_normal((1, 6, 64))
    return (x, *(rng.standard_normal((64, hs)) * 0.25 for _ in range(3)))


x, wq, wk, wv = lesson4()
a = attend(x, wq, wk, wv)
save("lesson4", x=x, wq=wq, wk=wk, wv=wv, **a)
wq2 = np.random.default_rng(1).standard_normal((64, 16)) * 0.25
b = attend(x, wq2, wk, wv)
save("lesson4_wq2", wq=wq2, **b)


def print4():
    print("X:", x.shape, " Wq/Wk/Wv:", wq.shape)
    print("Q:", a["q"].shape, " K:", a["k"].shape, " V:", a["v"].shape)
    print("scores/weights:", a["weights"].shape, " out:", a["out"].shape)
    print("weights row sums:", np.round(a["weights"].sum(-1), 6))
    print("weights[0]:")
    print(np.round(a["weights"][0], 3))
    print("each position attends most to:", a["weights"][0].argmax(-1))
    print("weights2[0]:")
    print(np.round(b["weights"][0], 3))
    print("each position attends most to:", b["weights"][0].argmax(-1))
    print("attention pattern changed?", not np.allclose(a["weights"], b["weights"]))
    print("out2:", b["out"].shape)


said("lesson4", print4)

x8, wq8, wk8, wv8 = lesson4(hs=8)
e1 = attend(x8, wq8, wk8, wv8)
save("lesson4_exercise1", wq=wq8, wk=wk8, wv=wv8, **e1)
wk2 = np.random.default_rng(1).standard_normal((64, 16)) * 0.25
e3 = attend(x, wq, wk2, wv)
save("lesson4_exercise3", wk=wk2, **e3)


def print4_exercises():
    print("Q:", e1["q"].shape, " K:", e1["k"].shape, " V:", e1["v"].shape)
    print("weights:", e1["weights"].shape, " out:", e1["out"].shape)
    print("every weight between 0 and 1:", bool(((a["weights"] >= 0) & (a["weights"] <= 1)).all()))
    print("every row sums to 1:", bool(np.allclose(a["weights"].sum(-1), 1)))
    print("attends most to, before:", a["weights"][0].argmax(-1))
    print("attends most to, new Wk:", e3["weights"][0].argmax(-1))
    print("attention pattern changed?", not np.allclose(a["weights"], e3["weights"]))


said("lesson4_exercises", print4_exercises)

# ---- lesson 5 ---------------------------------------------------------------------------------
corpus = PASSAGE * 20
chars = sorted(set(corpus))
ids_all = np.array([chars.index(c) for c in corpus], dtype=np.int64)
C, T, hs = 32, 12, 16
np.random.seed(42)
table = np.random.randn(len(chars), C)
ids = ids_all[:T]
x5 = table[ids][None, :, :]
np.random.seed(42)
w5 = [np.random.randn(C, hs) * 0.1 for _ in range(3)]
pos = np.random.randn(T, C) * 0.1  # exercise 3: the next draws of the same stream
c5 = attend(x5, *w5)
save("lesson5", table=table, ids=ids, x=x5, wq=w5[0], wk=w5[1], wv=w5[2], **c5)
decode = lambda i: "".join(chars[j] for j in i)


def print5():
    np.set_printoptions(precision=8, suppress=False, linewidth=75)
    print("vocab_size:", len(chars))
    print("len(data):", len(ids_all))
    print("first 12 ids:", ids_all[:12].tolist())
    print("decoded[:24]:", repr(decode(ids_all[:24])))
    print("ids:", ids.tolist())
    print("chars:", [chars[i] for i in ids])
    print("embed_table.shape:", table.shape)
    print("X.shape:", x5.shape)
    print("Q.shape:", c5["q"].shape, "K.shape:", c5["k"].shape, "V.shape:", c5["v"].shape)
    print("scores.shape:", c5["scores"].shape)
    print("weights.shape:", c5["weights"].shape)
    print("out.shape:", c5["out"].shape)
    print("row sums:", np.round(c5["weights"][0].sum(axis=1), 6).tolist())
    np.set_printoptions(precision=3, suppress=True, linewidth=200)
    print("tokens:", [chars[i] for i in ids])
    print("attention weights (T x T):")
    print(np.round(c5["weights"][0], 3))
    w = c5["weights"][0]
    print("argmax attended position per query row:", w.argmax(axis=1).tolist())
    print("rows 2,10,11 (all 'e') identical:", np.allclose(w[2], w[10]) and np.allclose(w[10], w[11]))
    print("rows 3,8 (both space) identical:", np.allclose(w[3], w[8]))
    print("cols 2,10,11 identical:", np.allclose(w[:, 2], w[:, 10]) and np.allclose(w[:, 10], w[:, 11]))
    print("cols 3,8 identical:", np.allclose(w[:, 3], w[:, 8]))


said("lesson5", print5)
x51 = table[ids_all[100:112]][None]
e51, e52, e53 = attend(x51, *w5), attend(x5, *w5, causal=True), attend(x5 + pos[None], *w5)
save("lesson5_exercise1", x=x51, ids=ids_all[100:112], **e51)
save("lesson5_exercise2", **e52)
save("lesson5_exercise3", pos=pos, **e53)


def print5_exercises():
    np.set_printoptions(precision=3, suppress=True, linewidth=200)
    text = decode(ids_all[100:112])
    print("data[100:112]:", repr(text))
    print("X.shape:", x51.shape)
    print("repeated characters:", [c for c in sorted(set(text)) if text.count(c) > 1])
    print(np.round(e52["weights"][0], 3))
    print("row 0 attends only to column 0:", bool(e52["weights"][0, 0, 0] == 1))
    print("lower-triangular:", bool((np.triu(e52["weights"][0], k=1) == 0).all()))
    w = e53["weights"][0]
    print("rows 2,10,11 (all 'e') identical:", np.allclose(w[2], w[10]) and np.allclose(w[10], w[11]))


said("lesson5_exercises", print5_exercises)

# ---- random streams ---------------------------------------------------------------------------
hexes = lambda a: [float(v).hex() for v in a]
streams = {"default_rng": {}, "RandomState": {}}
for seed in (0, 1, 42, 12345678, 2**32, 2**63 + 11):
    g = lambda: np.random.default_rng(seed)
    long = g().standard_normal(1_000_000)
    streams["default_rng"][str(seed)] = dict(
        standard_normal=hexes(g().standard_normal(12)),
        standard_normal_last_of_1000000=float(long[-1]).hex(),
        standard_normal_largest_of_1000000=float(np.abs(long).max()).hex(),
        standard_normal_1000000_sha256=hashlib.sha256(long.astype("<f8").tobytes()).hexdigest(),
        random=hexes(g().random(12)),
        integers_0_24=g().integers(0, 24, 20).tolist(),
        integers_0_10020=g().integers(0, 10020, 20).tolist(),
        permutation_20=g().permutation(20).tolist(),
        permutation_1000_sha256=hashlib.sha256(g().permutation(1000).astype("<i8").tobytes()).hexdigest(),
        integers_wide=g().integers(-(2**40), 2**40, 8).tolist(),
        integers_full=g().integers(-(2**63), 2**63 - 1, 8, endpoint=True).tolist(),
        # one stream, calls in turn: integers keep half of a 64-bit draw for the next integers, across the normals
        interleaved=(lambda r: [int(r.integers(0, 24)), float(r.standard_normal()).hex(), int(r.integers(0, 24)), float(r.random()).hex(),
                                int(r.integers(0, 2**40)), int(r.integers(0, 24)), r.permutation(5).tolist(), float(r.standard_normal()).hex()])(g()),
    )
for seed in (0, 1, 42, 12345678, 2**32 - 1):
    g = lambda: np.random.RandomState(seed)
    long = g().randn(1_000_001)
    streams["RandomState"][str(seed)] = dict(
        randn=hexes(g().randn(12)),
        randn_last_of_1000001=float(long[-1]).hex(),
        randn_1000001_sha256=hashlib.sha256(long.astype("<f8").tobytes()).hexdigest(),
        rand=hexes(g().rand(12)),
        randint_0_24=g().randint(0, 24, 20).tolist(),
        randint_0_10020=g().randint(0, 10020, 20).tolist(),
        permutation_20=g().permutation(20).tolist(),
        permutation_1000_sha256=hashlib.sha256(g().permutation(1000).astype("<i8").tobytes()).hexdigest(),
        randint_wide=g().randint(-(2**40), 2**40, 8).tolist(),
        # one stream, calls in turn: the polar method keeps its second normal across the others
        interleaved=(lambda r: [float(r.randn()).hex(), int(r.randint(0, 24)), float(r.randn()).hex(), float(r.rand()).hex(), float(r.randn()).hex(),
                                r.permutation(5).tolist(), float(r.randn()).hex()])(g()),
    )
(HERE / "numpy_streams.json").write_text(json.dumps(streams, indent=1) + "\n")
