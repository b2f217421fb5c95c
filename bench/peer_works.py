"""The works of NumPy and PyTorch: each name gives functions to time, made of operands that stand ready; peers.py takes
calls_of(). A library that is not there is None here."""

import functools
import os
import re

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
    (gradient,) = tensors((B, T, hs))

    def step(forward):
        for linear in (query, key, value):
            linear.weight.grad = None
        forward().backward(gradient)
        return [linear.weight.grad for linear in (query, key, value)]

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
    (gradient,) = tensors(shape)
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
