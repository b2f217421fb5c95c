"""That bench/peers.py times what it says: PyTorch's results against NumPy's, every kind of work at a small size."""

import json
import os
import subprocess
import sys

PEERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "peers.py")
WORKS = ("head/lesson4", "head/lesson4/causal", "head/lesson5", "head/lesson4/forward_backward", "softmax/5x33", "transpose/7x9",
         "attention/2x3x5x4", "attention/2x3x5x4/causal", "attention_backward/2x3x5x4", "gpt/step/small")
NUMPY_HAS_NO = ("head/lesson4/forward_backward", "attention/2x3x5x4", "attention/2x3x5x4/causal", "attention_backward/2x3x5x4",
                "gpt/step/small")

names = [f"{work}/{who}" for work in WORKS for who in ("numpy", "torch")] + ["gelu/4x4/numpy", "softmax/5x33/nobody"]
done = subprocess.run([sys.executable, "-B", PEERS, "--check", "--milliseconds", "0.1", *names], stdin=subprocess.DEVNULL,
                      stdout=subprocess.PIPE, text=True, check=True)
result = json.loads(done.stdout)
assert result["wrong"] == {}, result["wrong"]
expected = {f"{work}/numpy" for work in WORKS if work not in NUMPY_HAS_NO}
if "torch" in result["context"]:
    expected |= {f"{work}/torch" for work in WORKS}
assert set(result["seconds"]) == expected, set(result["seconds"]) ^ expected
assert all(seconds > 0 for seconds in result["seconds"].values())
print("NumPy" + (" and PyTorch agree" if "torch" in result["context"] else " alone: PyTorch is not there"))
