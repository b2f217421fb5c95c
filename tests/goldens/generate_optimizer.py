"""Writes optimizer/: what PyTorch's AdamW and SGD make of a parameter in ten steps, from gradients drawn by NumPy.

On Debian 12, with python3-torch (1.13.0): /usr/bin/python3 generate_optimizer.py
"""
import pathlib

import numpy as np
import torch

FOLDER = pathlib.Path(__file__).parent / "optimizer"
STEPS, SIZE = 10, 37

OPTIMIZERS = {
    "adamw": lambda parameters: torch.optim.AdamW(
        parameters, lr=3e-3, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.1
    ),
    "sgd": lambda parameters: torch.optim.SGD(parameters, lr=0.1),
}


def main():
    rng = np.random.default_rng(42)
    # Numbers that float32 holds, so that both types start from the same ones; gradients of several sizes.
    start = rng.standard_normal(SIZE).astype(np.float32).astype(np.float64)
    sizes = 10.0 ** rng.integers(-4, 2, SIZE)
    gradients = (rng.standard_normal((STEPS, SIZE)) * sizes).astype(np.float32).astype(np.float64)
    FOLDER.mkdir(exist_ok=True)
    np.save(FOLDER / "start.npy", start)
    np.save(FOLDER / "gradients.npy", gradients)
    for name, make in OPTIMIZERS.items():
        for dtype in [torch.float32, torch.float64]:
            parameter = torch.from_numpy(start).to(dtype).clone().requires_grad_(True)
            optimizer = make([parameter])
            rows = []
            for gradient in gradients:
                parameter.grad = torch.from_numpy(gradient).to(dtype)
                optimizer.step()
                rows.append(parameter.detach().numpy().copy())
            np.save(FOLDER / f"{name}_{str(dtype).split('.')[1]}.npy", np.stack(rows))


if __name__ == "__main__":
    main()
