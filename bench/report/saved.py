"""Files: a run as JSON, written whole or not at all; the part of a README that a run fills in."""

import json
import os
import tempfile

from measure import Failure, Measurements

FORMAT = "wick bench 1"
# What the report reads of a run. (Google Benchmark tells the name of the machine and where the program stands, too.)
CONTEXT = ("processor", "instruction set", "threads", "compiler", "wick", "eigen", "openblas", "onednn", "numpy", "torch", "core type")
BEGIN, END = "<!-- begin: tools/bench -->\n", "<!-- end: tools/bench -->"


def save(path, measurements):
    context = {key: value for key, value in measurements.context.items() if key in CONTEXT}
    content = {"format": FORMAT, "context": context, "seconds": measurements.seconds, "wrong": measurements.wrong}
    write(path, json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def load(path):
    """What save() wrote. Anything else is a Failure that says what is wrong with it."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise Failure(f"{path}: not JSON: {error}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise Failure(f"{path}: not a run that tools/bench --save wrote (its format would be '{FORMAT}')")
    seconds, context = content.get("seconds"), content.get("context")
    if not isinstance(seconds, dict) or not isinstance(context, dict):
        raise Failure(f"{path}: 'seconds' and 'context' are to be objects")
    for name, value in seconds.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
            raise Failure(f"{path}: '{name}' is {value!r}, expected seconds above 0")
    for name, value in context.items():
        if not isinstance(value, str):
            raise Failure(f"{path}: '{name}' is {value!r}, expected text")
    if not context.get("threads", "1").isdigit():
        raise Failure(f"{path}: 'threads' is {context['threads']!r}, expected a number")
    return Measurements(seconds, context)


def is_stream(path):
    """What cannot be replaced by another file: a pipe, a terminal, /dev/stdout wherever that goes."""
    return path.startswith("/dev/") or (os.path.exists(path) and not os.path.isfile(path))


def require_writable(path):
    """Before minutes of measuring, not after them."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise Failure(f"{path}: is a folder, expected a file to write")
    if not os.path.isdir(folder):
        raise Failure(f"{path}: there is no folder {folder}")
    if not (is_stream(path) or os.access(folder, os.W_OK)) or (os.path.exists(path) and not os.access(path, os.W_OK)):
        raise Failure(f"{path}: cannot be written to")


def write(path, text):
    """The whole file, or what was there before."""
    try:
        if is_stream(path):
            with open(path, "a", encoding="utf-8") as file:  # a file that standard output goes to has the table already
                file.write(text)
            return
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".bench-")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(text)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from error


def readme_with(text, path):
    """A README whose part between the two marks is `text`."""
    try:
        with open(path, encoding="utf-8") as file:
            readme = file.read()
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from error
    begin, end = readme.find(BEGIN), readme.find(END)
    if begin < 0 or end < begin:
        raise Failure(f"{path}: has no lines {BEGIN.strip()} and {END}")
    return readme[:begin + len(BEGIN)] + text + readme[end:]
