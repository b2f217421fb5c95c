"""The GPT that wick's is timed against: PyTorch's own modules, stacked as one would, trained on the same corpus.

peers.py takes calls_of(): None where there is no such work; and complaint_about(), before that.
"""

import functools
import math
import os

import torch
from torch import nn
from torch.nn import functional as F

V, STEPS = 24, 600
SIZES = {"first": {"T": 64, "C": 64, "H": 4, "L": 4, "B": 16}, "small": {"T": 16, "C": 32, "H": 2, "L": 2, "B": 8}}
CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "goldens", "lantern_bay.txt")


class Attention(nn.Module):
    """All heads at once: one projection to q, k and v, the triangle kept as a buffer."""

    def __init__(self, T, C, H):
        super().__init__()
        self.H = H
        self.qkv = nn.Linear(C, 3 * C)
        self.out = nn.Linear(C, C)
        self.register_buffer("blocked", torch.triu(torch.ones(T, T, dtype=torch.bool), 1))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (part.view(B, T, self.H, C // self.H).transpose(1, 2) for part in self.qkv(x).split(C, dim=2))
        if hasattr(F, "scaled_dot_product_attention"):
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = (q @ k.transpose(-2, -1)) * (C // self.H) ** -0.5
            y = torch.softmax(scores.masked_fill(self.blocked[:T, :T], float("-inf")), -1) @ v
        return self.out(y.transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, T, C, H):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(C), nn.LayerNorm(C)
        self.attention = Attention(T, C, H)
        self.expand, self.contract = nn.Linear(C, 4 * C), nn.Linear(4 * C, C)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.contract(F.gelu(self.expand(self.norm2(x)), approximate="tanh"))


class Gpt(nn.Module):
    def __init__(self, T, C, H, L, **_):
        super().__init__()
        self.token, self.position = nn.Embedding(V, C), nn.Embedding(T, C)
        self.blocks = nn.Sequential(*(Block(T, C, H) for _ in range(L)))
        self.norm = nn.LayerNorm(C)
        self.output = nn.Linear(C, V, bias=False)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.02 / (math.sqrt(2 * L) if "out.w" in name or "contract" in name else 1))

    def forward(self, ids):
        x = self.token(ids) + self.position(torch.arange(ids.shape[1]))
        return self.output(self.norm(self.blocks(x)))


class Training:
    """Batches, AdamW, clipping, and the schedule, as `wick train` has them; `foreach`: the optimizer over all at once."""

    def __init__(self, size, foreach):
        torch.manual_seed(1)
        self.T, self.B = size["T"], size["B"]
        with open(CORPUS, encoding="utf-8") as file:
            text = file.read()
        alphabet = {character: i for i, character in enumerate(sorted(set(text)))}
        self.ids = torch.tensor([alphabet[character] for character in text])
        self.gpt = Gpt(**size)
        decayed = [p for p in self.gpt.parameters() if p.dim() >= 2]
        others = [p for p in self.gpt.parameters() if p.dim() < 2]
        self.optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}],
                                           lr=3e-3, foreach=foreach)
        self.steps = 0

    def step(self):
        self.steps += 1
        share = (self.steps - 50) / (STEPS - 50)
        rate = self.steps / 50 if self.steps <= 50 else 0.1 + 0.45 * (1 + math.cos(math.pi * min(share, 1)))
        for group in self.optimizer.param_groups:
            group["lr"] = 3e-3 * rate
        starts = torch.randint(len(self.ids) - self.T, (self.B,))
        windows = self.ids[starts[:, None] + torch.arange(self.T + 1)]
        loss = F.cross_entropy(self.gpt(windows[:, :-1]).reshape(-1, V), windows[:, 1:].reshape(-1))
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.gpt.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()


def run(size):
    """From nothing, all of it; the ordinary optimizer, which is the faster one on processors."""
    training = Training(size, foreach=False)
    for _ in range(STEPS):
        loss = training.step()
    if not loss < 0.2:
        raise RuntimeError(f"the run ends with a loss of {loss}")


def complaint_about(rest):
    """A new model's loss is that of even odds, and steps of training bring it down. (A run looks at its own end.)"""
    kind, _, name = rest.partition("/")
    if name not in SIZES or kind == "run":
        return ""
    for foreach in (False, True) if kind == "step" else (False,):
        training = Training(SIZES[name], foreach)
        first = training.step()
        if not abs(first - math.log(V)) < 0.2:
            return f"the first loss is {first}"
        if kind == "step":
            last = [training.step() for _ in range(30)][-1]
            if not last < first - 0.2:
                return f"the loss goes from {first} to {last}"
    return ""


def calls_of(rest):
    """`rest` is "step/first", "run/first" or "sample/first"."""
    kind, _, name = rest.partition("/")
    size = SIZES.get(name)
    if size is None:
        return None
    if kind == "step":
        return [(None, Training(size, foreach).step) for foreach in (False, True)]
    if kind == "run":
        return [(None, functools.partial(run, size))]
    if kind == "sample":  # its forward over the window, for one token
        training = Training(size, False)
        return [(None, functools.partial(training.gpt.eval(), training.ids[None, :size["T"]]))]
    return None
