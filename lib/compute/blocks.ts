/**
 * Runs kernels on blocks of tensors, one after the other: then the wide numbers that they compute with take little memory beside
 * the tensors, and stay in the cache of the processor.
 */
import { productOf } from '../tensors/tensor-size.js';
import { inBlock } from './scratch.js';
import { partOf, type TensorView } from './tensor-view.js';

/** In elements. Kernels need some float64 numbers for each. */
const BLOCK = 2 ** 14;

/** The tensors of an operator by the names of their fields. */
type Views<Names> = { readonly [Name in keyof Names]: TensorView | readonly TensorView[] | null };

type KernelOf<Operator, Tensors> = (operator: Operator, tensors: Tensors) => void;

/**
 * A kernel that computes each block of the outputs from the same block of the inputs. Blocks are whole along `wholeAxes`, where
 * elements depend on one another. A tensor of size 1 along an axis belongs to all blocks along it. If the kernel `isLean`, it needs
 * hardly any memory, and computes everything at once.
 */
export function byBlocks<Operator, Tensors extends Views<Tensors>>(
  kernel: KernelOf<Operator, Tensors>,
  wholeAxes: (operator: Operator, rank: number) => readonly number[] = () => [],
  isLean: (operator: Operator, tensors: Tensors) => boolean = () => false,
): KernelOf<Operator, Tensors> {
  return (operator, tensors) => {
    const sizes = largestSizes(Object.values<TensorView | readonly TensorView[] | null>(tensors));
    if (productOf(sizes) <= BLOCK || isLean(operator, tensors)) return kernel(operator, tensors);
    forEachBlock(sizes, wholeAxes(operator, sizes.length), (starts, lengths) => {
      kernel(operator, lengths === sizes ? tensors : partsOf(tensors, starts, lengths));
    });
  };
}

function largestSizes(views: readonly (TensorView | readonly TensorView[] | null)[]): readonly number[] {
  let largest: TensorView | null = null;
  for (const view of views.flat()) if (view !== null && view.elementCount > (largest?.elementCount ?? 0)) largest = view;
  return largest?.sizes ?? [];
}

/** The cast is safe: every field keeps its kind. */
function partsOf<Tensors extends Views<Tensors>>(
  tensors: Tensors,
  starts: readonly number[],
  lengths: readonly number[],
): Tensors {
  const part = (view: TensorView) => partOf(view, starts, lengths);
  const parts: object = Object.fromEntries(
    Object.entries<TensorView | readonly TensorView[] | null>(tensors).map(([name, view]) => {
      return [name, view === null ? null : 'words' in view ? part(view) : view.map(part)];
    }),
  );
  return parts as Tensors;
}

/**
 * Calls `run` with the first coordinates and the sizes of each block of a tensor, in row-major order; with `sizes` itself if there
 * is only one block. A block has more elements than usual only if it has to be whole along so many.
 */
export function forEachBlock(
  sizes: readonly number[],
  wholeAxes: readonly number[],
  run: (starts: readonly number[], lengths: readonly number[]) => void,
): void {
  const largest = blockSizes(sizes, wholeAxes);
  const starts = sizes.map(() => 0);
  if (largest.every((length, axis) => length === sizes[axis])) return run(starts, sizes);
  let axis = 0;
  while (axis >= 0) {
    inBlock(() => {
      run(
        starts,
        largest.map((length, i) => Math.min(length, (sizes[i] ?? 1) - (starts[i] ?? 0))),
      );
    });
    for (axis = sizes.length - 1; axis >= 0; axis--) {
      const next = (starts[axis] ?? 0) + (largest[axis] ?? 1);
      starts[axis] = next < (sizes[axis] ?? 1) ? next : 0;
      if (starts[axis] !== 0) break;
    }
  }
}

/** Last axes first, so that the elements of a block lie side by side. Parts of an axis are about equally long. */
function blockSizes(sizes: readonly number[], wholeAxes: readonly number[]): readonly number[] {
  const lengths = [...sizes];
  let room = Math.max(1, Math.floor(BLOCK / productOf(wholeAxes.map((axis) => sizes[axis] ?? 1))));
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    if (wholeAxes.includes(axis)) continue;
    const size = sizes[axis] ?? 1;
    lengths[axis] = Math.ceil(size / Math.ceil(size / room));
    room = Math.max(1, Math.floor(room / size));
  }
  return lengths;
}
