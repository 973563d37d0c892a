"""Computes functions of arrays with NumPy and SciPy: `run.py cases.json answers.json`.

Floats are computed in 64 bits. The data types of results are the rules of docs/guides/arrays.md: NumPy's, but an integer and a
float give the float, and indices and sums have 32 bits.
"""

import json
import re
import sys

import numpy as np

from functions import functions, same_type

indices = {"argmax", "argmin", "argsort", "count_nonzero", "nonzero", "search_sorted"}
sums = {"sum", "prod", "cumulative_sum", "cumulative_prod", "trace"}
creators = {"zeros": "float32", "ones": "float32", "full": "float32", "linspace": "float32", "eye": "float32", "arange": "int32"}


def number(given):
    """Of 64 bits are `{"$bigint": "12"}`, not finite are `{"$number": "NaN"}`."""
    if not isinstance(given, dict):
        return given
    return int(given["$bigint"]) if "$bigint" in given else float(given["$number"])


def snake(name):
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


class Reader:
    """Makes the arguments of a case, and knows the data types of its arrays."""

    def __init__(self):
        self.types = []

    def read(self, given):
        if isinstance(given, list):
            return [self.read(each) for each in given]
        if not isinstance(given, dict):
            return given
        if "$bigint" in given or "$number" in given:
            return number(given)
        if "data" not in given:
            return {snake(key): self.read(each) for key, each in given.items()}
        dtype = np.dtype(given["dataType"])
        self.types.append(dtype)
        made = np.array([number(each) for each in given["data"]], dtype).reshape(given["sizes"])
        return made.astype(np.float64) if dtype.kind == "f" else made


def type_of(name, result, types, options):
    if "data_type" in options:
        return np.dtype(options["data_type"])
    if name in creators:
        return np.dtype(creators[name])
    if name in same_type:
        return types[0]
    if result.dtype.kind == "b":
        return np.dtype("uint8")
    if result.dtype.kind == "f":
        if name.startswith("fft."):
            return np.dtype("float32")
        floats = [each for each in types if each.kind == "f"]
        return max(floats, key=lambda each: each.itemsize) if floats else np.dtype("float32")
    if name in indices:
        return np.dtype("int32")
    if name in sums:
        own = np.result_type(*types)
        return own if own.itemsize >= 4 else np.dtype(f"{'u' if own.kind == 'u' else ''}int32")
    return result.dtype


def plain(each):
    if isinstance(each, int):
        return each if abs(each) < 2**53 else {"$bigint": str(each)}
    return each if np.isfinite(each) and (each != 0 or not np.signbit(each)) else {"$number": repr(each).replace("inf", "Infinity").replace("nan", "NaN").replace("-0.0", "-0")}


def answer(case):
    name = snake(case["name"])
    reader = Reader()
    args = [reader.read(each) for each in case["args"]]
    options = args.pop() if args and isinstance(args[-1], dict) else {}
    try:
        results = functions[name](*args, **options)
        if isinstance(results, np.generic | np.ndarray) and results.dtype in (np.float16, np.float32):
            # NumPy computes small integers so.
            results = functions[name](*(each.astype(np.float64) if isinstance(each, np.ndarray) else each for each in args), **options)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    many = isinstance(results, (list, tuple))
    answers = []
    for i, result in enumerate(results if many else [results]):
        result = np.asarray(result)
        own = "argsort" if name in ("top_k", "unique_all", "unique_counts", "unique_inverse") and i > 0 else name
        dtype = result.dtype if name == "astype" else type_of(own, result, reader.types, options)
        result = result.astype(np.dtype(dtype))
        sizes = list(result.shape) or [1]
        answers.append({"dataType": dtype.name, "sizes": sizes, "data": [plain(each) for each in result.ravel().tolist()]})
    return {"results": answers}


np.seterr(all="ignore")
with open(sys.argv[1], encoding="utf-8") as file:
    cases = json.load(file)
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump([answer(case) for case in cases], file)
