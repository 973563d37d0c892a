"""Computes functions and their gradients with PyTorch: `run.py programs.json answers.json`.

A program has a graph as Graph.toDescriptor gives it, the elements of its inputs, and weights of its outputs. The weighted sum of
the outputs is differentiated, in 64 bits. A change is what becomes of 8 units in the last place of a float32 in all inputs.
"""

import base64
import json
import re
import sys

import numpy
import torch

from operators import Node, operators


def elements(text, kind="float64"):
    return torch.from_numpy(numpy.frombuffer(base64.b64decode(text), dtype=kind).copy()).double()


def leaf(given, factor=1.0):
    made = elements(given["elements"]).reshape(given["sizes"])
    return (made * factor).requires_grad_() if given["isFloat"] else made.long()


def plain(field):
    """Some numbers are strings: `-0`, `Infinity`, `12n`."""
    if isinstance(field, list):
        return [plain(each) for each in field]
    if isinstance(field, str) and re.fullmatch(r"-0|-?Infinity|NaN|-?\d+n", field):
        return float(field.rstrip("n"))
    return field


def constant(given):
    made = elements(given["data"], given["dataType"])[: numpy.prod(given["sizes"], dtype=int)].reshape(given["sizes"])
    return made if given["dataType"].startswith("float") else made.long()


def value_of(reference, values):
    """A reference with sizes is another view of the elements."""
    if isinstance(reference, str):
        return values[reference]
    value = values[reference["value"]]
    strides = reference.get("strides")
    if strides is None:
        return value.reshape(reference["sizes"])
    return value.contiguous().as_strided(reference["sizes"], strides)


def is_output(field):
    return isinstance(field, dict) and "dataType" in field


def compute(name, descriptor, values):
    """Adds the outputs of a node to the values."""
    node, outputs = Node({field: plain(given) for field, given in descriptor.items()}), []
    for field, given in descriptor.items():
        if not field.endswith(("Tensor", "Tensors")):
            continue
        tensors = given if isinstance(given, list) else [given]
        if is_output(tensors[0]):
            outputs += [f"{field}[{i}]" for i in range(len(tensors))] if isinstance(given, list) else [field]
        else:
            made = [value_of(each, values) for each in tensors]
            node[field] = made if isinstance(given, list) else made[0]
    made = operators[descriptor["type"]](node)
    made = made if isinstance(made, dict) else {outputs[0]: made}
    values.update({f"{name}.{path}": each for path, each in made.items()})


def differentiate(graph, inputs, weights, factor=1.0):
    """The weighted sum, and its gradients by the names of inputs."""
    leaves = {name: leaf(given, factor) for name, given in inputs.items()}
    values = {**leaves, **{name: constant(given) for name, given in graph.get("constants", {}).items()}}
    for name, descriptor in graph["nodes"].items():
        compute(name, descriptor, values)
    loss = sum((leaf(weights[name]).detach() * value_of(place, values)).sum() for name, place in graph["outputs"].items())
    floats = {name: each for name, each in leaves.items() if each.requires_grad}
    gradients = torch.autograd.grad(loss, list(floats.values()), allow_unused=True)
    made = {name: torch.zeros_like(x) if own is None else own for (name, x), own in zip(floats.items(), gradients)}
    if not all(torch.isfinite(each).all() for each in [loss, *made.values()]):
        raise ValueError("not finite")
    return loss.item(), made


def run(program):
    value, gradients = differentiate(**program)
    moved_value, moved = differentiate(**program, factor=1 + 2**-20)
    answers = {
        name: {
            "elements": base64.b64encode(each.contiguous().numpy().tobytes()).decode(),
            "change": (moved[name] - each).abs().max().item(),
        }
        for name, each in gradients.items()
    }
    return {"value": value, "change": abs(moved_value - value), "gradients": answers}


def answer(program):
    try:
        return run(program)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


torch.set_num_threads(1)
with open(sys.argv[1], encoding="utf-8") as file:
    programs = json.load(file)
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump([answer(program) for program in programs], file)
