"""Computes layers, losses and optimizers with PyTorch:
`node sandbox/python.mjs numpy,torch checks/nn/answers.py test/nn/answers.json`.

Each case of a function has its arguments, as node-directml/nn takes them, the result, and the gradients of a weighted sum of it.
"""

import json
import sys

import torch
import torch.nn.functional as F

torch.manual_seed(0)
types = {torch.float32: "float32", torch.int64: "int32", torch.bool: "uint8"}
functions = {}


def drawn(*sizes):
    return torch.randn(*sizes, dtype=torch.float32)


def digits(number):
    return float(f"{number:.7g}")


def stored(tree):
    if isinstance(tree, dict):
        return {name: stored(each) for name, each in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [stored(each) for each in tree]
    if not isinstance(tree, torch.Tensor):
        return tree
    elements = tree.detach().reshape(-1).tolist()
    kind = types[tree.dtype]
    return {
        "sizes": list(tree.shape) or [1],
        "dataType": kind,
        "elements": [digits(each) if kind == "float32" else int(each) for each in elements],
    }


def floats(tree):
    if isinstance(tree, torch.Tensor):
        return [tree] if tree.dtype == torch.float32 else []
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, (list, tuple)) else []
    return [leaf for part in parts for leaf in floats(part)]


def case(name, args, compute):
    leaves = floats(args)
    for leaf in leaves:
        leaf.requires_grad_()
    result = compute()
    first = result[0] if isinstance(result, tuple) else result
    weights = torch.arange(first.numel(), dtype=torch.float32).reshape(first.shape).mul(0.7).cos()
    slopes = torch.autograd.grad((first * weights).sum(), leaves, allow_unused=True)
    slopes = [torch.zeros_like(leaf) if slope is None else slope for slope, leaf in zip(slopes, leaves)]
    functions.setdefault(name, []).append(stored({"args": args, "result": result, "gradients": slopes}))


def activations():
    for name, options, compute in [
        ("relu", {}, F.relu),
        ("gelu", {}, F.gelu),
        ("gelu", {"approximate": "tanh"}, lambda x: F.gelu(x, approximate="tanh")),
        ("silu", {}, F.silu),
        ("hardswish", {}, F.hardswish),
        ("softplus", {}, F.softplus),
        ("sigmoid", {}, torch.sigmoid),
        ("tanh", {}, torch.tanh),
        ("leakyRelu", {"negativeSlope": 0.2}, lambda x: F.leaky_relu(x, 0.2)),
        ("elu", {"alpha": 1.5}, lambda x: F.elu(x, 1.5)),
        ("softmax", {}, lambda x: F.softmax(x, -1)),
        ("softmax", {"axis": 0}, lambda x: F.softmax(x, 0)),
        ("logSoftmax", {"axis": 1}, lambda x: F.log_softmax(x, 1)),
    ]:
        x = 2 * drawn(3, 5)
        case(name, [x] + ([options] if options else []), lambda: compute(x))


def affine(name, compute, x, weight, bias, options=None, **keywords):
    x, weight, bias = drawn(*x), drawn(*weight), drawn(bias)
    args = [x, {"weight": weight, "bias": bias}] + ([options] if options else [])
    case(name, args, lambda: compute(x, weight, bias, **keywords))


def layers():
    affine("linear", F.linear, (2, 3, 5), (4, 5), 4)
    at, table = torch.tensor([[1, 3, 0], [2, 2, 1]]), drawn(4, 3)
    case("embedding", [at, {"weight": table}], lambda: F.embedding(at, table))
    strided = {"stride": 2, "padding": 1}
    affine("conv", F.conv1d, (2, 3, 9), (4, 3, 3), 4, strided, **strided)
    affine("conv", F.conv1d, (1, 2, 8), (2, 2, 4), 2, {"padding": "same"}, padding="same")
    grouped = {"groups": 2, "dilation": [2, 1], "padding": [1, 0]}
    affine("conv", F.conv2d, (2, 4, 6, 5), (6, 2, 3, 2), 6, grouped, **grouped)
    affine("conv", F.conv3d, (1, 2, 4, 4, 3), (2, 2, 2, 2, 2), 2, {"stride": [1, 2, 1]}, stride=(1, 2, 1))
    longer = {"stride": 2, "padding": 1, "outputPadding": 1}
    affine("convTranspose", F.conv_transpose1d, (2, 3, 5), (3, 2, 3), 2, longer, stride=2, padding=1, output_padding=1)
    halves = {"groups": 2, "stride": [2, 1]}
    affine("convTranspose", F.conv_transpose2d, (1, 4, 3, 3), (4, 1, 3, 2), 2, halves, **halves)
    more = {"stride": 2, "outputPadding": 1}
    affine("convTranspose", F.conv_transpose2d, (1, 2, 3, 3), (2, 2, 2, 2), 2, more, stride=2, output_padding=1)


def pooling():
    signals, images = drawn(2, 3, 9), drawn(1, 2, 6, 6)
    case("maxPool", [signals, 3, {"stride": 2, "padding": 1}], lambda: F.max_pool1d(signals, 3, 2, 1))
    case("maxPool", [images, [2, 3]], lambda: F.max_pool2d(images, (2, 3)))
    case("maxPool", [images, 2, {"dilation": 2}], lambda: F.max_pool2d(images, 2, 2, 0, 2))
    case("avgPool", [signals, 3, {"stride": 2, "padding": 1}], lambda: F.avg_pool1d(signals, 3, 2, 1))
    without = {"padding": 1, "countIncludePad": False}
    case("avgPool", [images, 3, without], lambda: F.avg_pool2d(images, 3, 3, 1, count_include_pad=False))


def normalizations():
    x, weight, bias = drawn(2, 3, 6), drawn(6), drawn(6)
    case("layerNorm", [x, {"weight": weight, "bias": bias}], lambda: F.layer_norm(x, (6,), weight, bias))
    both, shift = drawn(3, 6), drawn(3, 6)
    args = [x, {"weight": both, "bias": shift}, {"eps": 0.01}]
    case("layerNorm", args, lambda: F.layer_norm(x, (3, 6), both, shift, 0.01))
    case("rmsNorm", [x, {"weight": weight}, {"eps": 1e-6}], lambda: F.rms_norm(x, (6,), weight, 1e-6))
    images = drawn(2, 6, 3, 2)
    args = [images, {"weight": weight, "bias": bias}, {"groups": 3}]
    case("groupNorm", args, lambda: F.group_norm(images, 3, weight, bias))
    args, mean, variance = batch_norm()
    x, weights = args
    case("batchNorm", args, lambda: F.batch_norm(x, mean, variance, weights["weight"], weights["bias"]))


def batch_norm():
    """Arguments, and the running values without gradients."""
    weights = {"weight": drawn(3), "bias": drawn(3), "running_mean": drawn(3), "running_var": drawn(3).abs() + 0.5}
    return [drawn(4, 3, 2), weights], weights["running_mean"].clone(), weights["running_var"].clone()


def attention():
    q, k, v = drawn(2, 3, 4, 8), drawn(2, 3, 5, 8), drawn(2, 3, 5, 6)
    case("attention", [q, k, v], lambda: F.scaled_dot_product_attention(q, k, v))
    a, b, c = drawn(2, 5, 8), drawn(2, 5, 8), drawn(2, 5, 8)
    case("attention", [a, b, c, {"isCausal": True}], lambda: F.scaled_dot_product_attention(a, b, c, is_causal=True))
    mask = torch.rand(5, 5) > 0.3
    mask[:, 0] = True
    case("attention", [a, b, c, {"mask": mask}], lambda: F.scaled_dot_product_attention(a, b, c, attn_mask=mask))


def recurrent():
    both = {"num_layers": 2, "bidirectional": True, "batch_first": True}
    for name, module in (("lstm", torch.nn.LSTM), ("gru", torch.nn.GRU)):
        for options, keywords in (({}, {}), ({"batchFirst": True}, both)):
            net = module(3, 4, **keywords)
            weights = {key: each.detach().clone() for key, each in net.named_parameters()}
            x = drawn(2, 5, 3)

            def compute():
                output, states = torch.func.functional_call(net, weights, (x,))
                return (output, *states) if name == "lstm" else (output, states)

            case(name, [x, weights] + ([options] if options else []), compute)


def losses():
    x, y = drawn(4, 3), drawn(4, 3)
    for reduction in ("mean", "sum", "none"):
        case("mse", [x, y, {"reduction": reduction}], lambda: F.mse_loss(x, y, reduction=reduction))
    case("huber", [x, y, {"delta": 0.7}], lambda: F.huber_loss(x, y, delta=0.7))
    p, target = torch.rand(4, 3), torch.rand(4, 3)
    case("binaryCrossEntropy", [p, target], lambda: F.binary_cross_entropy(p, target))
    logits = 40 * drawn(4, 3)
    logits[0, 0] = 0
    args = [logits, target, {"fromLogits": True}]
    case("binaryCrossEntropy", args, lambda: F.binary_cross_entropy_with_logits(logits, target))
    scores, classes = drawn(5, 4), torch.tensor([1, 0, 3, -100, 2])
    case("crossEntropy", [scores, classes], lambda: F.cross_entropy(scores, classes))
    images, of_images = drawn(2, 4, 3), torch.tensor([[1, 0, 3], [3, 2, 2]])
    args = [images, of_images, {"labelSmoothing": 0.1, "reduction": "sum"}]
    case("crossEntropy", args, lambda: F.cross_entropy(images, of_images, label_smoothing=0.1, reduction="sum"))
    shares = torch.softmax(drawn(5, 4), 1)
    args = [scores, shares, {"labelSmoothing": 0.2}]
    case("crossEntropy", args, lambda: F.cross_entropy(scores, shares, label_smoothing=0.2))


def training():
    args, mean, variance = batch_norm()
    x, weights = args
    result = F.batch_norm(x, mean, variance, weights["weight"], weights["bias"], training=True)
    return stored({"args": args, "result": result, "running_mean": mean, "running_var": variance})


def optimizers():
    torch_optim = torch.optim
    for name, options, make in [
        ("sgd", {"learningRate": 0.1, "weightDecay": 0.01}, lambda p: torch_optim.SGD(p, lr=0.1, weight_decay=0.01)),
        ("momentum", {"learningRate": 0.05, "momentum": 0.8}, lambda p: torch_optim.SGD(p, lr=0.05, momentum=0.8)),
        (
            "momentum",
            {"learningRate": 0.02, "nesterov": True, "weightDecay": 0.1},
            lambda p: torch_optim.SGD(p, lr=0.02, momentum=0.9, nesterov=True, weight_decay=0.1),
        ),
        ("adam", {"learningRate": 0.05, "weightDecay": 0.1}, lambda p: torch_optim.Adam(p, lr=0.05, weight_decay=0.1)),
        ("adamW", {"learningRate": 0.05}, lambda p: torch_optim.AdamW(p, lr=0.05)),
        (
            "adamW",
            {"learningRate": 0.05, "beta1": 0.8, "beta2": 0.9, "eps": 0.001, "weightDecay": 0.2},
            lambda p: torch_optim.AdamW(p, lr=0.05, betas=(0.8, 0.9), eps=0.001, weight_decay=0.2),
        ),
        ("rmsProp", {"learningRate": 0.01, "alpha": 0.9}, lambda p: torch_optim.RMSprop(p, lr=0.01, alpha=0.9)),
    ]:
        first = {"w": drawn(2, 3), "b": drawn(3)}
        weights = {key: each.clone().requires_grad_() for key, each in first.items()}
        optimizer, target, found = make(list(weights.values())), drawn(2, 3), []
        for _ in range(10):
            optimizer.zero_grad()
            loss = ((weights["w"] * weights["b"] - target) ** 2).sum()
            loss.backward()
            found.append(digits(loss.item()))
            optimizer.step()
        yield {"optimizer": name, "options": options, "losses": found} | stored(
            {"weights": first, "target": target, "result": weights}
        )


def clipped():
    gradients = [3 * drawn(3, 2), drawn(4)]
    parameters = [torch.nn.Parameter(torch.zeros_like(each)) for each in gradients]
    for parameter, each in zip(parameters, gradients):
        parameter.grad = each.clone()
    torch.nn.utils.clip_grad_norm_(parameters, 1.5)
    return stored({"gradients": gradients, "result": [each.grad for each in parameters]})


for group in (activations, layers, pooling, normalizations, attention, recurrent, losses):
    group()
answers = {"functions": functions, "training": training(), "optimizers": list(optimizers()), "clip": clipped()}
with open(sys.argv[1], "w") as file:
    json.dump(answers, file, separators=(",", ":"))
