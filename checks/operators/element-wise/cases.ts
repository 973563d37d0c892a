/** Cases and tolerances of casts, of identity with a scale and a bias, and of additions with a fused activation. */
import type { OperatorDescriptor } from 'node-directml';
import type { Random } from '../../harness/random.js';
import { base64, VALUE_TYPES, type ConformanceCase } from '../../cases/case.js';
import { anyBits, fillTensor, randomSizes, randomTensor, shapeInTurn } from '../../cases/layout.js';
import { bitsOf, isFloat } from '#lib/tensors/data-types.js';
import { arithmeticValue, castValue, integerScaleBias, summand } from '../../cases/values.js';
import { fusedActivation, fusableTolerances, linear } from '../activation/cases.js';
import { fusable } from '../fused.js';
import { EXACT, type OperatorTolerance } from '../../tolerance/row.js';

export const tolerances = {
  cast: EXACT,
  elementWiseAdd1: fusable({ ulp: 0, reason: 'one sum, rounded to nearest even' }, Object.keys(fusableTolerances)),
  elementWiseIdentity: {
    pick: (descriptor) => (descriptor.type === 'elementWiseIdentity' && descriptor.scaleBias ? 'scaleBias' : 'alone'),
    rows: { alone: EXACT, scaleBias: linear('scale', 'bias') },
  },
} satisfies Record<string, OperatorTolerance>;

export function elementWiseIdentity(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeInTurn(random, index, VALUE_TYPES);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const tensors = { inputTensor, outputTensor };
  // DirectML does not scale 64-bit types.
  if (bitsOf(dataType) === 64 || random.chance(0.5) || !isFloat(dataType)) {
    const scaled = bitsOf(dataType) !== 64 && !isFloat(dataType) && random.chance(0.5);
    const data = { inputTensor: base64(anyBits(random, inputTensor)) };
    return {
      descriptor: { type: 'elementWiseIdentity', ...tensors, ...(scaled ? { scaleBias: integerScaleBias(random) } : {}) },
      data,
    };
  }
  const scaleBias = { scale: random.fraction() * 4 - 2, bias: random.fraction() * 4 - 2 };
  return {
    descriptor: { type: 'elementWiseIdentity', ...tensors, scaleBias },
    data: { inputTensor: base64(fillTensor(random, inputTensor, () => arithmeticValue(random, dataType))) },
  };
}

export function elementWiseAdd1(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeInTurn(random, index, ['float32', 'float16']);
  const aTensor = randomTensor(random, dataType, sizes, 'input');
  const bTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const fused = random.chance(0.6) ? fusedActivation(random) : undefined;
  // DirectML may round the sum to float16 before it applies the activation, which can amplify that rounding error.
  const summands = dataType === 'float16' && fused !== undefined ? summand : arithmeticValue;
  const value = () => summands(random, dataType);
  const descriptor: OperatorDescriptor = {
    type: 'elementWiseAdd1',
    aTensor,
    bTensor,
    outputTensor,
    ...(fused === undefined ? {} : { fusedActivation: fused }),
  };
  return {
    descriptor,
    data: {
      aTensor: base64(fillTensor(random, aTensor, value)),
      bTensor: base64(fillTensor(random, bTensor, value)),
    },
  };
}

/** All 121 pairs of data types in turn. */
export function cast(random: Random, index: number): ConformanceCase {
  const from = VALUE_TYPES[index % 11] ?? 'float32';
  const to = VALUE_TYPES[Math.floor(index / 11) % 11] ?? 'float32';
  const sizes = randomSizes(random, random.int(1, 8), 400);
  const inputTensor = randomTensor(random, from, sizes, 'input');
  const outputTensor = randomTensor(random, to, sizes, 'output');
  return {
    descriptor: { type: 'cast', inputTensor, outputTensor },
    data: { inputTensor: base64(fillTensor(random, inputTensor, () => castValue(random, from, to))) },
  };
}

/** NaNs of either sign: JavaScript itself writes no NaN with its sign bit set. */
export function signedNans(): ConformanceCase[] {
  const sources = [
    ['float32', Uint32Array.of(0x7fc00000, 0xffc00000)],
    ['float16', Uint16Array.of(0x7e00, 0xfe00)],
  ] as const;
  return sources.flatMap(([from, { buffer }]) =>
    (['int64', 'uint64', 'int32'] as const).map((to) => ({
      descriptor: {
        type: 'cast',
        inputTensor: { dataType: from, sizes: [2] },
        outputTensor: { dataType: to, sizes: [2] },
      },
      data: { inputTensor: base64(new Uint8Array(buffer)) },
    })),
  );
}
