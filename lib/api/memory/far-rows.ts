/** Views with large gaps: their elements are read in rows, and what lies between these is left out. */
import { bitsOf } from '../../tensors/data-types.js';
import { stridesOf } from '../../tensors/tensor-size.js';
import type { TensorLayout } from '../../tensors/views.js';

/** In bytes. Reading what lies between two rows that are closer to one another takes less time than a read of its own. */
const FAR = 2 ** 20;

/** Rows of elements, and where they lie side by side. */
interface FarRows {
  /** Of all rows together. */
  readonly sizeInBytes: number;
  readonly rowInBytes: number;
  /** The first byte of each row in the tensor, and side by side. */
  readonly starts: readonly { readonly from: number; readonly to: number }[];
  /** The strides of the elements when the rows lie side by side. */
  readonly strides: readonly number[];
}

/** Null for a tensor without large gaps. */
export function farRows(layout: TensorLayout): FarRows | null {
  const { dataType, sizes } = layout;
  const width = bitsOf(dataType) / 8;
  const strides = [...stridesOf(layout)];
  const byStride = [...sizes.keys()].filter((axis) => sizes[axis] !== 1).sort((a, b) => (strides[a] ?? 0) - (strides[b] ?? 0));
  // In elements. Axes between whose coordinates there are only small gaps belong to the row.
  let row = 1;
  let inRow = 0;
  for (const axis of byStride) {
    const stride = strides[axis] ?? 0;
    if ((stride - row) * width >= FAR) break;
    row += ((sizes[axis] ?? 1) - 1) * stride;
    inRow++;
  }
  const outer = byStride.slice(inRow);
  if (outer.length === 0 || width < 1) return null;
  let starts = [{ from: 0, to: 0 }];
  for (const axis of outer) {
    const [size, stride, side] = [sizes[axis] ?? 1, strides[axis] ?? 0, starts.length * row];
    strides[axis] = side;
    starts = Array.from({ length: size }, (_, i) => {
      return starts.map(({ from, to }) => ({ from: from + i * stride * width, to: to + i * side * width }));
    }).flat();
  }
  const rowInBytes = row * width;
  return { sizeInBytes: starts.length * rowInBytes, rowInBytes, starts, strides };
}
