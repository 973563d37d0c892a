/** Finds the first index of an index tensor that is out of range, for `dispatchChecked`. */
import type { DirectMLError } from '../values/errors.js';
import { fieldError } from '../values/errors.js';
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import { operatorTable } from '../descriptors/generated/table.js';
import type { FieldSchema, IndexedSchema } from '../descriptors/types.js';
import { isTensor, valuesOf, type Resolved, type ResolvedOperator, type TensorSlot } from '../descriptors/resolved.js';
import { codecs } from '../tensors/element.js';
import { isSigned } from '../tensors/data-types.js';
import { productOf, stridesOf } from '../tensors/tensor-size.js';

/** The engine's own, saved now because a program may replace the global later. */
const { DataView } = globalThis;

/** The index tensor; null if the operator has none. */
export function indicesSlot({ descriptor, slots }: ResolvedOperator): TensorSlot | null {
  const indexed = fieldOfIndices(descriptor.type);
  return slots.find(({ field }) => field === indexed?.name) ?? null;
}

function fieldOfIndices(type: OperatorType): FieldSchema | undefined {
  return operatorTable[type].fields.find(({ indexes }) => indexes !== undefined);
}

/**
 * Returns the error for the first index out of range in row-major order, or null if all are in range.
 *
 * @param bytes The contents of the index tensor, little-endian.
 */
export function findBadIndex(operator: ResolvedOperator, bytes: ArrayBuffer): DirectMLError | null {
  const { type } = operator.descriptor;
  const { indexes } = fieldOfIndices(type) ?? {};
  const { path, tensor: indices = null } = indicesSlot(operator) ?? {};
  if (indexes === undefined || indices === null) return null;
  const indexed = indexedSizes(operator.descriptor, indexes);
  const tupleSize = 'last' in indexes ? (indices.sizes[indices.sizes.length - 1] ?? 1) : 1;
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

/**
 * The sizes that limit the indices: one for each coordinate of an index tuple, or one for all indices. An index is valid if it is
 * less than its size, and if it is at least 0; signed indices may be as low as minus the size.
 */
function indexedSizes(operator: Resolved, indexes: IndexedSchema): readonly number[] {
  const values = valuesOf(operator);
  const sizesOf = (name: string) => [values[name]].find(isTensor)?.sizes;
  const sizes = sizesOf('inputTensor') ?? [];
  if ('along' in indexes) return [sizes[Number(values[indexes.along])] ?? 0];
  if ('elementsOf' in indexes) return [productOf(sizesOf(indexes.elementsOf) ?? [])];
  if ('batchesOf' in indexes) return [(sizesOf(indexes.batchesOf) ?? sizesOf(indexes.or ?? ''))?.[0] ?? 0];
  const { last, but = '' } = indexes;
  return sizes.slice(sizes.length - Number(values[last]) + Number(values[but] ?? 0));
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
