"""Runs every op of `wick op list` with `wick op run`, and compares with NumPy, and gradients with PyTorch.

    python3 op_against_numpy.py PATH_OF_WICK

What rounds only once, or not at all, has to be NumPy's to the bit; other values are judged by NumPy in long double,
within the bounds that the ops' headers state. Gradients are PyTorch's within a part of the largest: 1e-12 in float64,
1e-5 in float32; they are left out, aloud, where PyTorch is missing. Each op draws from a seed of its own. An op that is
not in OPS is a failure.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import zlib

import numpy as np
from op_cases import OPS, torch

DTYPES = [np.float32, np.float64]
GRADIENT_LIMITS = {np.float32: 1e-5, np.float64: 1e-12}


def text_of(value):
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else repr(value)


class Runner:
    """Runs ops in a folder of its own."""

    def __init__(self, wick, folder):
        self.wick, self.folder = wick, pathlib.Path(folder)

    def __call__(self, op, inputs, arguments, options=()):
        for i, array in enumerate(inputs):
            np.save(self.folder / f"in{i}.npy", array)
        command = [self.wick, "op", "run", op]
        for i in range(len(inputs)):
            command += ["--in", f"in{i}.npy"]
        for key, value in arguments.items():
            command += ["--arg", f"{key}={text_of(value)}"]
        done = subprocess.run(
            command + ["--out", "out.npy", *options], cwd=self.folder, capture_output=True, text=True, check=False
        )
        if done.returncode != 0 or done.stderr or done.stdout:
            raise RuntimeError(f"ended with {done.returncode}: {done.stderr}{done.stdout}")
        return np.load(self.folder / "out.npy")

    def gradients(self, op, inputs, arguments, grad_out):
        """One for each floating input."""
        np.save(self.folder / "grad_out.npy", grad_out)
        names = [f"grad{i}.npy" for i, array in enumerate(inputs) if array.dtype.kind == "f"]
        self(op, inputs, arguments, ["--grad-out", "grad_out.npy", "--grad-in", *names])
        return [np.load(self.folder / name) for name in names]


def in_type(inputs, dtype):
    return [array.astype(dtype) if array.dtype == np.float64 else array for array in inputs]


def complaint(ours, op, case, inputs):
    expected = np.asarray(op.numpy(*inputs, **case.arguments))
    if (ours.dtype, ours.shape) != (expected.dtype, expected.shape):
        return f"the result is {ours.shape} of {ours.dtype}, not {expected.shape} of {expected.dtype}"
    if op.bound is None:
        same = ours == expected
        if ours.dtype.kind == "f":
            same = same & (np.signbit(ours) == np.signbit(expected))
        within = "to the bit"
    else:
        exact = [array.astype(np.longdouble) for array in inputs]
        expected = op.numpy(*exact, **case.arguments)
        limits = np.finfo(ours.dtype)
        allowed = op.bound(*exact, **case.arguments) * limits.eps + limits.tiny
        same = (ours == expected) | (np.abs(ours - expected) <= allowed)
        within = "within its bound"
    if ours.dtype.kind == "f":
        same = same | (np.isnan(ours) & np.isnan(expected))
    if np.all(same):
        return None
    ours, expected, same = np.atleast_1d(ours, expected, same)
    place = tuple(int(i) for i in np.argwhere(~same)[0])
    return f"element {place} is {ours[place]!r}, NumPy has {expected[place]!r}, not {within}"


def gradient_complaint(run, name, case, inputs, dtype, rng):
    leaves = [torch.from_numpy(np.array(a)).requires_grad_(a.dtype.kind == "f") for a in inputs]
    result = OPS[name].torch(*leaves, **case.arguments)
    grad_out = rng.standard_normal(tuple(result.shape)).astype(dtype)
    result.backward(torch.from_numpy(np.array(grad_out)))
    theirs = [leaf.grad.numpy() for leaf in leaves if leaf.requires_grad]
    for i, (gradient, other) in enumerate(zip(run.gradients(name, inputs, case.arguments, grad_out), theirs)):
        if (gradient.dtype, gradient.shape) != (other.dtype, other.shape):
            return f"gradient {i} is {gradient.shape} of {gradient.dtype}, not {other.shape} of {other.dtype}"
        difference = np.abs(gradient - other).max(initial=0)
        allowed = GRADIENT_LIMITS[dtype] * np.abs(other).max(initial=0)
        if not difference <= allowed:
            return f"gradient {i} differs from PyTorch's by {difference:.2e}, more than {allowed:.2e}"
    return None


def compare_op(name, run, sets):
    """Yields what is wrong, or None, for everything that is compared."""
    op, rng = OPS[name], np.random.default_rng(zlib.crc32(name.encode()))
    for number, case in enumerate(op.cases(rng)):
        shapes = " ".join(f"{array.shape} {array.dtype}" for array in case.inputs)
        for dtype in DTYPES:
            inputs = in_type(case.inputs, dtype)
            where = f"{name} {case.arguments}, case {number} ({shapes}), {np.dtype(dtype).name}"
            try:
                for isa in sets:
                    wrong = complaint(run(name, inputs, case.arguments, ["--isa", isa]), op, case, inputs)
                    yield wrong and f"{where}, {isa}: {wrong}"
                columns = [np.array(array, order="F") for array in inputs]
                wrong = complaint(run(name, columns, case.arguments), op, case, inputs)
                yield wrong and f"{where}, in Fortran order: {wrong}"
                if torch and op.torch and case.has_gradient and any(array.dtype.kind == "f" for array in inputs):
                    wrong = gradient_complaint(run, name, case, inputs, dtype, rng)
                    yield wrong and f"{where}: {wrong}"
            except RuntimeError as error:
                yield f"{where}: {error}"


def main(wick):
    listed = json.loads(subprocess.run([wick, "op", "list", "--json"], check=True, capture_output=True).stdout)
    names = {op["name"] for op in listed}
    info = subprocess.run([wick, "info"], check=True, capture_output=True, text=True).stdout
    sets = next(line for line in info.splitlines() if line.startswith("instruction sets")).split()[2:]
    results = [f"{name}: wick has it, OPS has not" for name in sorted(names - OPS.keys())]
    results += [f"{name}: OPS has it, wick has not" for name in sorted(OPS.keys() - names)]
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        for name in sorted(names & OPS.keys()):
            results += compare_op(name, Runner(wick, folder), sets)
    complaints = [wrong for wrong in results if wrong]
    print(*complaints, sep="\n", end="\n" if complaints else "")
    judges = f"NumPy {np.__version__} and " + (f"PyTorch {torch.__version__}" if torch else "no PyTorch")
    print(f"{len(results)} results compared with {judges} on {' '.join(sets)}: {len(complaints)} differ")
    if torch is None:
        print("skipped: gradients, because there is no PyTorch")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
