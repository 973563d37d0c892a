/** Cases of operators that a graph can have as nodes. */
import type { OperatorType, TensorDesc } from 'node-directml';
import { bitsOf } from '#lib/data-types/table.js';
import { operatorTable } from '#lib/schema/generated/table.js';
import { resolveDescriptor } from '#lib/validation/index.js';
import { findBadIndex } from '#lib/validation/indices.js';
import { isPacked } from '#lib/validation/tensor-size.js';
import type { ResolvedOperator } from '#lib/validation/resolved.js';
import { base64, bytesPerElement, fromBase64, type ConformanceCase } from '../conformance/case.js';
import { isTensor, offsetOf, product } from '../conformance/layout.js';
import { generators } from '../operators/cases.js';
import type { Random } from '../random.js';

/** Case numbers run through data types and dimension counts. */
const CASES = 4000;

/** A case of the operator that can be a node. */
export function drawCase(random: Random, type: OperatorType): ConformanceCase {
  for (;;) {
    const test = withIndicesInRange(random, generators[type](random, random.int(0, CASES)));
    if (test !== null && isUsable(test)) return test;
  }
}

/** A case of the operator that another node can feed, if there is one: optional inputs may be left out, and no node makes 4-bit tensors. */
export function drawReader(random: Random, type: OperatorType): ConformanceCase {
  const canBeFed = ({ descriptor }: ConformanceCase) =>
    portsOf(descriptor).some(({ role, tensors }) => role === 'input' && tensors.some(({ dataType }) => bitsOf(dataType) > 4));
  let test = drawCase(random, type);
  for (let tries = 0; tries < 8 && !canBeFed(test); tries++) test = drawCase(random, type);
  return test;
}

/**
 * False for what a graph does not take or cannot promise: 4-bit tensors with strides; casts with float64, because the sandbox
 * has none, and a graph is lost as a whole; outputs whose earlier contents count; and what is otherwise inside a graph
 * (docs/differences.md): batch normalization without a variance, one-hot values along another than the last dimension, and linear
 * resampling into a layout that DirectML may replace by another one.
 */
function isUsable({ descriptor }: ConformanceCase): boolean {
  const ports = portsOf(descriptor);
  const tensors = ports.flatMap((port) => port.tensors);
  if (tensors.some(({ dataType, strides = null }) => bitsOf(dataType) === 4 && strides !== null)) return false;
  switch (descriptor.type) {
    case 'cast':
      return tensors.every(({ dataType }) => dataType !== 'float64');
    case 'multiheadAttention1':
      return !descriptor.pastSequenceLengthsTensor;
    case 'batchNormalization':
      return descriptor.epsilon !== 0;
    case 'resample':
    case 'resample1':
    case 'resample2':
    case 'resample3':
      return (
        descriptor.interpolationMode !== 'linear' ||
        ports.every(
          (port) => port.role === 'input' || port.tensors.every(({ sizes, strides = null }) => isPacked({ sizes, strides })),
        )
      );
    case 'oneHot':
      return descriptor.valuesTensor.sizes.at(-1) !== 1;
    default:
      return true;
  }
}

export interface CasePort {
  readonly field: string;
  readonly role: 'input' | 'output';
  readonly isArray: boolean;
  readonly tensors: readonly TensorDesc[];
}

/** The tensor fields that the descriptor has. */
export function portsOf(descriptor: ConformanceCase['descriptor']): CasePort[] {
  return operatorTable[descriptor.type].fields.flatMap(({ name, role }) => {
    const value: unknown = Reflect.get(descriptor, name);
    if (role === undefined || value === null || value === undefined) return [];
    const tensors = (Array.isArray(value) ? value : [value]).filter(isTensor);
    return [{ field: name, role, isArray: Array.isArray(value), tensors }];
  });
}

/**
 * The case with 0 for each index out of range: in a graph, what lies beside a tensor is any other one. Null if that is no
 * way out, because no two indices may be equal.
 */
function withIndicesInRange(random: Random, test: ConformanceCase): ConformanceCase | null {
  const field = 'indicesTensor' in test.descriptor ? 'indicesTensor' : 'batchIndicesTensor';
  const tensor: unknown = Reflect.get(test.descriptor, field);
  const text = test.data[field];
  if (!isTensor(tensor) || typeof text !== 'string') return test;
  const operator: ResolvedOperator = resolveDescriptor(test.descriptor, '6.4');
  const bytes = fromBase64(text);
  const isUnique = test.descriptor.type.startsWith('scatter') || test.descriptor.type === 'maxUnpooling';
  for (;;) {
    const bad = findBadIndex(operator, bytes.buffer);
    if (bad === null) return { ...test, data: { ...test.data, [field]: base64(bytes) } };
    // Updates that are out of range are dropped, also in a graph.
    if (isUnique) return random.chance(0.5) ? test : null;
    const coordinates =
      /\[(.*)\]/
        .exec(bad.field ?? '')?.[1]
        ?.split(', ')
        .map(Number) ?? [];
    const element = coordinates.reduce((index, coordinate, axis) => index * (tensor.sizes[axis] ?? 1) + coordinate, 0);
    if (element >= product(tensor.sizes)) throw new RangeError(`no element for ${bad.field}`);
    const width = bytesPerElement(tensor.dataType);
    const at = offsetOf(tensor, element) * width;
    bytes.fill(0, at, at + width);
  }
}
