/** Operators that take regions of images. */
import { productOf } from '../../tensors/tensor-size.js';
import { hostOperand } from '../make-data.js';
import { like, type Node } from '../node.js';
import { numbersOf, type HostOperand, type Operand } from '../operand.js';
import { coordinatesOf, partsOf, type Numbers } from './in-memory.js';
import type { Lowerings } from './lowering.js';
import { joined, partOf } from './move-helpers.js';
import { upTo } from './tensor-helpers.js';

export const regionOperators: Lowerings = {
  MaxRoiPool(node) {
    const [input, regions] = [node.input(0), node.input(1)];
    const [height = 1, width = 1] = node.ints('pooled_shape', []);
    const [count = 0] = regions.dims;
    // DirectML rounds halves to even corners, but the others away from 0.
    const corners = node.scaled(partOf(node, regions, 1, 1, 5), node.float('spatial_scale', 1));
    const rounded = node.map('elementWiseRound', corners, { roundingMode: 'towardInfinity' });
    return node.add('roiPooling', {
      inputTensor: input,
      roiTensor: node.reshape(joined(node, [partOf(node, regions, 1, 0, 1), rounded], 1), [1, 1, count, 5]),
      outputTensor: like(input, [count, input.dims[1] ?? 1, height, width]),
      pooledSize: { height, width },
    });
  },
  RoiAlign(node) {
    const [input, regions, images] = [node.input(0), node.input(1), node.input(2)];
    const mode = node.text('mode', 'avg');
    if (mode !== 'avg' && mode !== 'max') throw node.unsupported('the mode', mode);
    const alignment = alignmentOf(node);
    if (mode === 'avg' && input.dataType !== 'float64') return averages(node, input, regions, images, alignment);
    return node.computeOne([input, regions, images], (...given) => alignedHere(...given, mode === 'max', alignment));
  },
};

type Alignment = ReturnType<typeof alignmentOf>;

function alignmentOf(node: Node) {
  return {
    isHalf: node.opset >= 16 && node.text('coordinate_transformation_mode', 'half_pixel') === 'half_pixel',
    scale: node.float('spatial_scale', 1),
    /** Along each dimension of an output element; 0 for as many as it has elements of the input. */
    samples: node.int('sampling_ratio', 0),
    height: node.int('output_height', 1),
    width: node.int('output_width', 1),
  };
}

function averages(node: Node, input: Operand, regions: Operand, images: Operand, alignment: Alignment): Operand {
  const { isHalf, scale, samples, height, width } = alignment;
  const [count = 0] = regions.dims;
  return node.add('roiAlign1', {
    inputTensor: input,
    roiTensor: isHalf || count === 0 ? regions : atLeastOne(node, regions, scale),
    batchIndicesTensor: node.cast(images, 'uint64'),
    outputTensor: like(input, [count, input.dims[1] ?? 1, height, width]),
    ...{ reductionFunction: 'average', interpolationMode: 'linear', spatialScaleX: scale, spatialScaleY: scale },
    ...{ inputPixelOffset: isHalf ? 0.5 : 0, outputPixelOffset: -0.5, outOfBoundsInputValue: 0, alignRegionsToCorners: false },
    minimumSamplesPerOutput: samples === 0 ? 1 : samples,
    maximumSamplesPerOutput: samples === 0 ? 2 ** 32 - 1 : samples,
  });
}

/** Regions of at least one element of the input. */
function atLeastOne(node: Node, regions: Operand, scale: number): Operand {
  const starts = partOf(node, regions, 1, 0, 2);
  const exact = node.scaled(starts, 1, 1 / scale);
  // A bit less, so that rounding does not make it more than one, which would be two samples.
  const least = node.arithmetic('elementWiseSubtract', exact, node.scaled(node.map('elementWiseAbs', exact), 2 ** -22));
  const ends = node.arithmetic('elementWiseMax', partOf(node, regions, 1, 2, 4), least);
  return joined(node, [starts, ends], 1);
}

/** The largest or the mean of samples. The largest is that of the four products of an element and its weight, as ONNX says. */
function alignedHere(
  input: HostOperand,
  regions: HostOperand,
  images: HostOperand,
  isMax: boolean,
  { isHalf, scale, samples, height, width }: Alignment,
): HostOperand {
  const [, channels = 1, rows = 1, columns = 1] = input.dims;
  const elements = numbersOf(input);
  const least = isHalf ? -Infinity : 1;
  const dims = [channels, height, width];
  const corners = partsOf(numbersOf(regions), productOf(images.dims));
  const sum = (numbers: Numbers) => numbers.reduce((total, each) => total + each, 0);
  const made = numbersOf(images).flatMap((image, n) => {
    const [left = 0, top = 0, right = 0, bottom = 0] = (corners[n] ?? []).map((corner) => corner * scale - (isHalf ? 0.5 : 0));
    const down = samplesAlong(top, Math.max(least, bottom - top), height, samples, rows);
    const across = samplesAlong(left, Math.max(least, right - left), width, samples, columns);
    return upTo(productOf(dims)).map((i) => {
      const [channel = 0, y = 0, x = 0] = coordinatesOf(i, dims);
      const first = (image * channels + channel) * rows * columns;
      const products = (down[y] ?? []).flatMap((one) =>
        (across[x] ?? []).map((other) =>
          one.flatMap(([row, a]) => other.map(([column, b]) => a * b * (elements[first + row * columns + column] ?? 0))),
        ),
      );
      if (products.length === 0) return 0;
      return isMax ? products.flat().reduce((a, b) => Math.max(a, b)) : sum(products.map(sum)) / products.length;
    });
  });
  return hostOperand(input.dataType, [corners.length, ...dims], made);
}

type Tap = readonly [place: number, weight: number];

/** For each output element along a dimension, its samples, and for each of these the two elements around with their weights. */
function samplesAlong(start: number, length: number, output: number, samples: number, size: number): readonly Tap[][][] {
  const step = length / output;
  const nothing: Tap = [0, 0];
  return upTo(output).map((cell) =>
    upTo(samples > 0 ? samples : Math.max(0, Math.ceil(step))).map((i, _, { length: count }): Tap[] => {
      const place = start + cell * step + ((i + 0.5) * step) / count;
      if (place < -1 || place > size) return [nothing, nothing];
      const before = Math.min(size - 1, Math.max(0, Math.floor(place)));
      const rest = before === size - 1 ? 0 : Math.max(0, place) - before;
      return [
        [before, 1 - rest],
        [Math.min(size - 1, before + 1), rest],
      ];
    }),
  );
}
