"""What a row of the table comes to: its line, from the measurements as rows ask for them."""

from dataclasses import dataclass, field
from typing import Callable, List, Optional

from text import time_text

PEER_NAMES = {"eigen": "Eigen", "openblas": "OpenBLAS", "onednn": "oneDNN", "numpy": "NumPy", "torch": "PyTorch"}
SET_NAMES = {"scalar": "scalar", "sse2": "SSE2", "avx2": "AVX2", "avx512": "AVX-512"}

MISSED, MET = "missed", "met"
NOT_BUILT = "not built"
NOT_HERE = "not on this machine"


@dataclass
class Line:
    """A row of the table."""

    key: str
    work: str
    wick: str = NOT_BUILT
    peer: str = "–"
    vs_peer: Optional[float] = None  # above 1: wick is the faster
    vs_limit: Optional[float] = None  # 1: wick is at the limit
    target: str = "–"
    score: Optional[float] = None  # what was reached, in units of the target
    verdict: str = ""
    bars: dict = field(default_factory=dict)  # of products: the share of the limit, by name

    def judge(self, score):
        self.score = score
        self.verdict = MET if score >= 1 else MISSED
        return self


@dataclass
class Row:
    """A row before it is measured: the names it is made of, and how."""

    key: str
    names: List[str]
    evaluate: Callable


# FLOP of one call of limit/fma, whatever the set (bench/limits/limits.cpp).
LIMIT_FLOP = 7.84e6


class Measured:
    """Measurements as rows ask for them."""

    def __init__(self, measurements):
        self.seconds = measurements.seconds
        self.widest = measurements.context.get("instruction set", "scalar")
        self.threads = int(measurements.context.get("threads", "1"))

    def name(self, work, who=None):
        return f"{work}/{who or self.widest}"

    def nothing_of(self, instruction_set):
        """Why nothing was measured in an instruction set."""
        sets = list(SET_NAMES)
        return NOT_HERE if sets.index(instruction_set) > sets.index(self.widest) else NOT_BUILT

    def limit(self, instruction_set=None, threads=1):
        """FLOP/s of so many threads together, or None."""
        seconds = self.seconds.get(f"limit/fma/{instruction_set or self.widest}/float32")
        return threads * LIMIT_FLOP / seconds if seconds else None

    def best_peer(self, work, peers):
        """(seconds, name) of the fastest, or None."""
        there = [(self.seconds[f"{work}/{peer}"], peer) for peer in peers if f"{work}/{peer}" in self.seconds]
        return min(there) if there else None


def fill(line, measured, work, seconds, peers, flop=None, instruction_set=None, threads=1):
    """What most rows have: the time, the best peer, the share of the limit."""
    line.wick = time_text(seconds)
    best = measured.best_peer(work, peers)
    if best:
        line.vs_peer = best[0] / seconds
        line.peer = f"{PEER_NAMES[best[1]]} {time_text(best[0])}"
    limit = measured.limit(instruction_set, threads)
    if flop and limit:
        line.vs_limit = flop / seconds / limit
    return line
