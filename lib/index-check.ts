/** The checked mode: reads index tensors and finds the first index that points outside the tensor it indexes. */
import type { DirectMLError } from './errors.js';
import { fieldError } from './errors.js';
import type { OperatorType } from './schema/generated/descriptors.js';
import { operatorTable } from './schema/generated/table.js';
import type { ResolvedOperator, ResolvedTensor } from './validation/resolved.js';
import { product, tensorField, uintField } from './validation/rules/rule.js';
import { packedStrides } from './validation/tensor-size.js';

/** The sizes that the coordinates of a tuple are held against, or the one that each index is held against. */
const indexedSizes: Readonly<Partial<Record<OperatorType, (operator: ResolvedOperator) => readonly number[]>>> = {
  gather: alongAxis,
  gatherElements: alongAxis,
  gatherNd: (operator) => trailing(operator, uintField(operator, 'inputDimensionCount')),
  gatherNd1: (operator) =>
    trailing(operator, uintField(operator, 'inputDimensionCount') - uintField(operator, 'batchDimensionCount')),
  maxUnpooling: (operator) => [product(tensorField(operator, 'outputTensor').sizes)],
  scatterElements: alongAxis,
  scatterNd: (operator) => trailing(operator, uintField(operator, 'inputDimensionCount')),
  roiAlign: (operator) => batches(operator, 'inputTensor'),
  roiAlign1: (operator) => batches(operator, 'inputTensor'),
  roiAlignGrad: (operator) => batches(operator, operator.fields['inputTensor'] === null ? 'outputGradientTensor' : 'inputTensor'),
};

/** A field with indices, and its number among the inputs. */
export interface IndicesField {
  readonly name: string;
  readonly position: number;
}

/** The field whose indices are checked; null for an operator without. */
export function indicesField({ type }: ResolvedOperator): IndicesField | null {
  if (indexedSizes[type] === undefined) return null;
  const names = operatorTable[type].fields.filter(({ role }) => role === 'input').map(({ name }) => name);
  const position = names.findIndex((name) => name === 'indicesTensor' || name === 'batchIndicesTensor');
  return { name: names[position] ?? '', position };
}

/** The error for the first index out of range, in row-major order; null where all are in range. */
export function findBadIndex(operator: ResolvedOperator, bytes: ArrayBuffer): DirectMLError | null {
  const indexed = indexedSizes[operator.type]?.(operator);
  const name = indicesField(operator)?.name;
  if (indexed === undefined || name === undefined) return null;
  const indices = tensorField(operator, name);
  const tupleSize = operator.type.includes('Nd') ? (indices.sizes[indices.sizes.length - 1] ?? 1) : 1;
  const read = readerOf(indices, new DataView(bytes));
  const isSigned = indices.dataType.startsWith('int');
  const position = new Array<number>(indices.sizes.length).fill(0);
  const count = product(indices.sizes);
  const strides = indices.strides ?? packedStrides(indices.sizes);
  for (let element = 0; element < count; element++) {
    const offset = position.reduce((sum, coordinate, axis) => sum + coordinate * (strides[axis] ?? 0), 0);
    const index = read(offset);
    const size = indexed[element % tupleSize] ?? 0;
    if (index >= size || index < (isSigned ? -size : 0)) {
      const expected = `${isSigned ? -size : 0} to ${size - 1}`;
      const field = `${name}[${position.join(', ')}]`;
      return fieldError('ERR_INDEX_OUT_OF_RANGE', operator.type, field, expected, `${index}`);
    }
    advance(position, indices.sizes);
  }
  return null;
}

function batches(operator: ResolvedOperator, image: string): readonly number[] {
  return [tensorField(operator, image).sizes[0] ?? 0];
}

function alongAxis(operator: ResolvedOperator): readonly number[] {
  return [tensorField(operator, 'inputTensor').sizes[uintField(operator, 'axis')] ?? 0];
}

function trailing(operator: ResolvedOperator, count: number): readonly number[] {
  const { sizes } = tensorField(operator, 'inputTensor');
  return sizes.slice(sizes.length - count);
}

function readerOf(tensor: ResolvedTensor, view: DataView): (element: number) => number | bigint {
  switch (tensor.dataType) {
    case 'int64':
      return (element) => view.getBigInt64(element * 8, true);
    case 'uint64':
      return (element) => view.getBigUint64(element * 8, true);
    case 'int32':
      return (element) => view.getInt32(element * 4, true);
    default:
      return (element) => view.getUint32(element * 4, true);
  }
}

function advance(position: number[], sizes: readonly number[]): void {
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const next = (position[axis] ?? 0) + 1;
    if (next < (sizes[axis] ?? 1)) {
      position[axis] = next;
      return;
    }
    position[axis] = 0;
  }
}
