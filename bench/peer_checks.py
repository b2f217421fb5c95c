"""What PyTorch computes, compared with NumPy before it is timed; its GPT, which NumPy has not, has to learn."""

import contextlib
import re

from peer_works import calls_of, head_operands, np, numpy_attention, operands, torch

CLOSE = 1e-4  # of an array's largest value


def no_gradients_for(name):
    """Open around the timing of what has no backward: as wick has its NoGrad, and costing no call anything."""
    learns = any(part in name for part in ("backward", "gpt/step", "gpt/run"))
    return contextlib.nullcontext() if torch is None or learns else torch.inference_mode()


def attention_gradients(q, k, v, gradient):
    """Of query, key and value, from the output's, in float64 and by hand."""
    q, k, v, gradient = (array.astype(np.float64) for array in (q, k, v, gradient))
    scale = q.shape[-1] ** -0.5
    scores = q @ np.swapaxes(k, -1, -2) * scale
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    of_weights = gradient @ np.swapaxes(v, -1, -2)
    of_scores = weights * (of_weights - (of_weights * weights).sum(axis=-1, keepdims=True)) * scale
    return [of_scores @ k, np.swapaxes(of_scores, -1, -2) @ q, np.swapaxes(weights, -1, -2) @ gradient]


def head_gradients(size):
    """Of the three weights as PyTorch's Linear has them: (hs, C)."""
    x, *weights = (array.astype(np.float64) for array in head_operands(size))
    projected = [x @ weight for weight in weights]
    (gradient,) = operands(projected[0].shape)
    return [np.einsum("bth,btc->hc", one, x) for one in attention_gradients(*projected, gradient)]


def expected_of(work):
    """The arrays that a work gives."""
    kind, _, rest = work.partition("/")
    shape = tuple(int(n) for n in re.findall(r"\d+", rest))
    if kind == "attention_backward":
        return attention_gradients(*operands(shape, shape, shape), *operands(shape))
    if kind == "attention":
        return [numpy_attention(*operands(shape, shape, shape), rest.endswith("/causal"))]
    if rest.endswith("/forward_backward"):
        return head_gradients(rest.split("/")[0])
    return [calls_of(f"{work}/numpy")[0][1]()]


def complaint_about(name):
    """What is wrong with PyTorch's results; "" where nothing is, or where there is nobody to compare."""
    work, _, who = name.rpartition("/")
    if who != "torch" or torch is None:
        return ""
    if work.startswith("gpt/"):
        import torch_gpt  # needs PyTorch  # pylint: disable=import-outside-toplevel

        return torch_gpt.complaint_about(work.partition("/")[2])
    calls = calls_of(name)
    if np is None or not calls:
        return ""
    expected = expected_of(work)
    for prepare, call in calls:
        with no_gradients_for(name):
            got = call(prepare()) if prepare else call()
        got = [one.detach().numpy() for one in (got if isinstance(got, (list, tuple)) else [got])]
        for mine, theirs in zip(expected, got):
            difference = np.abs(theirs - mine).max() if theirs.shape == mine.shape else np.inf
            if not difference <= CLOSE * np.abs(mine).max():
                return f"differs from NumPy by {difference}"
    return ""
