"""The kinds of rows that the table has, each evaluated on the same measurements. Which rows there are: targets.py."""

import math

from lines import NOT_BUILT, PEER_NAMES, SET_NAMES, Line, Row, fill
from text import digits, time_text

PRODUCT_PEERS = ("eigen", "openblas", "onednn")

# m, n, k, and what one row has to reach of the best peer.
LESSONS = ((6, 16, 64), (12, 16, 32), (12, 12, 16))
LARGE = ((512, 512, 512), (1024, 768, 768), (1024, 3072, 768), (2048, 2048, 2048))
PRODUCTS = LESSONS + ((64, 64, 64), (256, 64, 64), (1024, 64, 64), (128, 128, 128), (256, 256, 256), (512, 512, 512),
                      (1024, 768, 768), (1024, 3072, 768), (1024, 1024, 64), (1024, 64, 1024), (1, 768, 768),
                      (2048, 2048, 2048))

# float32 FLOP a cycle of an instruction set's limit, by which cycles are counted: two units of that width, each with a
# multiply-add a cycle.
FLOP_PER_CYCLE = {"avx2": 32, "avx512": 64}


# --- matrix products --------------------------------------------------------------------------------------------------


def product_work(shape):
    return "product/" + "x".join(map(str, shape))


def product_flop(shape):
    return 2.0 * shape[0] * shape[1] * shape[2]


def shape_text(shape):
    return " × ".join(map(str, shape))


def product_row(shape):
    work = product_work(shape)
    flop = product_flop(shape)
    least = 1.0 if shape in LESSONS else 0.9

    def evaluate(measured):
        line = Line(work, f"product {shape_text(shape)}", target="ahead" if least == 1 else "0.9 of the best")
        seconds = measured.seconds.get(measured.name(work))
        if seconds is None:
            return line
        fill(line, measured, work, seconds, PRODUCT_PEERS, flop)
        line.wick = f"{digits(flop / seconds / 1e9)} GFLOP/s"
        best = measured.best_peer(work, PRODUCT_PEERS)
        if best:
            line.peer = f"{PEER_NAMES[best[1]]} {digits(flop / best[0] / 1e9)}"
            line.judge(line.vs_peer / least)
        limit = measured.limit()
        if limit:
            for who in (measured.widest,) + PRODUCT_PEERS:
                if f"{work}/{who}" in measured.seconds:
                    line.bars["wick" if who == measured.widest else PEER_NAMES[who]] = (
                        flop / measured.seconds[f"{work}/{who}"] / limit)
        return line

    return Row(work, [f"{work}/{who}" for who in PRODUCT_PEERS] + [f"{work}/widest"], evaluate)


def products_row(key, work_text, target_text, reduce, least):
    """Over all products at once."""

    def evaluate(measured):
        line = Line(key, work_text, target=target_text)
        lines = [product_row(shape).evaluate(measured) for shape in PRODUCTS]
        ratios = [one.vs_peer for one in lines if one.vs_peer]
        if len(ratios) == len(PRODUCTS):
            line.wick = "all rows above"
            line.vs_peer = reduce(ratios)
            line.peer = "the best of each"
            limits = [one.vs_limit for one in lines if one.vs_limit]
            line.vs_limit = reduce(limits) if len(limits) == len(PRODUCTS) else None
            line.judge(line.vs_peer / least)
        elif len([one for one in lines if one.wick != NOT_BUILT]) == len(PRODUCTS):
            line.wick, line.peer = "all rows above", "none found"
        return line

    return Row(key, [name for shape in PRODUCTS for name in product_row(shape).names], evaluate)


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def share_row(work, work_text, flop, instruction_set, share, peers=(), key=None):
    """A share of an instruction set's limit. What has a key of its own is a kernel call, on one thread."""

    def evaluate(measured):
        line = Line(key or f"{work}/{instruction_set}", f"{work_text}, {SET_NAMES[instruction_set]}",
                    target=f"{share:.0%} of the limit")
        seconds = measured.seconds.get(f"{work}/{instruction_set}")
        if seconds is None:
            line.wick = measured.nothing_of(instruction_set)
            return line
        fill(line, measured, work, seconds, peers, flop, instruction_set, 1 if key else measured.threads)
        line.wick = f"{time_text(seconds)}, {digits(flop / seconds / 1e9)} GFLOP/s"
        return line.judge(line.vs_limit / share) if line.vs_limit else line

    return Row(key or f"{work}/{instruction_set}",
               [f"{work}/{instruction_set}"] + [f"{work}/{peer}" for peer in peers], evaluate)


# --- whole ops and heads ----------------------------------------------------------------------------------------------


def times_row(work, work_text, times, flop=None, is_long=False):
    """So many times as fast as each of some peers; none: just measured."""

    def evaluate(measured):
        line = Line(work, work_text)
        if times:
            line.target = ", ".join(f"{factor} × {PEER_NAMES[peer]}" for peer, factor in times.items())
        seconds = measured.seconds.get(measured.name(work))
        if seconds is None:
            return line
        fill(line, measured, work, seconds, ("numpy", "torch"), flop, threads=measured.threads)
        scores = []
        reached = []
        for peer, factor in times.items():
            theirs = measured.seconds.get(f"{work}/{peer}")
            if theirs is not None:
                scores.append(theirs / seconds / factor)
                reached.append(f"{theirs / seconds:.1f} × {PEER_NAMES[peer]}")
        if len(reached) > 1:
            line.wick += f" ({', '.join(reached)})"
        # One peer that is not there leaves open whether the target is met, but not that it is missed.
        if scores and (len(scores) == len(times) or min(scores) < 1):
            line.judge(min(scores))
        return line

    return Row(work, [f"{work}/widest", f"{work}/numpy", f"{work}/torch"], evaluate, is_long)


def memcpy_row(work, work_text, copied, factor=None):
    """Within a factor of memcpy of the same bytes."""

    def evaluate(measured):
        line = Line(work, work_text, target=f"within {factor} × memcpy" if factor else "–")
        seconds = measured.seconds.get(measured.name(work))
        if seconds is None:
            return line
        fill(line, measured, work, seconds, ("numpy", "torch"))
        limit = measured.seconds.get(f"limit/memcpy/{copied}")
        if limit:
            line.vs_limit = limit / seconds
            line.wick += f" ({seconds / limit:.2f} × memcpy)"
            if factor:
                line.judge(factor * limit / seconds)
        return line

    return Row(work, [f"{work}/widest", f"{work}/numpy", f"{work}/torch", f"limit/memcpy/{copied}"], evaluate)


def cycles_row(work, work_text, elements, instruction_set, per_cycle):
    """So many elements a cycle."""
    key = f"{work}/{instruction_set}"

    def evaluate(measured):
        line = Line(key, f"{work_text}, {SET_NAMES[instruction_set]}", target=f"{per_cycle} elements a cycle")
        seconds = measured.seconds.get(key)
        if seconds is None:
            line.wick = measured.nothing_of(instruction_set)
            return line
        fill(line, measured, work, seconds, ("numpy", "torch"))
        limit = measured.limit(instruction_set)
        if limit:
            cycles = seconds * limit / FLOP_PER_CYCLE[instruction_set]
            line.wick += f", {elements / cycles:.2f} elements a cycle"
            line.judge(elements / cycles / per_cycle)
        return line

    return Row(key, [key, f"{work}/numpy", f"{work}/torch"], evaluate)


OVERHEAD_OPS = ("add", "scale", "softmax", "matmul", "transpose", "reshape", "sum")


def overhead_row():
    """What the dearest of the ops adds to its kernel. (A view has none: all of it is overhead.)"""

    def evaluate(measured):
        line = Line("overhead", f"the dearest of {len(OVERHEAD_OPS)} ops on tiny tensors, over its kernel", target="60 ns or less")
        added = {}
        for op in OVERHEAD_OPS:
            whole = measured.seconds.get(f"overhead/{op}/op")
            if whole is not None:
                added[op] = whole - measured.seconds.get(f"overhead/{op}/kernel", 0)
        if not added:
            return line
        dearest = max(added, key=added.get)
        line.wick = f"{added[dearest] * 1e9:.0f} ns ({dearest}, of {', '.join(added)})"
        return line.judge(60e-9 / max(added[dearest], 1e-12))

    return Row("overhead", [f"overhead/{op}/{part}" for op in OVERHEAD_OPS for part in ("op", "kernel")], evaluate)


# Two threads can gain no more than this, clocks apart: where they seem to, something else ran beside the one.
MOST_OF_TWO = 2 * 1.05


def threads_row(work, work_text, factor=None):
    """Two threads against one: so many times, or a share of what memcpy gains. What was disturbed has no verdict."""

    def gain(measured, name):
        one, two = (measured.seconds.get(f"threads/{name}/{n}") for n in (1, 2))
        return one / two if one and two else None

    def evaluate(measured):
        line = Line(f"threads/{work}", f"two threads: {work_text}",
                    target=f"{factor} × one" if factor else "0.9 of memcpy's gain")
        gained = gain(measured, work)
        if gained is None:
            return line
        line.wick = f"{gained:.2f} × one"
        copied = gain(measured, "memcpy")
        if copied:
            line.wick += f" (memcpy {copied:.2f} ×)"
        if gained > MOST_OF_TWO or (copied and not factor and copied > MOST_OF_TWO):
            line.wick += ", disturbed"
        elif factor:
            line.judge(gained / factor)
        elif copied:
            line.judge(gained / (0.9 * copied))
        return line

    return Row(f"threads/{work}", [f"threads/{name}/{n}" for name in (work, "memcpy") for n in (1, 2)], evaluate)
