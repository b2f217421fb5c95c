"""Times wick beside its peers and the machine's limits, and tells what of PEERS' targets is met: see tools/bench --help.

    python3 bench/report --programs build/release/bench [options of tools/bench]
"""

import argparse
import os
import re
import sys

import chart
import measure
import saved
import table
from lines import Measured
from measure import Failure, Measurements, say
from targets import LADDER, all_rows, entries_above_limit


class Usage(Exception):
    """A wrong command line, in one line."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Usage(message)


def parse(arguments):
    parser = Parser(prog="tools/bench", add_help=False, allow_abbrev=False)
    parser.add_argument("--programs", default="")
    parser.add_argument("--check-only", action="store_true")
    parser.add_argument("--full", action="store_true")
    for option in ("--svg", "--baseline", "--save", "--only", "--readme"):
        parser.add_argument(option)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.threads < 1:
        raise Usage(f"--threads {options.threads}: expected 1 or more")
    if options.readme and options.only:
        raise Usage("--readme takes the whole table, and --only a part of it")
    return options


def chosen_rows(only):
    rows = all_rows()
    if only is None:
        return rows
    try:
        pattern = re.compile(only)
    except re.error as error:
        raise Usage(f"--only {only}: not a regular expression: {error}") from error
    rows = [row for row in rows if pattern.match(row.key)]
    if not rows:
        kinds = sorted({row.key.partition("/")[0] for row in all_rows()})
        raise Usage(f"--only {only}: no row begins so; there are rows of {', '.join(kinds)}")
    return rows


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return "unknown", set()
    model = re.search(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
    family = [re.search(rf"^{key}\s*:\s*(\d+)$", text, re.MULTILINE) for key in ("cpu family", "model")]
    flags = re.search(r"^flags\s*:\s*(.*)$", text, re.MULTILINE)
    name = model.group(1) if model else "unknown"
    if all(family):
        name += f" (family {family[0].group(1)}, model {family[1].group(1)})"
    return f"{name}, {os.cpu_count()} processors", set(flags.group(1).split()) if flags else set()


# What OpenBLAS calls the code for processors without AVX2.
OLD_CORES = ("Generic", "Prescott", "Core2", "Penryn", "Dunnington", "Nehalem", "Sandybridge", "Atom", "Opteron", "Barcelona", "Bobcat")


def probe(programs, flags, into):
    """Asks who is there, and helps an OpenBLAS that does not know the processor."""
    programs.run_probe(into)
    chosen = into.context.get("openblas", "").rpartition(" chose ")[2]
    if chosen in OLD_CORES and "avx2" in flags:
        core_type = "SkylakeX" if "avx512bw" in flags else "Haswell"
        programs.help_openblas(core_type)
        programs.run_probe(into)
        into.context["core type"] = f"OPENBLAS_CORETYPE={core_type} was set: by itself this OpenBLAS takes the processor for a {chosen}"


def wanted_names(options, rows, programs, widest):
    names = {name[:-len("widest")] + widest if name.endswith("/widest") else name for row in rows for name in row.names}
    there = programs.all_names()
    names |= {name for name in there if name.startswith("limit/fma/") and name.endswith("/float32")}
    full_names = set()
    if options.full and options.only is None:
        full_names = {name for name in there if not name.startswith(("limit/", "product/", "threads/"))} - names
    return names, full_names


def run_all(options, rows, programs, into):
    """Rounds of everything, NumPy and PyTorch between wick's programs. Long lists that only --full has are run once."""
    names, full_names = wanted_names(options, rows, programs, into.context["instruction set"])
    python = measure.python_with(("numpy", "torch"))
    rounds, repetitions = (10, 5) if options.full else (4, 4)
    for i in range(rounds):
        say(f"round {i + 1} of {rounds}")
        programs.run_round(names, into, min_time=0.003, repetitions=repetitions)
        measure.run_peers_round(python, names, into, programs.env, milliseconds=40, check=i == 0)
    if full_names:
        say("every op, and the ladder")
        programs.run_round(full_names, into, min_time=0.01, repetitions=3)
    return rounds * repetitions


def report(options, rows, into, repeats):
    """The paragraphs, of which the first three are the table; its lines; and whether the run counts."""
    measured = Measured(into)
    lines = [row.evaluate(measured) for row in rows]
    if options.threads != 1:  # the targets are for one
        for line in lines:
            line.verdict = ""
    parts = [table.header_text(into, repeats), table.target_table(lines), table.summary(lines)]
    if options.baseline:
        before = Measured(saved.load(options.baseline))
        parts.append(table.slower_table(lines, [row.evaluate(before) for row in rows]))
    if options.full and options.only is None:
        parts += [table.ladder_table(into, LADDER), table.ops_table(into)]
    above = entries_above_limit(measured)
    if above:
        parts.append("**This run is void**: above the limit are " + ", ".join(above) + ".")
    for name, why in sorted(into.wrong.items()):
        parts.append(f"**Not timed**: {name}: {why}.")
    return parts, lines, not above and not into.wrong


def main(arguments):
    options = parse(arguments)
    rows = chosen_rows(options.only)
    if options.baseline:
        threads = saved.load(options.baseline).context.get("threads", "1")
        if int(threads) != options.threads:
            raise Failure(f"{options.baseline}: was measured on {threads} threads, this run is on {options.threads}")
    for path in (options.svg, options.save, options.readme):
        if path:
            saved.require_writable(path)
    if options.readme:
        saved.readme_with("", options.readme)
    if options.check_only:
        return 0

    into = Measurements()
    name, flags = processor()
    programs = measure.Programs(options.programs, options.threads)
    probe(programs, flags, into)
    into.context["processor"] = name
    into.context["threads"] = str(options.threads)
    repeats = run_all(options, rows, programs, into)
    parts, lines, counts = report(options, rows, into, f"{repeats} repeats in random order")
    sys.stdout.write("\n\n".join(parts) + "\n")
    sys.stdout.flush()
    if options.save and counts:
        saved.save(options.save, into)
    if options.svg:
        saved.write(options.svg, chart.draw(lines, table.subtitle(into)))
    if options.readme and counts:
        saved.write(options.readme, saved.readme_with("\n\n".join(parts[:3]) + "\n", options.readme))
    if not counts:
        raise Failure("the run does not count, and is not saved: the reason stands under the table")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Usage as error:
        say(f"{error} (see tools/bench --help)")
        sys.exit(2)
    except (Failure, OSError) as error:
        say(str(error))
        sys.exit(1)
    except KeyboardInterrupt:
        say("interrupted")
        sys.exit(1)
