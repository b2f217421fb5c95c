"""What is to be reached: the rows of the table, one per target."""

from lines import SET_NAMES
from rows import (LARGE, PRODUCTS, cycles_row, geometric_mean, later_row, memcpy_row, overhead_row, product_flop, product_row,
                  product_work, products_row, shape_text, share_row, threads_row, times_row)

# Clocks leave this much between two measurements of one and the same speed.
GRAIN = 1.005


def attention_flop(batch, heads, length, head_size, causal):
    """query keyᵀ and weights value, 2 FLOP each; where causal, of what is not blocked alone."""
    pairs = length * (length + 1) / 2 if causal else length * length
    return 4.0 * batch * heads * pairs * head_size


def head_flop(batch, length, width, head_size, causal=False):
    """Three projections, then attention."""
    return 6.0 * batch * length * width * head_size + attention_flop(batch, 1, length, head_size, causal)


LONG = "attention/1x12x1024x64"
# Of whole ops and heads; only what is not blocked counts.
FLOP = {
    "head/lesson4": head_flop(1, 6, 64, 16),
    "head/lesson4/causal": head_flop(1, 6, 64, 16, True),
    "head/lesson5": head_flop(1, 12, 32, 16),
    "head/lesson5/causal": head_flop(1, 12, 32, 16, True),
    "head/16x64x64": head_flop(16, 64, 64, 16),
    "head/1x1024x768/causal": head_flop(1, 1024, 768, 64, True),
    LONG: attention_flop(1, 12, 1024, 64, False),
    f"{LONG}/causal": attention_flop(1, 12, 1024, 64, True),
    "attention/16x4x64x16/causal": attention_flop(16, 4, 64, 16, True),
    "attention_backward/1x12x1024x64": 2.5 * attention_flop(1, 12, 1024, 64, False),
}
LESSON_TARGET = {"numpy": 10, "torch": 17}
TORCH = ("torch",)


def all_rows():
    rows = [product_row(shape) for shape in PRODUCTS]
    rows.append(products_row("product/mean", "products: geometric mean", "ahead of the best", geometric_mean, 1.0))
    rows.append(products_row("product/worst", "products: worst row", "0.9 of the best", min, 0.9))
    for instruction_set, share in (("avx512", 0.92), ("avx2", 0.86)):
        rows += [share_row(product_work(shape), f"product {shape_text(shape)}", product_flop(shape), instruction_set, share,
                           key=f"{product_work(shape)}/of_limit/{instruction_set}") for shape in LARGE]
    rows += [
        times_row("head/lesson4", "head forward, lesson 4", LESSON_TARGET, FLOP["head/lesson4"]),
        times_row("head/lesson4/causal", "head forward, lesson 4, causal", LESSON_TARGET, FLOP["head/lesson4/causal"]),
        times_row("head/lesson5", "head forward, lesson 5", LESSON_TARGET, FLOP["head/lesson5"]),
        times_row("head/lesson5/causal", "head forward, lesson 5, causal", LESSON_TARGET, FLOP["head/lesson5/causal"]),
        times_row("head/lesson4/forward_backward", "head forward + backward, lesson 4", {"torch": 20}),
        overhead_row(),
        times_row("head/16x64x64", "head forward (16, 64, 64), hs 16", {"torch": 3}, FLOP["head/16x64x64"]),
        times_row("head/1x1024x768/causal", "head forward (1, 1024, 768), hs 64, causal", {}, FLOP["head/1x1024x768/causal"]),
        memcpy_row("softmax/12288x1024", "softmax 12288 × 1024", 12288 * 1024 * 4, 1.2),
        cycles_row("softmax/64x1024", "softmax 64 × 1024", 64 * 1024, "avx512", 1.4),
        cycles_row("softmax/64x1024", "softmax 64 × 1024", 64 * 1024, "avx2", 0.7),
        cycles_row("softmax/4096x64", "softmax 4096 × 64", 4096 * 64, "avx512", 1.1),
        cycles_row("softmax/4096x64", "softmax 4096 × 64", 4096 * 64, "avx2", 0.55),
        memcpy_row("transpose/1024x1024", "transpose 1024², copied", 1024 * 1024 * 4),
        memcpy_row("transpose/4096x4096", "transpose 4096², copied", 4096 * 4096 * 4, 1.5),
        share_row(LONG, "attention B1 H12 T1024 hs64", FLOP[LONG], "avx512", 0.78, TORCH),
        share_row(f"{LONG}/causal", "attention B1 H12 T1024 hs64, causal", FLOP[f"{LONG}/causal"], "avx512", 0.70, TORCH),
        times_row("attention/16x4x64x16/causal", "attention B16 H4 T64 hs16, causal", {"torch": 5}, FLOP["attention/16x4x64x16/causal"]),
        share_row("attention_backward/1x12x1024x64", "attention backward, T1024",
                  FLOP["attention_backward/1x12x1024x64"], "avx512", 0.50, TORCH),
        threads_row("product", "product 1024 × 768 × 768", 1.8),
        threads_row("attention", "attention T1024", 1.8),
        threads_row("softmax", "softmax 12288 × 1024"),
        threads_row("transpose", "transpose 4096², copied"),
        later_row("gpt/training", "GPT training step V24 T64 C64 H4 L4 B16", "2.5 × PyTorch"),
        later_row("gpt/run", "the first GPT trained from nothing, 600 steps", "2.5 × PyTorch"),
        later_row("gpt/small", "GPT training step V24 T16 C32 H2 L2 B8", "7 × PyTorch"),
        later_row("gpt/sampling", "sampling with cached keys and values, B1", "30 × PyTorch"),
    ]
    return rows


def entries_above_limit(measured):
    """Names that say they did more than the processor can: a run with one of them is void."""
    flop = {**FLOP, **{product_work(shape): product_flop(shape) for shape in PRODUCTS}}
    above = []
    for name, seconds in sorted(measured.seconds.items()):
        work, _, who = name.rpartition("/")
        limit = measured.limit(who if who in SET_NAMES else None, 1 if work.startswith("product/") else measured.threads)
        if work in flop and limit and flop[work] / seconds > GRAIN * limit:
            above.append(f"{name} ({flop[work] / seconds / limit:.1%})")
    return above


# Works with a plain loop beside them, for the ladder.
LADDER = ("matmul/64x64x64", "matmul/256x256x256", "softmax/64x1024", "softmax/4096x64", "transpose/1024x1024",
          "attention/1x12x256x64", "attention/1x12x256x64/causal", "attention/16x4x64x16/causal")
