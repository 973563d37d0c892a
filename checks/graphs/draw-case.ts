/** Cases of operators that a graph can have as nodes. */
import type { OperatorType } from 'node-directml';
import { bitsOf } from '#lib/tensors/data-types.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { findBadIndex } from '#lib/operators/indices.js';
import { isPacked } from '#lib/tensors/tensor-size.js';
import { base64, bytesPerElement, type ConformanceCase, type WholeDescriptor } from '../cases/case.js';
import { inputIn, offsetOf, product } from '../cases/layout.js';
import { generators } from '../operators/cases.js';
import { tensorsOf } from '../descriptors/candidate.js';
import type { Random } from '../harness/random.js';
import { domainOf, isFar } from './domains.js';
import type { GraphWriter, Purpose } from './graph-writer.js';

/** Case numbers run through data types and dimension counts. */
const CASES = 4000;

/** For graphs whose results are compared. */
export const computed: Purpose = {
  draw(random, type) {
    for (;;) {
      const test = withIndicesInRange(random, generators[type](random, random.int(0, CASES)));
      if (test !== null && canBeNode(test.descriptor) && isPromised(test)) return test;
    }
  },
  domainOf,
};

/** For graphs that are judged and never run: nodes may read any values. */
export const judged: Purpose = {
  draw(random, type) {
    for (;;) {
      const { descriptor } = generators[type](random, random.int(0, CASES));
      if (canBeNode(descriptor)) return { descriptor, data: {} };
    }
  },
  domainOf: () => 'any',
};

/**
 * Draws a case of the operator that another node can feed, if possible. Optional inputs may be absent, and no node makes 4-bit
 * tensors.
 */
export function drawReader({ random, purpose }: GraphWriter, type: OperatorType): ConformanceCase {
  const canBeFed = ({ descriptor }: ConformanceCase) =>
    tensorsOf({ ...descriptor }, 'input').some(({ dataType }) => bitsOf(dataType) > 4);
  let test = purpose.draw(random, type);
  for (let tries = 0; tries < 8 && !canBeFed(test); tries++) test = purpose.draw(random, type);
  return test;
}

/** False for strided 4-bit tensors, which a graph refuses, and for casts with float64, which the sandbox cannot run. */
function canBeNode(descriptor: WholeDescriptor): boolean {
  return tensorsOf({ ...descriptor }).every(
    ({ dataType, strides = null }) =>
      (bitsOf(dataType) > 4 || strides === null) && (descriptor.type !== 'cast' || dataType !== 'float64'),
  );
}

/**
 * False for results that a graph does not define, because they depend on earlier contents of an output, or differ inside a graph
 * (docs/differences.md): batch normalization without a variance or with an infinite one, where DirectML's formulas differ; one-hot
 * values along another dimension than the last; and linear resampling into a layout that DirectML may replace.
 */
function isPromised(test: ConformanceCase): boolean {
  const { descriptor } = test;
  switch (descriptor.type) {
    case 'multiheadAttention1':
      return !descriptor.pastSequenceLengthsTensor;
    case 'batchNormalization':
      return descriptor.epsilon !== 0;
    case 'batchNormalizationTraining':
      return !isFar(test, 1e18);
    case 'resample':
    case 'resample1':
    case 'resample2':
    case 'resample3':
      return (
        descriptor.interpolationMode !== 'linear' ||
        tensorsOf({ ...descriptor }, 'output').every(({ sizes, strides = null }) => isPacked({ sizes, strides }))
      );
    case 'oneHot':
      return descriptor.valuesTensor.sizes.at(-1) !== 1;
    default:
      return true;
  }
}

/**
 * Replaces each index out of range by 0, because in a graph any other tensor may lie beside the tensor. Null if that would make two
 * indices equal where they must differ.
 */
function withIndicesInRange(random: Random, test: ConformanceCase): ConformanceCase | null {
  const field = 'indicesTensor' in test.descriptor ? 'indicesTensor' : 'batchIndicesTensor';
  const input = inputIn(test, field);
  if (input === null) return test;
  const { tensor, bytes } = input;
  const operator = resolveDescriptor(test.descriptor, '6.4');
  const isUnique = test.descriptor.type.startsWith('scatter') || test.descriptor.type === 'maxUnpooling';
  for (;;) {
    const bad = findBadIndex(operator, bytes.buffer);
    if (bad === null) return { ...test, data: { ...test.data, [field]: base64(bytes) } };
    // Updates with indices out of range are dropped, also in a graph.
    if (isUnique) return random.chance(0.5) ? test : null;
    const coordinates = (/\[(.*)\]/.exec(bad.field ?? '')?.[1] ?? '').split(', ').map(Number);
    const element = coordinates.reduce((index, coordinate, axis) => index * (tensor.sizes[axis] ?? 1) + coordinate, 0);
    if (element >= product(tensor.sizes)) throw new RangeError(`no element for ${bad.field}`);
    const width = bytesPerElement(tensor.dataType);
    const at = offsetOf(tensor, element) * width;
    bytes.fill(0, at, at + width);
  }
}
