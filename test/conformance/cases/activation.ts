/** Cases of the activations, and random activations to fuse into other operators. */
import type { FusedActivation } from 'node-directml';
import type { Random } from '../../random.js';
import { base64, type ConformanceCase, type DataType } from '../case.js';
import { fillTensor, randomSizes, randomTensor } from '../layout.js';
import { arithmeticValue, LARGEST } from '../values.js';

export function activationIdentity(random: Random, index: number): ConformanceCase {
  const io = tensors(random, index, ['float32', 'float16']);
  return { descriptor: { type: 'activationIdentity', ...io.tensors }, data: io.data };
}

export function activationRelu(random: Random, index: number): ConformanceCase {
  const io = tensors(random, index, ['float32', 'float16', 'int32', 'int16', 'int8']);
  return { descriptor: { type: 'activationRelu', ...io.tensors }, data: io.data };
}

export function activationLeakyRelu(random: Random, index: number): ConformanceCase {
  const io = tensors(random, index, ['float32', 'float16']);
  const alpha = random.fraction() * 2;
  return {
    descriptor: { type: 'activationLeakyRelu', ...io.tensors, alpha },
    data: io.data,
  };
}

export function activationLinear(random: Random, index: number): ConformanceCase {
  const io = tensors(random, index, ['float32', 'float16']);
  const alpha = random.fraction() * 4 - 2;
  const beta = random.fraction() * 4 - 2;
  return {
    descriptor: { type: 'activationLinear', ...io.tensors, alpha, beta },
    data: io.data,
    magnitude: LARGEST * Math.abs(alpha) + Math.abs(beta),
  };
}

export function fusedActivation(
  random: Random,
  magnitude: number,
): { descriptor: FusedActivation; magnitude: number } {
  const alpha = random.fraction() * 2;
  const beta = random.fraction() * 4 - 2;
  switch (random.int(0, 3)) {
    case 0:
      return { descriptor: { type: 'activationIdentity' }, magnitude };
    case 1:
      return { descriptor: { type: 'activationRelu' }, magnitude };
    case 2:
      return {
        descriptor: { type: 'activationLeakyRelu', alpha },
        magnitude: magnitude * Math.max(1, alpha),
      };
    default:
      return {
        descriptor: { type: 'activationLinear', alpha, beta },
        magnitude: magnitude * Math.max(1, alpha) + Math.abs(beta),
      };
  }
}

function tensors(random: Random, index: number, dataTypes: readonly DataType[]) {
  const dataType = dataTypes[index % dataTypes.length] ?? 'float32';
  const sizes = randomSizes(random, (Math.floor(index / dataTypes.length) % 8) + 1, 400);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  return {
    tensors: { inputTensor, outputTensor },
    data: { inputTensor: base64(fillTensor(random, inputTensor, () => arithmeticValue(random, dataType))) },
  };
}
