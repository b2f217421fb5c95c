#!/usr/bin/env python3
"""Writes rng_states.json: where NumPy's (1.24.2) two streams stand after some calls, and what comes then.

    python3 generate_rng_states.py

Words are decimal texts, in the order of RngState in framework/random.h; floats are C hexadecimal literals. What is
left over for a next call is 0 where there is nothing, which NumPy does not promise of uinteger. "calls" says what was
drawn before: n a normal, i an integer of [0, 24), u a number of [0, 1), w an integer of [0, 2^40).
"""
import json
import pathlib
import struct

import numpy as np

HERE = pathlib.Path(__file__).parent


def pcg64_words(rng):
    state = rng.bit_generator.state
    words = []
    for number in (state["state"]["state"], state["state"]["inc"]):
        words += [number >> 64, number & (2**64 - 1)]
    has = state["has_uint32"]
    return words + [has, state["uinteger"] if has else 0]


def mt19937_words(rng):
    _, key, position, has, normal = rng.get_state()
    bits = struct.unpack("<Q", struct.pack("<d", normal if has else 0.0))[0]
    return [int(word) for word in key] + [position, has, bits]


def default_rng(seed):
    rng = np.random.default_rng(seed)
    calls = dict(n=rng.standard_normal, i=lambda: rng.integers(0, 24), u=rng.random, w=lambda: rng.integers(0, 2**40))
    return rng, calls, pcg64_words


def random_state(seed):
    rng = np.random.RandomState(seed)
    calls = dict(n=rng.standard_normal, i=lambda: rng.randint(0, 24), u=rng.random_sample, w=lambda: rng.randint(0, 2**40))
    return rng, calls, mt19937_words


def case(make, generator, seed, drawn):
    rng, calls, words = make(seed)
    for call in drawn:
        calls[call]()
    text = [str(int(word)) for word in words(rng)]
    then = [calls[call]() for call in "inuwniiunn"]
    return dict(generator=generator, seed=seed, calls=drawn, words=text, then=[float(x).hex() if isinstance(x, float) else int(x) for x in then])


LONG = "niuwniuwniuw" * 40
cases = [case(default_rng, "PCG64", seed, drawn) for seed in (0, 42) for drawn in ["", "i", "ii", "iin", "n", "nin", "u", "wni", LONG]]
# Before the first key is used up, at its end, and with one word of it left.
cases += [case(random_state, "MT19937", 42, drawn) for drawn in ["", "n", "nn", "nin", LONG, "u" * 312, "u" * 311 + "i"]]
(HERE / "rng_states.json").write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
