/** Cases and tolerances of the matrix products. */
import type { GemmFusedActivation } from 'node-directml';
import type { Random } from '../../harness/random.js';
import type { ConformanceCase, DataType } from '../../cases/case.js';
import { anyInteger, floatElement, quantizationScales } from '../../cases/element-values.js';
import { fillTensors, ones, randomTensor } from '../../cases/layout.js';
import { fusedActivation } from '../activation/cases.js';
import { withSpecials } from '../../cases/special-values.js';
import { fusable } from '../fused.js';
import { integerProduct } from './integer-tolerance.js';
import { EXACT, OF_MAGNITUDES, type ComputedRow, type Descriptor } from '../../tolerance/row.js';

const PRODUCT: ComputedRow = {
  ulp: 1.5,
  perTerm: 1,
  magnitude: OF_MAGNITUDES,
  reason: 'each term rounds a product and a sum; alpha, beta and the sum with C round once each',
};
/** The tolerance of a product with C or an activation. */
const KEPT = { ...PRODUCT, narrowed: 1, reason: `${PRODUCT.reason}; with float16, the input of the last step truncates` };

/** Each term rounds a product and a sum by half a unit each. */
export const tolerances = {
  gemm: {
    rows: { ...fusable(KEPT).rows, added: KEPT, alone: PRODUCT },
    pick: (descriptor: Descriptor) =>
      (descriptor.type === 'gemm' ? (descriptor.fusedActivation?.type ?? (descriptor.cTensor ? 'added' : null)) : null) ??
      'alone',
  },
  matrixMultiplyInteger: EXACT,
  matrixMultiplyIntegerToFloat: integerProduct,
  quantizedLinearMatrixMultiply: EXACT,
};

/** The sizes of A (rows × inner) and B (inner × columns), and the batch dimensions before them. */
interface Shape {
  readonly batch: number[];
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
}

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const BYTE_TYPES: readonly DataType[] = ['int8', 'uint8'];
const INTEGERS: readonly DataType[] = [...BYTE_TYPES, 'int16', 'uint16', 'int32', 'uint32'];
/** The largest magnitude of an ordinary element of A, B or C. */
const LARGEST = 2;

export function gemm(random: Random, index: number): ConformanceCase {
  const dataType = FLOATS[index % 2] ?? 'float32';
  const hasC = random.chance(0.6);
  const { batch, rows, inner, columns } = shapeOf(random, Math.floor(index / 2), 40);
  const [transA, transB] = [random.chance(0.5), random.chance(0.5)];
  const aTensor = randomTensor(random, dataType, [...batch, ...(transA ? [inner, rows] : [rows, inner])], 'input');
  const bTensor = randomTensor(random, dataType, [...batch, ...(transB ? [columns, inner] : [inner, columns])], 'input');
  const cTensor = hasC ? randomTensor(random, dataType, [...batch, rows, columns], 'input') : null;
  const outputTensor = randomTensor(random, dataType, [...batch, rows, columns], 'output');
  const [alpha, beta] = [factor(random), factor(random)];
  const isShared = batch.every((size, axis) => size === 1 || bTensor.strides?.[axis] === 0);
  const fused = random.chance(0.5) ? gemmActivation(random, batch, isShared) : null;
  const special = withSpecials(random, dataType, random.pick([0, 0, 0.5]));
  const element = () => special(elementOf(random, dataType));
  return {
    descriptor: {
      type: 'gemm',
      aTensor,
      bTensor,
      cTensor,
      outputTensor,
      transA: transA ? 'transpose' : 'none',
      transB: transB ? 'transpose' : 'none',
      alpha,
      beta,
      fusedActivation: fused,
    },
    data: fillTensors(random, { aTensor: [aTensor, element()], bTensor: [bTensor, element()], cTensor: [cTensor, element()] }),
  };
}

/** Any activation that gemm can fuse, including clip and softmax. */
function gemmActivation(random: Random, batch: readonly number[], isShared: boolean): GemmFusedActivation {
  switch (random.int(0, 5)) {
    case 0:
      return { type: 'elementWiseClip', min: random.int(-8, 0) / 4, max: random.int(0, 8) / 4 };
    case 1:
      if (batch.every((size) => size === 1)) return { type: 'activationSoftmax' };
      return { type: 'activationSoftmax1', axes: [batch.length + 1] };
    case 2:
      if (isShared) return { type: 'activationSoftmax1', axes: [batch.length + 1] };
      return { type: 'activationSoftmax1', axes: random.distinct(random.int(1, 2), batch.length + 2) };
    default:
      return fusedActivation(random);
  }
}

export function matrixMultiplyInteger(random: Random, index: number): ConformanceCase {
  const [a, b] = [BYTE_TYPES[index % 2] ?? 'int8', BYTE_TYPES[Math.floor(index / 2) % 2] ?? 'int8'];
  const { batch, rows, inner, columns } = shapeOf(random, Math.floor(index / 4), 200);
  const aTensor = randomTensor(random, a, [...batch, rows, inner], 'input');
  const bTensor = randomTensor(random, b, [...batch, inner, columns], 'input');
  const outputTensor = randomTensor(random, 'int32', [...batch, rows, columns], 'output');
  const aZeroPointTensor = random.chance(0.7) ? randomTensor(random, a, perLine(random, [rows, 1]), 'input') : null;
  const bZeroPointTensor = random.chance(0.7) ? randomTensor(random, b, perLine(random, [columns]), 'input') : null;
  const [anyA, anyB] = [() => anyInteger(random, a), () => anyInteger(random, b)];
  return {
    descriptor: { type: 'matrixMultiplyInteger', aTensor, aZeroPointTensor, bTensor, bZeroPointTensor, outputTensor },
    data: fillTensors(random, {
      aTensor: [aTensor, anyA],
      aZeroPointTensor: [aZeroPointTensor, anyA],
      bTensor: [bTensor, anyB],
      bZeroPointTensor: [bZeroPointTensor, anyB],
    }),
  };
}

/** Scales of any kind. The inner dimension is so short that DirectML sums the terms one after the other. */
export function matrixMultiplyIntegerToFloat(random: Random, index: number): ConformanceCase {
  const a = INTEGERS[index % 6] ?? 'int8';
  const b = INTEGERS[Math.floor(index / 6) % 6] ?? 'int8';
  const dataType = random.pick(FLOATS);
  const { batch, rows, inner, columns } = shapeOf(random, Math.floor(index / 36), 40);
  const aTensor = randomTensor(random, a, [...batch, rows, inner], 'input');
  const bTensor = randomTensor(random, b, [...batch, inner, columns], 'input');
  const outputTensor = randomTensor(random, dataType, [...batch, rows, columns], 'output');
  const biasTensor = random.chance(0.5) ? randomTensor(random, dataType, [...batch, rows, columns], 'input') : null;
  const [aLines, bLines] = [perLine(random, [rows, 1]), perLine(random, [columns])];
  const aScaleTensor = randomTensor(random, dataType, aLines, 'input');
  const bScaleTensor = randomTensor(random, dataType, bLines, 'input');
  const aZeroPointTensor = random.chance(0.7) ? randomTensor(random, a, aLines, 'input') : null;
  const bZeroPointTensor = random.chance(0.7) ? randomTensor(random, b, bLines, 'input') : null;
  const scales = quantizationScales(random, 0);
  const isSmall = random.chance(0.5);
  const level = (type: DataType) => () => (isSmall ? random.int(type.startsWith('u') ? 0 : -20, 20) : anyInteger(random, type));
  const special = random.chance(0.2);
  const bias = () =>
    floatElement(
      dataType,
      special && random.chance(0.1) ? random.pick([NaN, Infinity, -Infinity, 3e38]) : random.int(-99, 99) / 7,
    );
  return {
    descriptor: {
      type: 'matrixMultiplyIntegerToFloat',
      ...{ aTensor, aScaleTensor, aZeroPointTensor, bTensor, bScaleTensor, bZeroPointTensor, biasTensor, outputTensor },
    },
    data: fillTensors(random, {
      aTensor: [aTensor, level(a)],
      aScaleTensor: [aScaleTensor, () => floatElement(dataType, scales.a())],
      aZeroPointTensor: [aZeroPointTensor, level(a)],
      bTensor: [bTensor, level(b)],
      bScaleTensor: [bScaleTensor, () => floatElement(dataType, scales.b())],
      bZeroPointTensor: [bZeroPointTensor, level(b)],
      biasTensor: [biasTensor, bias],
    }),
  };
}

export function quantizedLinearMatrixMultiply(random: Random, index: number): ConformanceCase {
  const [a, b, output] = [0, 1, 2].map((bit) => BYTE_TYPES[(index >> bit) % 2] ?? 'int8') as [DataType, DataType, DataType];
  const { batch, rows, inner, columns } = shapeOf(random, Math.floor(index / 8), 40);
  const aTensor = randomTensor(random, a, [...batch, rows, inner], 'input');
  const bTensor = randomTensor(random, b, [...batch, inner, columns], 'input');
  const outputTensor = randomTensor(random, output, [...batch, rows, columns], 'output');
  const parameters = (type: DataType, each: readonly number[]) => {
    const sizes = perLine(random, each);
    const zeroPoint = random.chance(0.7) ? randomTensor(random, type, sizes, 'input') : null;
    return [randomTensor(random, 'float32', sizes, 'input'), zeroPoint] as const;
  };
  const [aScaleTensor, aZeroPointTensor] = parameters(a, [rows, 1]);
  const [bScaleTensor, bZeroPointTensor] = parameters(b, [columns]);
  const [outputScaleTensor, outputZeroPointTensor] = parameters(output, [rows, 1]);
  const [anyA, anyB] = [() => anyInteger(random, a), () => anyInteger(random, b)];
  const scales = quantizationScales(random, 12);
  return {
    descriptor: {
      type: 'quantizedLinearMatrixMultiply',
      ...{ aTensor, aScaleTensor, aZeroPointTensor, bTensor, bScaleTensor, bZeroPointTensor },
      ...{ outputScaleTensor, outputZeroPointTensor, outputTensor },
    },
    data: fillTensors(random, {
      aTensor: [aTensor, anyA],
      aScaleTensor: [aScaleTensor, scales.a],
      aZeroPointTensor: [aZeroPointTensor, anyA],
      bTensor: [bTensor, anyB],
      bScaleTensor: [bScaleTensor, scales.b],
      bZeroPointTensor: [bZeroPointTensor, anyB],
      outputScaleTensor: [outputScaleTensor, scales.output],
      outputZeroPointTensor: [outputZeroPointTensor, () => anyInteger(random, output)],
    }),
  };
}

/** Two to four dimensions; in some cases a long inner dimension or many columns. */
function shapeOf(random: Random, turn: number, longest: number): Shape {
  const batch = Array.from({ length: turn % 3 }, () => random.int(1, 3));
  const most = batch.length === 0 ? 20 : 7;
  const inner = random.chance(0.2) ? random.int(1, longest) : random.int(1, 8);
  const columns = random.chance(0.1) ? random.int(30, 70) : random.int(1, most);
  return { batch, rows: random.int(1, most), inner, columns };
}

/** Sizes of a quantization parameter: a single one, or one per row or column; sometimes with leading dimensions of 1. */
function perLine(random: Random, each: readonly number[]): number[] {
  const sizes = random.chance(0.5) ? [1] : [...each];
  return [...ones(random.int(0, 4 - sizes.length)), ...sizes];
}

/** Often a factor that causes no rounding. Sometimes a factor that lets products overflow, or makes underflowed products normal. */
function factor(random: Random): number {
  if (random.chance(0.1)) return random.pick([3e38, -1e30, 1e-30]);
  return random.chance(0.5) ? random.pick([0, 1, 1, -1, 0.5]) : Math.fround(random.fraction() * 4 - 2);
}

function elementOf(random: Random, dataType: DataType): () => number {
  return () => floatElement(dataType, (random.fraction() * 2 - 1) * LARGEST);
}
