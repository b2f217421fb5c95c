#!/usr/bin/env python3
"""Writes gpt/ and gpt_no_bias/: what PyTorch (1.13.1) makes of a small GPT in GPT-2's form.

    python3 generate_gpt.py

The weights are float32 numbers; everything that follows from them is computed in float64. Names and orientations
in the files are wick's: models/README.md has the table, and `state` below is that table as code. NumPy draws all
that is random.
"""
import json
import math
import pathlib
import struct

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
HERE = pathlib.Path(__file__).parent
V, T, C, H, L, B = 11, 8, 16, 2, 2, 3
STEPS, LEARNING_RATE, WEIGHT_DECAY, CLIP = 10, 3e-3, 0.01, 1.0


class LayerNorm(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(C))
        self.bias = nn.Parameter(torch.zeros(C)) if bias else None

    def forward(self, x):
        return F.layer_norm(x, (C,), self.weight, self.bias, 1e-5)


class Attention(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.c_attn = nn.Linear(C, 3 * C, bias=bias)
        self.c_proj = nn.Linear(C, C, bias=bias)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (y.view(b, t, H, C // H).transpose(1, 2) for y in self.c_attn(x).split(C, dim=2))
        scores = q @ k.transpose(2, 3) / math.sqrt(C // H)
        hidden = torch.ones(t, t, dtype=torch.bool).triu(1)
        weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1)
        return self.c_proj((weights @ v).transpose(1, 2).reshape(b, t, C))


class FeedForward(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.c_fc = nn.Linear(C, 4 * C, bias=bias)
        self.c_proj = nn.Linear(4 * C, C, bias=bias)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))


class Block(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.ln_1 = LayerNorm(bias)
        self.attn = Attention(bias)
        self.ln_2 = LayerNorm(bias)
        self.mlp = FeedForward(bias)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.wte = nn.Embedding(V, C)
        self.wpe = nn.Embedding(T, C)
        self.h = nn.ModuleList(Block(bias) for _ in range(L))
        self.ln_f = LayerNorm(bias)
        self.lm_head = nn.Linear(C, V, bias=False)

    def forward(self, ids):
        x = self.wte(ids) + self.wpe(torch.arange(ids.shape[1]))
        for block in self.h:
            x = block(x)
        return self.lm_head(self.ln_f(x))


def state(model):
    """Wick's names, each with the parameter behind it and whether wick keeps its transpose."""

    def both(name, module, transposed=False):
        yield name + ".weight", module.weight, transposed
        if module.bias is not None:
            yield name + ".bias", module.bias, False

    yield "token_embedding.weight", model.wte.weight, False
    yield "position_embedding.weight", model.wpe.weight, False
    for i, block in enumerate(model.h):
        at = f"blocks.{i}."
        yield from both(at + "attention_norm", block.ln_1)
        yield from both(at + "attention.query_key_value", block.attn.c_attn, True)
        yield from both(at + "attention.output", block.attn.c_proj, True)
        yield from both(at + "feed_forward_norm", block.ln_2)
        yield from both(at + "feed_forward.expand", block.mlp.c_fc, True)
        yield from both(at + "feed_forward.contract", block.mlp.c_proj, True)
    yield from both("final_norm", model.ln_f)
    yield "output.weight", model.lm_head.weight, True


def save(path, arrays, metadata):
    """A .safetensors file, by hand: the length of the header, the header in JSON, the arrays' bytes."""
    header, data = {"__metadata__": metadata}, b""
    for name, a in arrays.items():
        a = np.array(a, order="C")  # which, unlike ascontiguousarray, leaves a scalar a scalar
        kind = {"<f4": "F32", "<f8": "F64", "<i8": "I64"}[a.dtype.str]
        offsets = [len(data), len(data) + a.nbytes]
        header[name] = dict(dtype=kind, shape=list(a.shape), data_offsets=offsets)
        data += a.tobytes()
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def generate(folder, bias, seed):
    rng = np.random.default_rng(seed)
    model = Gpt(bias)
    weights = {}
    for name, parameter, transposed in state(model):
        shape = tuple(parameter.shape)[:: -1 if transposed else 1]
        # Large enough that no part of the model is nearly linear, or nearly without effect.
        a = rng.standard_normal(shape) * (0.4 if len(shape) == 2 else 0.2)
        if "norm.weight" in name:
            a += 1
        weights[name] = a.astype("<f4")
        a = torch.from_numpy(weights[name].astype(float))
        parameter.data = a.T.contiguous() if transposed else a
    # One batch more than there are steps: the first is for logits, loss and gradients.
    windows = rng.integers(0, V, (1 + STEPS, B, T + 1))
    batches = [(torch.from_numpy(w[:, :-1].copy()), torch.from_numpy(w[:, 1:].copy())) for w in windows]

    def loss_of(ids, targets):
        logits = model(ids)
        return logits, F.cross_entropy(logits.reshape(-1, V), targets.reshape(-1))

    logits, loss = loss_of(*batches[0])
    loss.backward()
    arrays = {
        "ids": windows[:, :, :-1],
        "targets": windows[:, :, 1:],
        "logits": logits.detach().numpy(),
        "loss": loss.detach().numpy(),
    }
    for name, parameter, transposed in state(model):
        gradient = parameter.grad.numpy().copy()  # the next backward writes into it
        arrays["gradient." + name] = gradient.T if transposed else gradient

    parameters = list(model.parameters())
    optimizer = torch.optim.AdamW(
        [
            dict(params=[p for p in parameters if p.dim() == 2], weight_decay=WEIGHT_DECAY),
            dict(params=[p for p in parameters if p.dim() != 2], weight_decay=0),
        ],
        lr=LEARNING_RATE,
    )
    losses, norms = [], []
    for ids, targets in batches[1:]:
        optimizer.zero_grad()
        _, loss = loss_of(ids, targets)
        loss.backward()
        norms.append(nn.utils.clip_grad_norm_(parameters, CLIP).item())
        optimizer.step()
        losses.append(loss.item())
    assert min(norms) > CLIP  # every step was clipped
    arrays["losses"] = np.array(losses)
    arrays["norms"] = np.array(norms)

    (HERE / folder).mkdir(exist_ok=True)
    config = dict(vocab_size=V, block_size=T, n_layer=L, n_head=H, n_embd=C, dropout=0, bias=bias)
    save(HERE / folder / "weights.safetensors", weights, dict(config=json.dumps(config)))
    save(HERE / folder / "expected.safetensors", arrays, dict(torch=torch.__version__))


generate("gpt", bias=True, seed=5)
generate("gpt_no_bias", bias=False, seed=6)
