"""Trains the models of trainings.ts with PyTorch: `trainings.py models.json losses.json`. All floats have 64 bits."""

import json
import sys

import torch
import torch.nn.functional as F


def classified(logits, target):
    return F.cross_entropy(logits, target.argmax(1))


def perceptron(w, x, target):
    hidden = F.linear(x, w["w1"].T, w["b1"]).tanh()
    return classified(F.linear(hidden, w["w2"].T, w["b2"]), target)


def convolutional(w, x, target):
    features = F.conv2d(x.reshape(-1, 1, 7, 5), w["filter"], w["bias"], padding=1).relu()
    return classified(F.max_pool2d(features, 2).flatten(1) @ w["last"], target)


def transformer(w, x, target):
    own = F.embedding(x.argmax(1).reshape(-1, 6), w["embedding"]) + w["positions"]
    heads = lambda name: (own @ w[name]).reshape(-1, 6, 2, 8).transpose(1, 2)
    mixed = F.scaled_dot_product_attention(heads("query"), heads("key"), heads("value"))
    total = own + mixed.transpose(1, 2).flatten(2) @ w["output"]
    normal = F.layer_norm(total, [16], w["scale"] + 1, w["shift"], 1e-5)
    after = normal + F.gelu(F.linear(normal, w["up"].T, w["upBias"])) @ w["down"]
    return classified((after @ w["last"]).flatten(0, 1), target)


def recurrent(w, x, target):
    model = torch.nn.RNN(1, 12, batch_first=True, dtype=torch.float64)
    named = {
        "weight_ih_l0": w["input"].T,
        "weight_hh_l0": w["recurrence"].T,
        "bias_ih_l0": w["bias"],
        "bias_hh_l0": torch.zeros(12, dtype=torch.float64),
    }
    states, _ = torch.func.functional_call(model, named, x.unsqueeze(-1))
    return F.mse_loss((states @ w["last"]).squeeze(-1), target)


def tensors(given):
    return {name: torch.tensor(each["elements"], dtype=torch.float64).reshape(each["sizes"]) for name, each in given.items()}


def train(model, steps):
    weights = {name: each.requires_grad_() for name, each in tensors(model["weights"]).items()}
    data = tensors(model["data"])
    optimizer = torch.optim.SGD(weights.values(), model["rate"])
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = globals()[model["name"]](weights, **data)
        loss.backward()
        optimizer.step()
        losses.append(round(loss.item(), 6))
    return losses


torch.set_num_threads(1)
with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)
with open(sys.argv[2], "w", encoding="utf-8") as file:
    for model in given["models"]:
        file.write(json.dumps({"name": model["name"], "losses": train(model, given["steps"])}) + "\n")
