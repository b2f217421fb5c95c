"""The table, in Markdown."""

from lines import LIMIT_FLOP, MET, MISSED, SET_NAMES
from text import digits, time_text

# A ratio has to fall by more than this to count as slower: what is left of noise in the best of many repeats.
SLOWER = 0.95


def cell(text):
    return text.replace("|", "\\|")


def markdown(header, rows, right=()):
    """A Markdown table; the columns in `right` are aligned to the right."""
    rule = ["---:" if i in right else "---" for i in range(len(header))]
    return "\n".join("| " + " | ".join(map(cell, row)) + " |" for row in [header, rule, *rows])


def ratio(value):
    return "–" if value is None else f"{digits(value)} ×"


def percent(value):
    return "–" if value is None else f"{value:.0%}" if value >= 0.1 else f"{value:.1%}"


def verdict(line):
    return f"**{MISSED}**" if line.verdict == MISSED else line.verdict or "–"


def header_text(measurements, rounds):
    """The machine, and who took part."""
    context = measurements.context
    widest = context.get("instruction set", "scalar")
    limit = measurements.seconds.get(f"limit/fma/{widest}/float32")
    facts = [("processor", context.get("processor", "unknown")), ("compiler", context.get("compiler", "unknown")),
             ("wick", f"{context.get('wick', '')} {SET_NAMES[widest]}".strip())]
    for key, name in (("eigen", "Eigen"), ("openblas", "OpenBLAS"), ("onednn", "oneDNN"), ("numpy", "NumPy"), ("torch", "PyTorch")):
        facts.append((name, context.get(key, "not found")))
    if "core type" in context:
        facts.append(("note", context["core type"]))
    if limit:
        facts.append(("limit", f"{digits(LIMIT_FLOP / limit / 1e9)} GFLOP/s a thread (multiply and add in registers, "
                               f"{SET_NAMES[widest]}, float32, the same run)"))
    facts.append(("how", f"float32, {threads_text(context)}; best of {rounds}; output made anew by whole ops on both sides, ready beforehand for products"))
    return "\n".join(f"- {name}: {what.removeprefix(name).strip()}" for name, what in facts)


def subtitle(measurements):
    """The machine in one line, for the chart."""
    context = measurements.context
    return f"{context.get('processor', 'unknown')}; {context.get('compiler', '')}; {threads_text(context)}, float32"


def threads_text(context):
    threads = context.get("threads", "1")
    return "one thread" if threads == "1" else f"{threads} threads (products one: they are kernel calls; the targets are for one)"


def target_table(lines):
    rows = [[line.work, line.wick, line.peer, ratio(line.vs_peer), percent(line.vs_limit), line.target, verdict(line)]
            for line in lines]
    return markdown(["work", "wick", "best peer", "to it", "of the limit", "target", ""], rows, right=(3, 4))


def summary(lines):
    met = sum(line.verdict == MET for line in lines)
    missed = sum(line.verdict == MISSED for line in lines)
    open_ones = len(lines) - met - missed
    return f"{met} met, {missed} missed, {open_ones} without a verdict (nothing to compare with, no target, not built, or not on this machine)."


def slower_table(lines, before):
    """What a baseline did better, by its ratio to the peer or to the limit, never by its time."""
    earlier = {line.key: line for line in before}
    rows = []
    compared = 0
    for line in lines:
        old = earlier.get(line.key)
        for to, now, then in () if old is None else (("limit", line.vs_limit, old.vs_limit), ("peer", line.vs_peer, old.vs_peer),
                                                     ("target", line.score, old.score)):
            if now is None or then is None:
                continue
            compared += 1
            if now < SLOWER * then:
                rows.append([line.work, to, f"{then:.3g}", f"{now:.3g}", f"{now / then - 1:+.0%}"])
            break  # the limit is the steadier measure, the peer the next
    if not rows:
        return f"Against the baseline: nothing of {compared} rows is slower by more than {1 - SLOWER:.0%}."
    return "Slower than the baseline:\n\n" + markdown(["work", "by its ratio to", "then", "now", "change"], rows, right=(2, 3, 4))


def ladder_table(measurements, works):
    """From the plain loop to each instruction set."""
    steps = ("plain", "scalar", "sse2", "avx2", "avx512")
    rows = []
    for work in works:
        times = [measurements.seconds.get(f"{work}/{step}") for step in steps]
        if any(times):
            rows.append([work] + ["–" if one is None else f"{time_text(one)}" + (f" ({times[0] / one:.1f} ×)" if times[0] else "")
                                  for one in times])
    return markdown(["ladder", "plain loop", "scalar", "SSE2", "AVX2", "AVX-512"], rows, right=(1, 2, 3, 4, 5))


def ops_table(measurements):
    """Every op of the specs: name, time, rate, share of the limit."""
    rows = []
    for name, counters in sorted(measurements.counters.items()):
        if name.startswith("limit/") or not name.removesuffix("/cold_L2").endswith(("/float32", "/float64")):
            continue  # it is not of the specs
        rate = next((f"{digits(counters[unit] / 1e9)} G{unit}" for unit in ("FLOP/s", "bytes/s") if unit in counters), "–")
        share = counters.get("% of limit")
        rows.append([name, time_text(measurements.seconds[name]), rate, "–" if share is None else f"{share:.0f} %"])
    return markdown(["op", "time", "rate", "of the limit"], rows, right=(1, 2, 3))
