/** How a tensor's layout is shown. */
import { shorten } from '../values/given.js';
import type { DataType, TensorFlags } from './generated/enums.js';

interface Layout {
  readonly dataType: DataType;
  readonly sizes: readonly number[];
  readonly strides: readonly number[] | null;
  readonly flags?: TensorFlags;
}

/** `float32 [2, 3]`, and the strides of a tensor that is not packed. */
export function layoutLine({ dataType, sizes, strides, flags }: Layout): string {
  const layout = `${dataType} [${sizes.join(', ')}]${strides === null ? '' : `, strides [${strides.join(', ')}]`}`;
  return flags === 'ownedByDml' ? `${layout}, owned by DirectML` : layout;
}

/** `x float32 [2, 3], y float32 [3]` */
export function layoutLines(tensors: readonly (readonly [name: string, tensor: Layout])[]): string {
  return tensors.map(([name, tensor]) => `${shorten(name)} ${layoutLine(tensor)}`).join(', ');
}
