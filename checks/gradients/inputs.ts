/** The inputs of cases: floats from where operators are smooth, and indices inside of what they index. */
import type { TensorDesc } from 'node-directml';
import { codecs } from '#lib/tensors/element.js';
import { bytesPerElement } from '../cases/case.js';
import type { Random } from '../harness/random.js';

type Range = readonly [low: number, high: number];

const positive: Range = [0.4, 2];
const inside: Range = [-0.8, 0.8];
const ranges: Readonly<Record<string, Range>> = {
  elementWiseAcos: inside,
  elementWiseAsin: inside,
  elementWiseAtanh: inside,
  elementWiseAcosh: [1.3, 3],
  elementWiseLog: positive,
  elementWiseSqrt: positive,
  elementWiseRecip: positive,
  elementWisePow: positive,
  elementWiseConstantPow: positive,
  elementWiseTan: [-1.2, 1.2],
  elementWiseDivide: positive,
  elementWiseModulusTruncate: positive,
  elementWiseModulusFloor: positive,
  elementWiseAtanYx: positive,
  reduce: positive,
};

/** True for floats of which the gradient is refused. */
export function isConstant(descriptor: object, name: string): boolean {
  return name === 'roiTensor' && 'reductionFunction' in descriptor;
}

/** The elements of an input. */
export function rangeOf(descriptor: object, name: string): Range {
  if (name === 'varianceTensor') return positive;
  if (name === 'roiTensor') return [0, 4];
  const type: unknown = Reflect.get(descriptor, 'type');
  return ranges[String(type)] ?? [-2, 2];
}

/** The fields of a descriptor that say what its indices count. */
interface Indexing {
  readonly type: string;
  readonly axis: number;
  readonly inputTensor: TensorDesc;
  readonly outputTensor: TensorDesc;
  readonly inputDimensionCount: number;
  readonly batchDimensionCount?: number;
}

/** The bytes of a packed tensor of indices or lengths; null for other integers. */
export function indicesFor(descriptor: object, name: string, desc: TensorDesc, random: Random): Uint8Array<ArrayBuffer> | null {
  const limit = limitOf(descriptor as Indexing, name, desc, random);
  if (limit === null) return null;
  const count = desc.sizes.reduce((product, size) => product * size, 1);
  const bytes = new Uint8Array(count * bytesPerElement(desc.dataType));
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) codecs[desc.dataType].write(view, i, limit(i));
  return bytes;
}

function limitOf(given: Indexing, name: string, desc: TensorDesc, random: Random): ((place: number) => number) | null {
  const { type, axis, inputTensor, outputTensor, inputDimensionCount, batchDimensionCount = 0 } = given;
  if (type === 'reverseSubsequences') return () => random.int(0, inputTensor.sizes[axis] ?? 1);
  if (name === 'exponentTensor') return () => random.int(desc.dataType.startsWith('u') ? 0 : -3, 3);
  if (name !== 'indicesTensor') return null;
  switch (type) {
    case 'gather':
    case 'gatherElements':
      return () => random.int(0, (inputTensor.sizes[axis] ?? 1) - 1);
    case 'oneHot':
      return () => random.int(0, (outputTensor.sizes[axis] ?? 1) - 1);
    case 'maxUnpooling': {
      const total = outputTensor.sizes.reduce((product, size) => product * size, 1);
      return (place) => place % total;
    }
    case 'scatterElements': {
      // No two updates of a line go to one place.
      const inner = desc.sizes.slice(axis + 1).reduce((product, size) => product * size, 1);
      const [size, count, shift] = [inputTensor.sizes[axis] ?? 1, desc.sizes[axis] ?? 1, random.int(0, 100)];
      return (place) => ((Math.floor(place / inner) % count) + shift) % size;
    }
    case 'gatherNd':
    case 'gatherNd1': {
      const sizes = inputTensor.sizes.slice(-inputDimensionCount).slice(batchDimensionCount);
      const length = desc.sizes.at(-1) ?? 1;
      return (place) => random.int(0, (sizes[place % length] ?? 1) - 1);
    }
    default:
      return null;
  }
}
