#!/usr/bin/env python3
"""Writes training_cases.json: optimizer steps, clipping and a whole small training, by PyTorch (1.13) in float64,
with batches drawn by NumPy (1.24.2).

    /usr/bin/python3 generate_training_cases.py

Numbers are C hexadecimal literals. "steps" gives, for each optimizer, parameters, the gradients of every step, and the
parameters after it; AdamW decays what has rank 2 or more. "clipping" gives gradients with their norm and the scale that
clip_grad_norm_ puts to them. "run" trains softmax(table[ids] @ weight + bias) on a text: the losses of the batches, the
learning rates, the norms before clipping, and the parameters in the end.
"""
import json
import math
import pathlib

import numpy as np
import torch

HERE = pathlib.Path(__file__).parent
torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
rng = np.random.default_rng(11)


def array(a):
    a = np.asarray(a.detach() if isinstance(a, torch.Tensor) else a, dtype=np.float64)
    return dict(shape=list(a.shape), data=[float(x).hex() for x in a.ravel()])


def adamw(parameters, decay, **options):
    weights = [p for p in parameters if p.dim() >= 2]
    others = [p for p in parameters if p.dim() < 2]
    groups = [dict(params=weights, weight_decay=decay), dict(params=others, weight_decay=0.0)]
    return torch.optim.AdamW(groups, lr=1.0, **options)


def set_rate(optimizer, rate):
    for group in optimizer.param_groups:
        group["lr"] = rate


def step_case(name, make, rates):
    parameters = [torch.nn.Parameter(torch.tensor(rng.standard_normal(shape))) for shape in [(3, 4), (4,), (), (2, 1, 3)]]
    optimizer = make(parameters)
    case = dict(name=name, rates=[r.hex() for r in rates], parameters=[array(p) for p in parameters], gradients=[], after=[])
    for rate in rates:
        for p in parameters:
            p.grad = torch.tensor(rng.standard_normal(tuple(p.shape)))
        case["gradients"].append([array(p.grad) for p in parameters])
        set_rate(optimizer, rate)
        optimizer.step()
        case["after"].append([array(p) for p in parameters])
    return case


rates = [0.01 * (1 + i % 3) for i in range(10)]
steps = [
    step_case("Sgd", lambda p: torch.optim.SGD(p, lr=1.0), rates),
    step_case("AdamW", lambda p: adamw(p, 0.01), rates),
    step_case("AdamW, others", lambda p: adamw(p, 0.3, betas=(0.8, 0.95), eps=1e-3), rates),
]

clipping = []
for scale, max_norm in [(1.0, 1.0), (1e-3, 1.0), (100.0, 1.0), (1.0, 0.25), (0.0, 1.0), (1.0, 1e9)]:
    parameters = [torch.nn.Parameter(torch.zeros(shape)) for shape in [(5, 3), (4,)]]
    for p in parameters:
        p.grad = torch.tensor(scale * rng.standard_normal(tuple(p.shape)))
    case = dict(max_norm=float(max_norm).hex(), gradients=[array(p.grad) for p in parameters])
    norm = torch.nn.utils.clip_grad_norm_(parameters, max_norm)
    clipping.append(dict(case, norm=float(norm).hex(), clipped=[array(p.grad) for p in parameters]))


def schedule(step, peak, warmup, total, floor):
    if step <= warmup:
        return peak * step / warmup
    part = min(1.0, (step - warmup) / (total - warmup))
    return peak * (floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * part)))


n, V, C, T, B, seed, total = 200, 7, 5, 8, 4, 3, 25
options = dict(peak=0.05, warmup=5, total=total, floor=0.1)
ids = rng.integers(0, V, n)
table, weight, bias = (torch.nn.Parameter(torch.tensor(0.5 * rng.standard_normal(s))) for s in [(V, C), (C, V), (V,)])
run = dict(ids=ids.tolist(), block_size=T, batch_size=B, seed=seed, max_norm=0.5, steps=total, warmup=5, floor=0.1, peak=0.05)
run["parameters"] = [array(p) for p in (table, weight, bias)]
optimizer = adamw([table, weight, bias], 0.1)
stream = np.random.default_rng(seed)
run.update(starts=[], losses=[], rates=[], norms=[])
for step in range(1, total + 1):
    starts = stream.integers(0, n - T, B)
    x = torch.tensor(np.stack([ids[s : s + T] for s in starts]))
    y = torch.tensor(np.stack([ids[s + 1 : s + T + 1] for s in starts]))
    optimizer.zero_grad()
    logits = table[x] @ weight + bias
    loss = torch.nn.functional.cross_entropy(logits.reshape(-1, V), y.reshape(-1))
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_([table, weight, bias], run["max_norm"])
    set_rate(optimizer, schedule(step, **options))
    optimizer.step()
    run["starts"].append(starts.tolist())
    run["losses"].append(float(loss).hex())
    run["rates"].append(float(schedule(step, **options)).hex())
    run["norms"].append(float(norm).hex())
run["after"] = [array(p) for p in (table, weight, bias)]

(HERE / "training_cases.json").write_text(json.dumps(dict(steps=steps, clipping=clipping, run=run)) + "\n")
