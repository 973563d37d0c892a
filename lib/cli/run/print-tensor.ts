/** Shows tensors as nested lists, and as JSON. */
import { toJsonValue } from '../../graph/json-values.js';
import { productOf } from '../../tensors/tensor-size.js';
import type { Output } from './execute.js';

/** Of a dimension with more elements than this only the first and the last ones are shown, if the tensor is large. */
const shownAtEnds = 3;
const maxElements = 200;

/** `[[1, 2], [3, 4]]`, in columns and with a line per row; a large tensor in parts. */
export function tensorText(output: Output): string {
  const { sizes, strides } = output;
  const isLarge = productOf(sizes) > maxElements;
  const steps = strides ?? sizes.map((_, axis) => productOf(sizes, axis + 1));
  const places = (axis: number) => shownPlaces(sizes[axis] ?? 0, isLarge);
  const texts = new Map<number, string>();
  let width = 0;
  const visit = (axis: number, offset: number, use: (offset: number) => void): void => {
    if (axis === sizes.length) use(offset);
    else for (const i of places(axis)) if (i !== null) visit(axis + 1, offset + i * (steps[axis] ?? 0), use);
  };
  visit(0, 0, (offset) => {
    const text = elementText(output, output.elements[offset] ?? NaN);
    width = Math.max(width, text.length);
    texts.set(offset, text);
  });
  const show = (axis: number, offset: number): string => {
    if (axis === sizes.length) return (texts.get(offset) ?? '').padStart(width);
    const parts = places(axis).map((i) => (i === null ? '...' : show(axis + 1, offset + i * (steps[axis] ?? 0))));
    const isInnermost = axis === sizes.length - 1;
    const separator = isInnermost ? ', ' : `,\n${' '.repeat(axis + 1)}`;
    return `[${parts.join(separator)}]`;
  };
  return show(0, 0);
}

/** Null stands for those that are not shown. */
function shownPlaces(size: number, isLarge: boolean): (number | null)[] {
  const all = Array.from({ length: size }, (_, i) => i);
  if (!isLarge || size <= 2 * shownAtEnds + 1) return all;
  return [...all.slice(0, shownAtEnds), null, ...all.slice(-shownAtEnds)];
}

/** As many digits as the data type has. */
export function elementText({ dataType }: Pick<Output, 'dataType'>, element: number | bigint): string {
  if (typeof element === 'bigint' || Number.isInteger(element) || !Number.isFinite(element)) return String(element);
  const digits = dataType === 'float16' ? 4 : dataType === 'float32' ? 7 : 16;
  return String(Number(element.toPrecision(digits)));
}

/** An output in the form in which a file has its tensors. */
export function outputJson({ dataType, sizes, strides, elements }: Output): object {
  return { dataType, sizes, ...(strides === null ? {} : { strides }), data: elements.map(toJsonValue) };
}
