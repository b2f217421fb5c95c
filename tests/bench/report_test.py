"""What bench/report makes of measurements that are made up: no clock is read here."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REPORT = os.path.join(ROOT, "bench", "report")
sys.path.insert(0, REPORT)

import chart  # noqa: E402  pylint: disable=wrong-import-position
import measure  # noqa: E402  pylint: disable=wrong-import-position
import saved  # noqa: E402  pylint: disable=wrong-import-position
import table  # noqa: E402  pylint: disable=wrong-import-position
from lines import LIMIT_FLOP, Measured  # noqa: E402  pylint: disable=wrong-import-position
from rows import PRODUCTS, product_flop, product_work  # noqa: E402  pylint: disable=wrong-import-position
from targets import all_rows, entries_above_limit  # noqa: E402  pylint: disable=wrong-import-position

LIMIT = 200e9  # FLOP/s of the made-up machine with AVX-512


def made_up():
    """Every product at 80 % of the limit, its peers at 75 %, 50 % and 25 %; a few other works."""
    seconds = {"limit/fma/avx512/float32": LIMIT_FLOP / LIMIT, "limit/fma/avx2/float32": 2 * LIMIT_FLOP / LIMIT}
    for shape in PRODUCTS:
        for who, share in (("avx512", 0.80), ("onednn", 0.75), ("eigen", 0.50), ("openblas", 0.25)):
            seconds[f"{product_work(shape)}/{who}"] = product_flop(shape) / (share * LIMIT)
    seconds.update({"head/lesson4/avx512": 1e-6, "head/lesson4/numpy": 11e-6, "head/lesson4/torch": 18e-6,
                    "softmax/12288x1024/avx512": 2.2e-3, "limit/memcpy/50331648": 2e-3,
                    "softmax/64x1024/avx512": 65536 / 1.5 / (LIMIT / 64), "softmax/64x1024/avx2": 65536 / 0.6 / (LIMIT / 64),
                    "overhead/add/op": 50e-9, "overhead/add/kernel": 10e-9, "overhead/sum/op": 90e-9, "overhead/sum/kernel": 20e-9,
                    "threads/product/1": 3e-3, "threads/product/2": 1.5e-3, "threads/softmax/1": 3e-3, "threads/softmax/2": 2e-3,
                    "threads/memcpy/1": 3e-3, "threads/memcpy/2": 2.5e-3})
    return measure.Measurements(seconds, {"instruction set": "avx512", "processor": "made up", "threads": "1"})


def lines_of(measurements):
    return {row.key: row.evaluate(Measured(measurements)) for row in all_rows()}


class Targets(unittest.TestCase):
    def setUp(self):
        self.made_up = made_up()

    def line(self, key):
        return lines_of(self.made_up)[key]

    def test_every_row_has_a_name_of_its_own(self):
        keys = [row.key for row in all_rows()]
        self.assertEqual(len(keys), len(set(keys)))

    def test_a_product_is_set_against_the_fastest_peer(self):
        line = self.line("product/64x64x64")
        self.assertEqual(line.verdict, "met")
        self.assertAlmostEqual(line.vs_peer, 0.80 / 0.75)
        self.assertAlmostEqual(line.vs_limit, 0.80)
        self.assertEqual((line.wick, line.peer), ("160 GFLOP/s", "oneDNN 150"))

    def test_a_product_may_be_slower_by_a_tenth_but_not_in_a_lesson(self):
        for shape in ("6x16x64", "64x64x64"):
            self.made_up.seconds[f"product/{shape}/avx512"] *= 1.15  # 0.93 of the best
        self.assertEqual(self.line("product/64x64x64").verdict, "met")
        self.assertEqual(self.line("product/6x16x64").verdict, "missed")

    def test_all_products_together(self):
        self.assertAlmostEqual(self.line("product/mean").vs_peer, 0.80 / 0.75)
        self.assertEqual(self.line("product/worst").verdict, "met")
        self.made_up.seconds["product/1x768x768/avx512"] *= 2
        self.assertAlmostEqual(self.line("product/worst").vs_peer, 0.40 / 0.75)
        self.assertEqual(self.line("product/worst").verdict, "missed")
        self.assertAlmostEqual(self.line("product/mean").vs_peer, 0.80 / 0.75 / 2 ** (1 / 15))

    def test_a_missing_product_leaves_no_mean(self):
        del self.made_up.seconds["product/1x768x768/avx512"]
        self.assertEqual(self.line("product/1x768x768").wick, "not built")
        self.assertEqual(self.line("product/mean").verdict, "")

    def test_without_peers_there_is_a_speed_and_no_verdict(self):
        for name in list(self.made_up.seconds):
            if name.endswith(("/eigen", "/openblas", "/onednn")):
                del self.made_up.seconds[name]
        line = self.line("product/64x64x64")
        self.assertEqual((line.wick, line.peer, line.verdict), ("160 GFLOP/s", "–", ""))
        self.assertEqual(self.line("product/mean").peer, "none found")

    def test_a_share_of_the_limit(self):
        line = self.line("product/512x512x512/of_limit/avx512")
        self.assertEqual((line.verdict, line.target), ("missed", "92% of the limit"))
        self.made_up.seconds["product/512x512x512/avx2"] = product_flop((512, 512, 512)) / (0.87 * LIMIT / 2)
        line = self.line("product/512x512x512/of_limit/avx2")
        self.assertAlmostEqual(line.vs_limit, 0.87)
        self.assertEqual(line.verdict, "met")

    def test_a_head_needs_both_peers_for_met_and_one_for_missed(self):
        self.assertEqual(self.line("head/lesson4").verdict, "met")
        del self.made_up.seconds["head/lesson4/torch"]
        self.assertEqual(self.line("head/lesson4").verdict, "")
        self.made_up.seconds["head/lesson4/numpy"] = 9e-6
        self.assertEqual(self.line("head/lesson4").verdict, "missed")

    def test_memcpy(self):
        self.assertEqual(self.line("softmax/12288x1024").verdict, "met")
        self.made_up.seconds["softmax/12288x1024/avx512"] = 2.5e-3
        self.assertEqual(self.line("softmax/12288x1024").verdict, "missed")

    def test_elements_a_cycle_are_counted_by_the_sets_own_limit(self):
        line = self.line("softmax/64x1024/avx512")
        self.assertIn("1.50 elements a cycle", line.wick)
        self.assertEqual(line.verdict, "met")
        line = self.line("softmax/64x1024/avx2")  # its limit is half, in half as wide registers: the same clock
        self.assertIn("0.60 elements a cycle", line.wick)
        self.assertEqual(line.verdict, "missed")

    def test_overhead_is_the_dearest_ops(self):
        line = self.line("overhead")
        self.assertEqual((line.wick, line.verdict), ("70 ns (sum, of add, sum)", "missed"))

    def test_two_threads(self):
        self.assertEqual(self.line("threads/product").verdict, "met")
        line = self.line("threads/softmax")  # 1.5 of 0.9 × 1.2
        self.assertEqual(line.verdict, "met")
        self.assertAlmostEqual(line.score, 1.5 / (0.9 * 1.2))
        self.assertEqual(self.line("threads/attention").wick, "not built")

    def test_two_threads_that_gain_more_than_two_have_no_verdict(self):
        self.made_up.seconds["threads/product/2"] = 3e-3 / 2.2
        line = self.line("threads/product")
        self.assertEqual((line.wick, line.verdict), ("2.20 × one (memcpy 1.20 ×), disturbed", ""))
        self.made_up.seconds["threads/memcpy/2"] = 3e-3 / 2.2  # what softmax is held to
        self.assertEqual(self.line("threads/softmax").verdict, "")
        self.made_up.seconds["threads/product/2"] = 3e-3 / 2.05  # clocks differ by so much
        self.assertEqual(self.line("threads/product").verdict, "met")

    def test_what_is_not_there_is_no_failure(self):
        for line in lines_of(measure.Measurements({}, {"instruction set": "avx512"})).values():
            self.assertEqual((line.wick, line.verdict), ("not built", ""), line.key)

    def test_a_set_that_the_processor_lacks_is_told_from_what_is_not_built(self):
        lines = lines_of(measure.Measurements({}, {"instruction set": "avx2"}))
        self.assertEqual(lines["softmax/64x1024/avx512"].wick, "not on this machine")
        self.assertEqual(lines["product/512x512x512/of_limit/avx512"].wick, "not on this machine")
        self.assertEqual(lines["softmax/64x1024/avx2"].wick, "not built")

    def test_the_limits_operations_are_what_the_programs_count(self):
        with open(os.path.join(ROOT, "bench", "limits", "limits.cpp"), encoding="utf-8") as file:
            (number,) = re.findall(r"constexpr double kFlop = ([0-9']+);", file.read())
        self.assertEqual(float(number.replace("'", "")), LIMIT_FLOP)

    def test_above_the_limit_the_run_is_void(self):
        self.assertEqual(entries_above_limit(Measured(self.made_up)), [])
        self.made_up.seconds["product/64x64x64/onednn"] *= 0.5
        self.assertEqual(entries_above_limit(Measured(self.made_up)), ["product/64x64x64/onednn (150.0%)"])
        # A set is held to its own limit.
        self.made_up.seconds["product/64x64x64/onednn"] *= 2
        self.made_up.seconds["product/64x64x64/avx2"] = product_flop((64, 64, 64)) / (0.6 * LIMIT)
        self.assertEqual(entries_above_limit(Measured(self.made_up)), ["product/64x64x64/avx2 (120.0%)"])


class Text(unittest.TestCase):
    def test_times(self):
        for seconds, text in ((2.5, "2.50 s"), (0.0123, "12.3 ms"), (1e-3, "1.00 ms"), (1.5e-6, "1.50 µs"), (7.3e-8, "73.0 ns")):
            self.assertEqual(table.time_text(seconds), text)

    def test_every_line_is_a_row_of_as_many_cells(self):
        text = table.target_table(list(lines_of(made_up()).values()))
        rows = text.splitlines()
        self.assertEqual(len(rows), len(all_rows()) + 2)
        self.assertEqual({row.count("|") for row in rows}, {8})
        self.assertIn("| **missed** |", text)

    def test_a_bar_in_a_cell_stays_in_it(self):
        self.assertIn("a\\|b", table.markdown(["x"], [["a|b"]]))

    def test_slower_is_told_by_ratio(self):
        before, now = made_up(), made_up()
        everything_twice_as_slow = {name: 2 * seconds for name, seconds in now.seconds.items()}
        now.seconds.update(everything_twice_as_slow)  # another state of the machine, except for the overhead in ns
        text = table.slower_table([line for line in lines_of(now).values() if line.key != "overhead"],
                                  list(lines_of(before).values()))
        self.assertIn("nothing of", text)
        now.seconds["product/64x64x64/avx512"] *= 1.25
        text = table.slower_table([lines_of(now)["product/64x64x64"]], list(lines_of(before).values()))
        self.assertIn("| product 64 × 64 × 64 | limit | 0.8 | 0.64 | -20% |", text)


class Chart(unittest.TestCase):
    def test_is_well_formed_and_names_every_row(self):
        import xml.etree.ElementTree as ElementTree  # pylint: disable=import-outside-toplevel

        lines = list(lines_of(made_up()).values())
        root = ElementTree.fromstring(chart.draw(lines, "a < b & c"))
        texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
        self.assertIn("a < b & c", texts)
        for line in lines:
            self.assertTrue(line.target == "–" or line.work in texts or line.work.replace("product ", "") in texts, line.work)

    def test_nothing_measured_is_drawn_too(self):
        self.assertIn("</svg>", chart.draw([], ""))


class Programs(unittest.TestCase):
    def test_the_best_repetition_counts(self):
        into = measure.Measurements()
        entries = [{"run_name": "a", "run_type": "iteration", "real_time": t, "time_unit": "us", **best}
                   for t, best in ((3.0, {}), (2.0, {}), (9.0, {"best": 1.5e-6}))]
        entries.append({"run_name": "a", "run_type": "aggregate", "real_time": 0.1, "time_unit": "us"})
        entries.append({"run_name": "b", "error_occurred": True, "error_message": "wrong: element (0, 0)"})
        measure.read(json.dumps({"context": {"compiler": "GCC", "caches": []}, "benchmarks": entries}), into)
        self.assertEqual(into.seconds, {"a": 1.5e-6})
        self.assertEqual(into.wrong, {"b": "wrong: element (0, 0)"})
        self.assertEqual(into.context, {"compiler": "GCC"})

    def test_other_output_is_refused(self):
        for text in ("", "[]", "{}", '{"context": {}, "benchmarks": [{}]}'):
            with self.assertRaises(measure.Failure):
                measure.read(text, measure.Measurements())

    def test_a_python_with_all_modules_is_preferred_to_one_with_some(self):
        self.assertIsNone(measure.python_with(("no_such_module",)))
        self.assertEqual(measure.python_with(("no_such_module", "json")), "python3")
        has_modules = measure.has_modules
        self.addCleanup(setattr, measure, "has_modules", has_modules)
        there = {"python3": {"numpy"}, "/usr/bin/python3": {"numpy", "torch"}}
        measure.has_modules = lambda python, modules: there[python].issuperset(modules)
        self.assertEqual(measure.python_with(("numpy", "torch")), "/usr/bin/python3")
        there["/usr/bin/python3"] = {"torch"}
        self.assertEqual(measure.python_with(("numpy", "torch")), "python3")

    def test_the_environment_handicaps_nobody(self):
        settings = {"OPENBLAS_CORETYPE": "Prescott", "OPENBLAS_L2_SIZE": "1", "DNNL_MAX_CPU_ISA": "SSE41", "ONEDNN_VERBOSE": "1",
                    "MKL_DEBUG_CPU_TYPE": "5", "OMP_WAIT_POLICY": "passive", "WICK_ISA": "scalar", "KEPT": "1",
                    "ATEN_CPU_CAPABILITY": "default", "NPY_DISABLE_CPU_FEATURES": "AVX2", "ONEDNN_MAX_CPU_ISA": "SSE41",
                    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2", "MALLOC_PERTURB_": "1", "PYTHONDEVMODE": "1"}
        os.environ.update(settings)
        try:
            clean = measure.environment(2)
        finally:
            for name in settings:
                del os.environ[name]
        self.assertEqual({name for name in settings if name in clean}, {"KEPT"})
        self.assertEqual(clean["OMP_NUM_THREADS"], "2")


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "run.json")

    def write(self, text):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)

    def test_a_run_comes_back_as_it_was_saved(self):
        saved.save(self.path, made_up())
        again = saved.load(self.path)
        self.assertEqual(again.seconds, made_up().seconds)
        self.assertEqual(again.context, made_up().context)
        self.assertEqual(os.listdir(os.path.dirname(self.path)), ["run.json"])

    def test_what_the_report_does_not_read_is_not_saved(self):
        run = made_up()
        run.context.update({"host_name": "a", "executable": "/home/a/wick_ops_bench", "compiler": "GCC 12"})
        saved.save(self.path, run)
        self.assertEqual(saved.load(self.path).context, {**made_up().context, "compiler": "GCC 12"})

    def test_standard_output_is_written_to_and_not_replaced(self):
        code = "import sys, saved; print('table', flush=True); saved.require_writable('/dev/stdout'); saved.write('/dev/stdout', 'more\\n')"
        command = [sys.executable, "-B", "-c", code]
        done = subprocess.run(command, cwd=REPORT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout, "table\nmore\n")
        with open(self.path, "w", encoding="utf-8") as file:
            subprocess.run(command, cwd=REPORT, stdin=subprocess.DEVNULL, stdout=file, check=True)
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "table\nmore\n")

    def test_damaged_runs_are_refused_in_one_line(self):
        good = {"format": saved.FORMAT, "context": {}, "seconds": {}, "wrong": {}}
        for damage in ("", "{", "[]", "{}", '{"format": "other"}', json.dumps({**good, "seconds": []}),
                       json.dumps({**good, "seconds": {"a": -1}}), json.dumps({**good, "seconds": {"a": True}}),
                       json.dumps({**good, "seconds": {"a": float("nan")}}), json.dumps({**good, "seconds": {"a": "1"}}),
                       json.dumps({**good, "context": {"threads": "many"}}), json.dumps({**good, "context": {"threads": 1}})):
            self.write(damage)
            with self.assertRaises(measure.Failure, msg=damage) as caught:
                saved.load(self.path)
            self.assertNotIn("\n", str(caught.exception))
            self.assertIn(self.path, str(caught.exception))

    def test_a_readme_is_changed_between_its_marks_alone(self):
        self.write(f"before\n{saved.BEGIN}old\n{saved.END}after\n")
        self.assertEqual(saved.readme_with("new\n", self.path), f"before\n{saved.BEGIN}new\n{saved.END}after\n")
        self.write("no marks\n")
        with self.assertRaises(measure.Failure):
            saved.readme_with("new\n", self.path)


if __name__ == "__main__":
    unittest.main()
