"""Runs `wick attend --save` on several texts, and compares every array with the same lines in NumPy.

    python3 attend_against_numpy.py PATH_OF_WICK

Each array, against its largest absolute value: float64 to 1e-13, float32 to 1e-5; blocked scores are left out.
"""
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

START, LENGTH, WIDTH, HEAD_SIZE, SEED, SCALE = 100, 40, 48, 24, 7, 0.1
LIMITS = {"float64": 1e-13, "float32": 1e-5}
BLOCKED = -1e9


def texts():
    passage = pathlib.Path(__file__).parent.parent / "goldens" / "lantern_bay.txt"
    yield "the corpus", passage.read_text(encoding="utf-8") * 20
    scripts = "Свет маяка, φάρος, ランタン湾の灯, מגדלור, منارة, लालटेन, 등불 🏮🌊 e\u0301\u200b\r\n\t\0"
    yield "many scripts", scripts * 4
    points = np.random.default_rng(1).integers(0, 0x110000 - 0x800, 500)
    yield "random code points", "".join(chr(p if p < 0xD800 else p + 0x800) for p in points)


def normals(stream):
    if stream == "legacy":
        return np.random.RandomState(SEED).standard_normal
    return np.random.default_rng(SEED).standard_normal


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def expected(text, stream, causal, positions):
    chars = sorted(set(text))
    ids = np.array([chars.index(c) for c in text[START : START + LENGTH]])
    x = normals(stream)((len(chars), WIDTH))[ids][None]
    draw = normals(stream)
    wq, wk, wv = (draw((WIDTH, HEAD_SIZE)) * SCALE for _ in range(3))
    if positions is not None:
        x = x + draw((LENGTH, WIDTH)) * positions
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(HEAD_SIZE)
    if causal:
        scores = np.where(np.triu(np.ones((LENGTH, LENGTH), dtype=bool), k=1), BLOCKED, scores)
    weights = softmax(scores)
    return {
        "x": x,
        "head.query": q,
        "head.key": k,
        "head.value": v,
        "head.scores": scores,
        "head.weights": weights,
        "head.out": weights @ v,
    }


def complaint(name, ours, numpys, dtype):
    if ours.dtype != dtype:
        return f"{name} is {ours.dtype}, not {dtype}"
    if ours.shape != numpys.shape:
        return f"{name} is {ours.shape}, not {numpys.shape}"
    open_ones = numpys != BLOCKED
    if not (ours[~open_ones] == BLOCKED).all():
        return f"{name}: a blocked score is not {BLOCKED}"
    difference = np.abs(ours - numpys)[open_ones].max() / np.abs(numpys[open_ones]).max()
    if not difference <= LIMITS[dtype]:
        return f"{name} differs by {difference:.2e} of its largest value, more than {LIMITS[dtype]}"
    return None


def main(wick):
    info = subprocess.run([wick, "info"], check=True, capture_output=True, text=True).stdout
    sets = next(line for line in info.splitlines() if line.startswith("instruction sets")).split()[2:]
    complaints, compared = [], 0
    with tempfile.TemporaryDirectory() as folder:
        file, saved = pathlib.Path(folder, "text"), pathlib.Path(folder, "saved")
        for name, text in texts():
            file.write_bytes(text.encode("utf-8"))
            for stream, causal, positions in itertools.product(["legacy", "pcg64"], [True, False], [None, 0.3]):
                arrays = expected(text, stream, causal, positions)
                for dtype, isa in itertools.product(LIMITS, sets):
                    command = [wick, "attend", "--file", file, "--start", START, "--length", LENGTH, "--width", WIDTH]
                    command += ["--head-size", HEAD_SIZE, "--seed", SEED, "--dtype", dtype, "--save", saved]
                    command += ["--rng", stream] + (["--causal"] if causal else [])
                    command += [] if positions is None else ["--positions", positions]
                    subprocess.run(
                        [str(part) for part in command],
                        check=True,
                        stdout=subprocess.DEVNULL,
                        env={**os.environ, "WICK_ISA": isa},
                    )
                    if sorted(p.name for p in saved.iterdir()) != sorted(["steps.json", *(f"{a}.npy" for a in arrays)]):
                        complaints.append(f"{name}: saved {sorted(p.name for p in saved.iterdir())}")
                    for array, numpys in arrays.items():
                        wrong = complaint(array, np.load(saved / f"{array}.npy"), numpys, dtype)
                        compared += 1
                        if wrong:
                            where = f"{name}, {stream}, causal {causal}, positions {positions}, {dtype}, {isa}"
                            complaints.append(f"{where}: {wrong}")
    for wrong in complaints:
        print(wrong)
    print(f"{compared} arrays compared with NumPy {np.__version__} on {' '.join(sets)}: {len(complaints)} differ")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
