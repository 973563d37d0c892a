/** Finds the first index of an index tensor that is out of range, for `dispatchChecked`. */
import type { DirectMLError } from '../values/errors.js';
import { fieldError } from '../values/errors.js';
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import type { Resolved, ResolvedOperator, ResolvedTensor, TensorSlot } from '../descriptors/resolved.js';
import { codecs } from '../tensors/element.js';
import { isSigned } from '../tensors/data-types.js';
import { productOf, stridesOf } from '../tensors/tensor-size.js';

/** The engine's own, saved now because a program may replace the global later. */
const { DataView } = globalThis;

type IndexedSizes = { readonly [Type in OperatorType]?: (operator: Resolved<Type>) => readonly number[] };

/**
 * By operator, the sizes that limit its indices: one for each coordinate of an index tuple, or one for all indices. An index
 * is valid if it is less than its size, and if it is at least 0; signed indices may be as low as minus the size.
 */
const indexedSizes: IndexedSizes = {
  gather: alongAxis,
  gatherElements: alongAxis,
  gatherNd: (operator) => trailing(operator, operator.inputDimensionCount),
  gatherNd1: (operator) => trailing(operator, operator.inputDimensionCount - operator.batchDimensionCount),
  maxUnpooling: ({ outputTensor }) => [productOf(outputTensor.sizes)],
  scatterElements: alongAxis,
  scatterNd: (operator) => trailing(operator, operator.inputDimensionCount),
  roiAlign: ({ inputTensor }) => batches(inputTensor),
  roiAlign1: ({ inputTensor }) => batches(inputTensor),
  roiAlignGrad: ({ inputTensor, outputGradientTensor }) => batches(inputTensor ?? outputGradientTensor),
};

/** The index tensor; null if the operator has none. */
export function indicesSlot({ descriptor, slots }: ResolvedOperator): TensorSlot | null {
  if (indexedSizes[descriptor.type] === undefined) return null;
  return slots.find(({ field }) => field === 'indicesTensor' || field === 'batchIndicesTensor') ?? null;
}

/**
 * Returns the error for the first index out of range in row-major order, or null if all are in range.
 *
 * @param bytes The contents of the index tensor, little-endian.
 */
export function findBadIndex(operator: ResolvedOperator, bytes: ArrayBuffer): DirectMLError | null {
  const { type } = operator.descriptor;
  const indexed = indexedSizesOf(type, operator.descriptor);
  const { path, tensor: indices = null } = indicesSlot(operator) ?? {};
  if (indexed === undefined || indices === null) return null;
  const tupleSize = type.includes('Nd') ? (indices.sizes[indices.sizes.length - 1] ?? 1) : 1;
  const view = new DataView(bytes);
  const { read } = codecs[indices.dataType];
  const fromTheEnd = isSigned(indices.dataType);
  const position = new Array<number>(indices.sizes.length).fill(0);
  const count = productOf(indices.sizes);
  const strides = stridesOf(indices);
  for (let element = 0; element < count; element++) {
    const offset = position.reduce((sum, coordinate, axis) => sum + coordinate * (strides[axis] ?? 0), 0);
    const index = read(view, offset);
    const size = indexed[element % tupleSize] ?? 0;
    if (index >= size || index < (fromTheEnd ? -size : 0)) {
      const expected = `${fromTheEnd ? -size : 0} to ${size - 1}`;
      const place = { operator: type, field: `${path}[${position.join(', ')}]` };
      return fieldError('ERR_INDEX_OUT_OF_RANGE', place, expected, `${index}`);
    }
    advance(position, indices.sizes);
  }
  return null;
}

function indexedSizesOf<Type extends OperatorType>(type: Type, operator: Resolved<Type>): readonly number[] | undefined {
  return indexedSizes[type]?.(operator);
}

function batches(image: ResolvedTensor | null): readonly number[] {
  return [image?.sizes[0] ?? 0];
}

interface Indexed {
  readonly inputTensor: ResolvedTensor;
}

function alongAxis({ inputTensor, axis }: Indexed & { readonly axis: number }): readonly number[] {
  return [inputTensor.sizes[axis] ?? 0];
}

function trailing({ inputTensor: { sizes } }: Indexed, count: number): readonly number[] {
  return sizes.slice(sizes.length - count);
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
