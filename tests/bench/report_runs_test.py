"""bench/report as it is called: its command line, and whole runs with a program that makes its measurements up."""

import contextlib
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REPORT = os.path.join(ROOT, "bench", "report")
sys.path.insert(0, REPORT)

import measure  # noqa: E402  pylint: disable=wrong-import-position
import saved  # noqa: E402  pylint: disable=wrong-import-position
from lines import LIMIT_FLOP  # noqa: E402  pylint: disable=wrong-import-position
from rows import product_flop  # noqa: E402  pylint: disable=wrong-import-position


class CommandLine(unittest.TestCase):
    def run_report(self, *arguments):
        done = subprocess.run([sys.executable, "-B", REPORT, "--check-only", *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.stdout, "")
        return done.returncode, done.stderr

    def test_good(self):
        self.assertEqual(self.run_report("--full", "--only", "softmax|head", "--threads", "2"), (0, ""))

    def test_bad(self):
        for arguments, code, text in ((("--unknown",), 2, "--unknown"), (("--ful",), 2, "--ful"), (("--threads", "0"), 2, "expected 1 or more"),
                                      (("--threads", "x"), 2, "x"), (("--only", "("), 2, "not a regular expression"),
                                      (("--only", "nothing"), 2, "no row begins so"), (("--svg",), 2, "--svg"),
                                      (("--svg", "/nowhere/a.svg"), 1, "/nowhere"), (("--save", "/"), 1, "is a folder"),
                                      (("--baseline", "/nowhere/a.json"), 1, "No such file"), (("--readme", REPORT + "/rows.py"), 1, "has no lines")):
            status, error = self.run_report(*arguments)
            self.assertEqual(status, code, arguments)
            self.assertIn(text, error)
            self.assertEqual(error.count("\n"), 1, error)


PROGRAM = """#!/bin/sh
case $1 in
  --benchmark_list_tests) printf '%s\\n' limit/fma/avx512/float32 product/64x64x64/avx512 ;;
  *) cat "$0.json" ;;
esac
"""


class Runs(unittest.TestCase):
    """Whole runs, from a program's output to the files that are written."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.program = self.path("wick_made_up_bench")
        self.write(self.program, PROGRAM)
        os.chmod(self.program, 0o755)
        self.readme = f"before\n{saved.BEGIN}old\n{saved.END}after\n"
        self.write(self.path("README.md"), self.readme)
        self.write(self.path("run.json"), "old\n")
        # NumPy and PyTorch are not asked.
        self.addCleanup(setattr, measure, "python_with", measure.python_with)
        measure.python_with = lambda modules: None

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def run_report(self, product):
        """The table of a run in which the one product comes out like this, and what the run failed of."""
        limit = {"run_name": "limit/fma/avx512/float32", "best": LIMIT_FLOP / 200e9}
        entries = [{"run_type": "iteration", "real_time": 1.0, "time_unit": "s", **entry}
                   for entry in (limit, {"run_name": "product/64x64x64/avx512", **product})]
        self.write(self.program + ".json", json.dumps({"context": {"instruction set": "avx512"}, "benchmarks": entries}))
        spec = importlib.util.spec_from_file_location("report", os.path.join(REPORT, "__main__.py"))
        report = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(report)
        table, failure = io.StringIO(), ""
        with contextlib.redirect_stdout(table), contextlib.redirect_stderr(io.StringIO()):
            try:
                report.main(["--programs", self.folder, "--save", self.path("run.json"), "--readme", self.path("README.md")])
            except measure.Failure as error:
                failure = str(error)
        return table.getvalue(), failure

    def share_of_limit(self, share):
        return {"best": product_flop((64, 64, 64)) / (share * 200e9)}

    def test_a_run_that_counts_is_saved(self):
        table, failure = self.run_report(self.share_of_limit(0.8))
        self.assertEqual(failure, "")
        self.assertIn("160 GFLOP/s", table)
        self.assertEqual(saved.load(self.path("run.json")).seconds["product/64x64x64/avx512"], self.share_of_limit(0.8)["best"])
        self.assertIn("160 GFLOP/s", self.read("README.md"))
        self.assertNotIn("old", self.read("README.md"))

    def expect_nothing_saved(self, failure):
        self.assertIn("is not saved", failure)
        self.assertEqual(self.read("run.json"), "old\n")
        self.assertEqual(self.read("README.md"), self.readme)

    def test_a_void_run_is_not(self):
        table, failure = self.run_report(self.share_of_limit(1.1))
        self.assertIn("**This run is void**: above the limit are product/64x64x64/avx512 (110.0%).", table)
        self.expect_nothing_saved(failure)

    def test_a_run_with_a_wrong_result_is_not(self):
        table, failure = self.run_report({"error_occurred": True, "error_message": "element (0, 0) is 2, not 1"})
        self.assertIn("**Not timed**: product/64x64x64/avx512: element (0, 0) is 2, not 1.", table)
        self.expect_nothing_saved(failure)


if __name__ == "__main__":
    unittest.main()
