"""DirectML's operators in the words of PyTorch. A node has the fields of the descriptor, with tensors in those of inputs."""

import math

import torch
import torch.nn.functional as F


lowest = torch.finfo(torch.float32).min
steep = 30.0


class Node(dict):
    __getattr__ = dict.get


def scaled(node, x):
    scale_bias = node.scaleBias
    if scale_bias is None:
        return x
    made = x * scale_bias["scale"] + scale_bias["bias"]
    return made if x.is_floating_point() else made.trunc().to(x.dtype)


def activated(node, y):
    activation = node.fusedActivation
    if activation is None:
        return y
    return operators[activation["type"]](Node(activation, inputTensor=y, outputTensor={"sizes": list(y.shape)}))


def unary(function):
    return lambda node: function(scaled(node, node.inputTensor), node)


def binary(function):
    return lambda node: activated(node, function(node.aTensor, node.bTensor))


def gradient_of(forward, x, gradient):
    """The gradient of a function as a function of the gradient of its result."""
    x = x if x.requires_grad else x.detach().requires_grad_()
    return torch.autograd.grad(forward(x), x, gradient, create_graph=True)[0]


def gradient(forward):
    return lambda node: gradient_of(lambda x: forward(x, node), node.inputTensor, node.inputGradientTensor)


def linear_gradient(operator):
    """The gradient of an operator that is linear, or whose input does not matter."""

    def compute(node):
        x = torch.zeros(node.outputGradientTensor["sizes"], dtype=torch.float64)
        given = node.inputGradientTensor
        return gradient_of(lambda x: operator(Node(node, inputTensor=x, outputTensor={"sizes": list(given.shape)})), x, given)

    return compute


def blocks(value, sizes):
    for axis, size in enumerate(sizes):
        value = value.repeat_interleave(size // value.shape[axis], axis)
    return value


def pad(x, start, end, value=0.0):
    """Pads the last dimensions, or cuts them by negative numbers."""
    return F.pad(x, [n for pair in zip(reversed(start), reversed(end)) for n in pair], value=value)


def windows(x, node, sizes, fill=0.0):
    """The last dimension of the result has the elements of windows."""
    x = pad(x, node.startPadding, node.endPadding, fill)
    dilations = node.dilations or [1] * len(sizes)
    for i, (size, stride, dilation) in enumerate(zip(sizes, node.strides, dilations)):
        x = x.unfold(2 + i, (size - 1) * dilation + 1, stride)[..., ::dilation]
    return x.flatten(2 + len(sizes))


def average_pooling(node):
    x = node.inputTensor
    parts = windows(x, node, node.windowSize)
    if node.includePadding:
        return parts.mean(-1)
    return parts.sum(-1) / windows(torch.ones_like(x), node, node.windowSize).sum(-1)


def lp_pooling(node):
    return torch.linalg.vector_norm(windows(node.inputTensor, node, node.windowSize), node.p, -1)


def max_pooling(node):
    x = pad(node.inputTensor, node.startPadding, node.endPadding, -math.inf)
    pool = [F.max_pool1d, F.max_pool2d, F.max_pool3d][len(node.windowSize) - 1]
    return pool(x, node.windowSize, node.strides, dilation=node.dilations or 1).clamp(min=lowest)


def max_unpooling(node):
    sizes = node.outputTensor["sizes"]
    line = torch.zeros(math.prod(sizes), dtype=torch.float64)
    return line.index_copy(0, node.indicesTensor.flatten(), node.inputTensor.flatten()).reshape(sizes)


def unfold(node):
    parts = windows(node.inputTensor, node, node.windowSizes)
    return parts.movedim(-1, 2).reshape(node.outputTensor["sizes"])


def convolution(node):
    x, filters, groups = node.inputTensor, node.filterTensor, node.groupCount
    count = len(node.strides)
    bias = node.biasTensor
    bias = None if bias is None else bias.flatten()
    if node.mode == "convolution":
        filters = filters.flip(tuple(range(2, 2 + count)))
    if node.direction == "forward":
        run = [F.conv1d, F.conv2d, F.conv3d][count - 1]
        y = run(pad(x, node.startPadding, node.endPadding), filters, bias, node.strides, 0, node.dilations, groups)
    else:
        run = [F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d][count - 1]
        y = run(x, filters, bias, node.strides, 0, 0, groups, node.dilations)
        y = pad(y, [-n for n in node.startPadding], [-n for n in node.endPadding])
    return activated(node, pad(y, [0] * count, node.outputPadding))


def gemm(node):
    turned = lambda x, how: x.mT if how == "transpose" else x
    y = node.alpha * (turned(node.aTensor, node.transA) @ turned(node.bTensor, node.transB))
    if node.cTensor is not None:
        y = y + node.beta * node.cTensor
    return activated(node, y)


def reduce(node):
    x, axes = node.inputTensor, node.axes
    if node.function == "multiply":
        for axis in axes:
            x = x.prod(axis, keepdim=True)
        return x
    functions = {
        "average": lambda: x.mean(axes, keepdim=True),
        "l1": lambda: torch.linalg.vector_norm(x, 1, axes, keepdim=True),
        "l2": lambda: torch.linalg.vector_norm(x, 2, axes, keepdim=True),
        "logSum": lambda: x.sum(axes, keepdim=True).log(),
        "logSumExp": lambda: x.logsumexp(axes, keepdim=True),
        "max": lambda: x.amax(axes, keepdim=True),
        "min": lambda: x.amin(axes, keepdim=True),
        "sum": lambda: x.sum(axes, keepdim=True),
        "sumSquare": lambda: x.square().sum(axes, keepdim=True),
    }
    return functions[node.function]() if axes else reduce_alone(node)


def reduce_alone(node):
    x = node.inputTensor
    functions = {"l1": torch.abs, "l2": torch.abs, "logSum": torch.log, "sumSquare": torch.square}
    return functions.get(node.function, lambda x: x)(x)


def softmax(node, function=F.softmax, from_log=torch.exp):
    x = node.inputTensor
    axes = [-1] if node.axes is None else node.axes
    if len(axes) == 1:
        return function(x, axes[0])
    return from_log(x - (x.logsumexp(axes, keepdim=True) if axes else x))


def scan(node, function, exclusive, neutral):
    axis, flips = node.axis, node.axisDirection == "decreasing"
    x = node.inputTensor.flip(axis) if flips else node.inputTensor
    y = function(x, axis)
    if exclusive:
        y = torch.cat([torch.full_like(y.narrow(axis, 0, 1), neutral), y.narrow(axis, 0, y.shape[axis] - 1)], axis)
    return y.flip(axis) if flips else y


def top_k(node):
    largest = node.axisDirection != "increasing"
    ordered = node.inputTensor.sort(dim=node.axis, descending=largest, stable=True).values
    return {"outputValueTensor": ordered.narrow(node.axis, 0, node.k)}


def picked(x, places):
    """Along each axis, the elements in these places."""
    for axis, place in enumerate(places):
        x = x.index_select(axis, place)
    return x


def slice_old(node):
    return picked(
        node.inputTensor,
        [offset + stride * torch.arange(size) for offset, size, stride in zip(node.offsets, node.sizes, node.strides)],
    )


def slice_window(node):
    rows = zip(node.inputWindowOffsets, node.inputWindowSizes, node.inputWindowStrides, node.outputTensor["sizes"])
    places = [offset + (size - 1 if stride < 0 else 0) + stride * torch.arange(count) for offset, size, stride, count in rows]
    return picked(node.inputTensor, places)


def padding(node):
    x, mode = node.inputTensor, node.paddingMode
    if mode == "constant":
        return pad(x, node.startPadding, node.endPadding, node.paddingValue)
    places = []
    for size, start, end in zip(x.shape, node.startPadding, node.endPadding):
        at = torch.arange(-start, size + end)
        if mode == "edge":
            at = at.clamp(0, size - 1)
        elif mode == "wrap":
            at = at % size
        else:
            period = max(1, 2 * size - (2 if mode == "reflection" else 0))
            at = at % period
            at = torch.where(at < size, at, (period if mode == "reflection" else period - 1) - at)
        places.append(at)
    return picked(x, places)


def upsample(node):
    x = node.inputTensor
    scale = node.scaleSize
    height, width = (scale["height"], scale["width"]) if isinstance(scale, dict) else (scale[1], scale[0])
    images = x.reshape(1, -1, *x.shape[-2:])
    if node.interpolationMode == "linear":
        y = F.interpolate(images, scale_factor=(height, width), mode="bilinear", align_corners=False)
    else:
        y = F.interpolate(images, scale_factor=(height, width), mode="nearest")
    return y.reshape(node.outputTensor["sizes"])


def resample(node, rounding=None):
    """Element o lies at (o - output offset) / scale - input offset. Beyond the edges, the first and the last element repeat."""
    x = node.inputTensor
    count = len(node.scales)
    ins, outs = node.inputPixelOffsets or [0.5] * count, node.outputPixelOffsets or [-0.5] * count
    for axis, (scale, size) in enumerate(zip(node.scales, node.outputTensor["sizes"])):
        last = x.shape[axis] - 1
        at = (torch.arange(size, dtype=torch.float64) - outs[axis]) / scale - ins[axis]
        low = at.floor()
        pick = lambda place: x.index_select(axis, place.clamp(0, last).long())
        if node.interpolationMode == "linear":
            share = (at - low).reshape([-1] + [1] * (x.dim() - axis - 1))
            x = pick(low) + (pick(low + 1) - pick(low)) * share
        elif rounding is None:
            x = pick((at + 0.5).floor())
        else:
            x = pick(at.ceil() if rounding == "increasing" else low)
    return x


def resample_gradient(node):
    """The two offsets have each other's place."""
    swapped = {"inputPixelOffsets": node.outputPixelOffsets, "outputPixelOffsets": node.inputPixelOffsets}
    return linear_gradient(lambda own: resample(Node(own, **swapped), own.roundingDirection))(node)


def gather_tuples(node):
    x = node.inputTensor.reshape(node.inputTensor.shape[-node.inputDimensionCount :])
    indices = node.indicesTensor.reshape(node.indicesTensor.shape[-node.indicesDimensionCount :])
    batches = node.batchDimensionCount or 0
    count = math.prod(x.shape[:batches])
    x = x.reshape((count,) + x.shape[batches:])
    tuples = indices.reshape(count, -1, indices.shape[-1]).unbind(-1)
    return x[(torch.arange(count).unsqueeze(-1), *tuples)].reshape(node.outputTensor["sizes"])


def scatter_tuples(node):
    x = node.inputTensor.reshape(node.inputTensor.shape[-node.inputDimensionCount :])
    indices = node.indicesTensor.reshape(node.indicesTensor.shape[-node.indicesDimensionCount :])
    tuples = indices.unbind(-1)
    updates = node.updatesTensor.reshape(indices.shape[:-1] + x.shape[indices.shape[-1] :])
    return x.index_put(tuples, updates).reshape(node.outputTensor["sizes"])


def one_hot(node):
    off, on = node.valuesTensor.flatten()[:2]
    axis = node.axis
    places = torch.arange(node.outputTensor["sizes"][axis]).reshape([-1] + [1] * (node.indicesTensor.dim() - axis - 1))
    return torch.where(node.indicesTensor == places, on, off)


def reverse_subsequences(node):
    x, axis, lengths = node.inputTensor, node.axis, node.sequenceLengthsTensor
    at = torch.arange(x.shape[axis]).reshape([-1] + [1] * (x.dim() - axis - 1))
    return x.gather(axis, torch.where(at < lengths, lengths - 1 - at, at).expand(x.shape))


def recurrent(node, gates, step):
    """Each sequence alone. A step makes the next states, of which the first one is the output, from what the gates get."""
    x = node.inputTensor[0]
    steps, batch = x.shape[:2]
    directions, hidden = node.recurrenceTensor.shape[1], node.recurrenceTensor.shape[3]
    lengths = [steps] * batch if node.sequenceLengthsTensor is None else node.sequenceLengthsTensor.flatten().tolist()
    zeros = x.new_zeros(hidden)
    sequence = [[[zeros] * batch for _ in range(directions)] for _ in range(steps)]
    last = [[None] * batch for _ in range(directions)]
    for d in range(directions):
        bias = x.new_zeros(2 * gates * hidden) if node.biasTensor is None else node.biasTensor[0, 0, d]
        of_input, of_state = bias.chunk(2)
        own = node.activationDescs[d * len(node.activationDescs) // directions :]
        shape = {"sizes": [hidden]}
        functions = [lambda y, each=each: operators[each["type"]](Node(each, inputTensor=y, outputTensor=shape)) for each in own]
        peepholes = [zeros] * 3 if node.peepholeTensor is None else node.peepholeTensor[0, 0, d].chunk(3)
        weigh = lambda h: [part @ h + b for part, b in zip(node.recurrenceTensor[0, d].chunk(gates), of_state.chunk(gates))]
        is_backward = d == 1 or node.direction == "backward"
        for item, length in enumerate(lengths):
            starts = [node.hiddenInitTensor, node.cellMemInitTensor]
            states = [zeros if start is None else start[0, d, item] for start in starts]
            times = range(min(length, steps))
            for time in reversed(times) if is_backward else times:
                given = (node.weightTensor[0, d] @ x[time, item] + of_input).chunk(gates)
                states = step(node, functions, given, weigh, states, peepholes)
                sequence[time][d][item] = states[0]
            last[d][item] = states
    stack = lambda rows: torch.stack([torch.stack(row) for row in rows])
    single = [stack([[states[i] for states in row] for row in last])[None] for i in (0, 1)]
    names = ["outputSequenceTensor", "outputSingleTensor", "outputCellSingleTensor"]
    return dict(zip(names, [torch.stack([stack(rows) for rows in sequence]), *single]))


def rnn_step(node, functions, given, weigh, states, peepholes):
    return [functions[0](given[0] + weigh(states[0])[0]), states[1]]


def gru_step(node, functions, given, weigh, states, peepholes):
    h = states[0]
    update, reset = (functions[0](given[i] + weigh(h)[i]) for i in (0, 1))
    candidate = functions[1](given[2] + (reset * weigh(h)[2] if node.linearBeforeReset else weigh(reset * h)[2]))
    return [(1 - update) * candidate + update * h, states[1]]


def lstm_step(node, functions, given, weigh, states, peepholes):
    cell = states[1]
    limited = lambda x: x.clamp(-node.clipThreshold, node.clipThreshold) if node.useClipThreshold else x
    sums = [a + b for a, b in zip(given, weigh(states[0]))]
    admit = functions[0](limited(sums[0] + peepholes[0] * cell))
    keep = 1 - admit if node.coupleInputForget else functions[0](limited(sums[2] + peepholes[2] * cell))
    cell = keep * cell + admit * functions[1](limited(sums[3]))
    return [functions[0](limited(sums[1] + peepholes[1] * cell)) * functions[2](cell), cell]


def space_to_depth(node):
    x, block = node.inputTensor, node.blockSize
    if node.order == "columnRowDepth":
        return F.pixel_unshuffle(x, block)
    batch, channels, height, width = x.shape
    apart = x.reshape(batch, channels, height // block, block, width // block, block)
    return apart.permute(0, 3, 5, 1, 2, 4).reshape(node.outputTensor["sizes"])


def depth_to_space(node):
    x, block = node.inputTensor, node.blockSize
    if node.order == "columnRowDepth":
        return F.pixel_shuffle(x, block)
    batch, channels, height, width = x.shape
    apart = x.reshape(batch, block, block, channels // block**2, height, width)
    return apart.permute(0, 3, 4, 1, 5, 2).reshape(node.outputTensor["sizes"])


def batch_normalization(node):
    inverse = (node.varianceTensor + node.epsilon).rsqrt()
    return activated(node, (node.inputTensor - node.meanTensor) * inverse * node.scaleTensor + node.biasTensor)


def batch_normalization_training(node):
    x = node.inputTensor
    axes = [axis for axis, size in enumerate(node.scaleTensor.shape) if size == 1]
    variance, mean = torch.var_mean(x, axes, correction=0, keepdim=True) if axes else (torch.zeros_like(x), x)
    y = (x - mean) * (variance + node.epsilon).rsqrt() * node.scaleTensor + node.biasTensor
    y = y if node.fusedAddTensor is None else y + node.fusedAddTensor
    return {"outputTensor": activated(node, y), "outputMeanTensor": mean, "outputVarianceTensor": variance}


def mean_variance(node, axes, use_mean=True, use_variance=True):
    x = node.inputTensor
    if math.prod(x.shape[axis] for axis in axes) == 1 and use_mean and use_variance:
        raise ValueError("DirectML takes a single element as the variance")
    mean = lambda value: value.mean(axes, keepdim=True) if axes else value
    y = x - mean(x) if use_mean else x
    if use_variance:
        y = y * (mean(y.square()) + node.epsilon).rsqrt()
    y = y if node.scaleTensor is None else y * node.scaleTensor
    return activated(node, y if node.biasTensor is None else y + node.biasTensor)


def local_response(node):
    x, size = node.inputTensor, node.localSize
    if node.crossChannel:
        return F.local_response_norm(x, size, node.alpha, node.beta, node.bias)
    square = F.avg_pool2d(x.square(), size, 1, size // 2) * size
    return x / (node.bias + node.alpha * square) ** node.beta


def lp_normalization(node):
    x = node.inputTensor
    return x / (torch.linalg.vector_norm(x, node.p, node.axis, keepdim=True).square() + node.epsilon).sqrt()


def diagonal_matrix(node):
    x = node.inputTensor
    rows, columns = x.shape[-2:]
    diagonal = torch.arange(columns) - torch.arange(rows).unsqueeze(-1)
    begin, end = node.diagonalFillBegin, node.diagonalFillEnd
    inside = (diagonal >= min(begin, end)) & (diagonal < max(begin, end))
    return torch.where(inside if begin <= end else ~inside, torch.tensor(float(node.value), dtype=x.dtype), x)


def shrink(x, node):
    return torch.where(x > node.threshold, x - node.bias, torch.where(x < -node.threshold, x + node.bias, 0.0))


def hard_sigmoid(x, node):
    return F.hardtanh(node.alpha * x + node.beta, 0.0, 1.0)


def power(node):
    return scaled(node, node.inputTensor) ** scaled(node, node.exponentTensor)


def value_scale(x, node):
    return x * node.scale + torch.tensor(node.bias, dtype=x.dtype).reshape([-1] + [1] * (x.dim() - 2))


def dequantize(node):
    x = node.inputTensor
    zero = 0 if node.zeroPointTensor is None else blocks(node.zeroPointTensor, x.shape)
    return (x - zero) * blocks(node.scaleTensor, x.shape)


def clip(x, node):
    return x.clamp(node.min, node.max)



operators = {
    **{
        "elementWise" + name: unary(lambda x, node, name=name: getattr(torch, name.lower())(x))
        for name in "Abs Acos Asin Atan Cos Exp Log Sin Sqrt Tan Erf Sinh Cosh Tanh Asinh Acosh Atanh".split()
    },
    "elementWiseIdentity": unary(lambda x, node: x),
    "elementWiseNegate": unary(lambda x, node: -x),
    "elementWiseRecip": unary(lambda x, node: x.reciprocal()),
    "elementWiseConstantPow": unary(lambda x, node: x**node.exponent),
    "elementWiseThreshold": unary(lambda x, node: x.clamp(min=node.min)),
    "elementWiseClip": unary(clip),
    "elementWiseClip1": unary(clip),
    "elementWiseClipGrad": gradient(clip),
    "elementWiseClipGrad1": gradient(clip),
    "elementWisePow": power,
    "elementWiseAdd": binary(torch.add),
    "elementWiseAdd1": binary(torch.add),
    "elementWiseSubtract": binary(torch.sub),
    "elementWiseMultiply": binary(torch.mul),
    "elementWiseDivide": binary(torch.div),
    "elementWiseMax": binary(torch.maximum),
    "elementWiseMin": binary(torch.minimum),
    "elementWiseMean": binary(lambda a, b: (a + b) / 2),
    "elementWiseDifferenceSquare": binary(lambda a, b: (a - b) ** 2),
    "elementWiseModulusTruncate": binary(torch.fmod),
    "elementWiseModulusFloor": binary(torch.remainder),
    "elementWiseAtanYx": binary(torch.atan2),
    "elementWiseIf": lambda node: torch.where(node.conditionTensor != 0, node.aTensor, node.bTensor),
    "elementWiseLogicalGreaterThan": lambda node: (node.aTensor > node.bTensor).long(),
    "elementWiseDequantizeLinear": dequantize,
    "activationIdentity": unary(lambda x, node: x),
    "activationLinear": unary(lambda x, node: node.alpha * x + node.beta),
    "activationRelu": unary(lambda x, node: F.relu(x)),
    "activationReluGrad": gradient(lambda x, node: F.relu(x)),
    "activationLeakyRelu": unary(lambda x, node: F.leaky_relu(x, node.alpha)),
    "activationParameterizedRelu": lambda node: torch.where(
        node.inputTensor > 0, node.inputTensor, node.slopeTensor * node.inputTensor
    ),
    "activationThresholdedRelu": unary(lambda x, node: F.threshold(x, node.alpha, 0.0)),
    "activationElu": unary(lambda x, node: F.elu(x, node.alpha)),
    "activationScaledElu": unary(lambda x, node: node.gamma * F.elu(x, node.alpha)),
    "activationCelu": unary(lambda x, node: F.celu(x, node.alpha)),
    "activationGelu": unary(lambda x, node: F.gelu(x)),
    "activationSigmoid": unary(lambda x, node: x.sigmoid()),
    "activationHardSigmoid": unary(hard_sigmoid),
    "activationSwish": unary(lambda x, node: x * (node.sigmoidInputScale * x).sigmoid()),
    "activationHardSwish": unary(lambda x, node: x * hard_sigmoid(x, node)),
    "activationTanh": unary(lambda x, node: x.tanh()),
    "activationScaledTanh": unary(lambda x, node: node.alpha * (node.beta * x).tanh()),
    "activationSoftplus": unary(lambda x, node: F.softplus(x, node.steepness, steep)),
    "activationParametricSoftplus": unary(lambda x, node: node.alpha * F.softplus(node.beta * x, 1.0, steep)),
    "activationSoftsign": unary(lambda x, node: F.softsign(x)),
    "activationShrink": unary(shrink),
    "activationSoftmax": softmax,
    "activationSoftmax1": softmax,
    "activationLogSoftmax": lambda node: softmax(node, F.log_softmax, lambda x: x),
    "activationLogSoftmax1": lambda node: softmax(node, F.log_softmax, lambda x: x),
    "convolution": convolution,
    "gemm": gemm,
    "reduce": reduce,
    "cumulativeSummation": lambda node: scan(node, torch.cumsum, node.hasExclusiveSum, 0.0),
    "cumulativeProduct": lambda node: scan(node, torch.cumprod, node.hasExclusiveProduct, 1.0),
    "averagePooling": average_pooling,
    "averagePooling1": average_pooling,
    "averagePoolingGrad": linear_gradient(average_pooling),
    "lpPooling": lp_pooling,
    "lpPooling1": lp_pooling,
    "maxPooling": max_pooling,
    "maxPooling1": max_pooling,
    "maxPooling2": max_pooling,
    "maxPoolingGrad": gradient(lambda x, node: max_pooling(Node(node, inputTensor=x))),
    "maxUnpooling": max_unpooling,
    "unfold": unfold,
    "fold": lambda node: gradient_of(
        lambda x: unfold(Node(node, inputTensor=x, outputTensor={"sizes": list(node.inputTensor.shape)})),
        torch.zeros(node.outputTensor["sizes"], dtype=torch.float64),
        node.inputTensor,
    ),
    "topK": top_k,
    "topK1": top_k,
    "slice": slice_old,
    "slice1": slice_window,
    "sliceGrad": linear_gradient(slice_window),
    "cast": unary(lambda x, node: x.double()),
    "split": lambda node: {
        f"outputTensors[{i}]": part
        for i, part in enumerate(node.inputTensor.split([each["sizes"][node.axis] for each in node.outputTensors], node.axis))
    },
    "join": lambda node: torch.cat(node.inputTensors, node.axis),
    "padding": padding,
    "padding1": padding,
    "tile": unary(lambda x, node: x.tile(node.repeats)),
    "valueScale2d": unary(value_scale),
    "upsample2d": upsample,
    "resample": resample,
    "resample1": resample,
    "resample2": lambda node: resample(node, node.roundingDirection),
    "resample3": lambda node: resample(node, node.roundingDirection),
    "resampleGrad": resample_gradient,
    "resampleGrad1": resample_gradient,
    "gather": lambda node: node.inputTensor.index_select(node.axis, node.indicesTensor.flatten()).reshape(
        node.outputTensor["sizes"]
    ),
    "gatherElements": lambda node: node.inputTensor.gather(node.axis, node.indicesTensor),
    "gatherNd": gather_tuples,
    "gatherNd1": gather_tuples,
    "scatterElements": lambda node: node.inputTensor.scatter(node.axis, node.indicesTensor, node.updatesTensor),
    "scatterNd": scatter_tuples,
    "oneHot": one_hot,
    "reverseSubsequences": reverse_subsequences,
    "rnn": lambda node: recurrent(node, 1, rnn_step),
    "gru": lambda node: recurrent(node, 3, gru_step),
    "lstm": lambda node: recurrent(node, 4, lstm_step),
    "spaceToDepth": space_to_depth,
    "spaceToDepth1": space_to_depth,
    "depthToSpace": depth_to_space,
    "depthToSpace1": depth_to_space,
    "batchNormalization": batch_normalization,
    "batchNormalizationTraining": batch_normalization_training,
    "meanVarianceNormalization": lambda node: mean_variance(
        node, [1, 2, 3] if node.crossChannel else [2, 3], True, node.normalizeVariance
    ),
    "meanVarianceNormalization1": lambda node: mean_variance(node, node.axes, True, node.normalizeVariance),
    "meanVarianceNormalization2": lambda node: mean_variance(node, node.axes, node.useMean, node.useVariance),
    "localResponseNormalization": local_response,
    "lpNormalization": lp_normalization,
    "diagonalMatrix1": diagonal_matrix,
}
