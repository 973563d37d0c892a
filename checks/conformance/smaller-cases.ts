/** Cases that are a little smaller than one that fails. Some are invalid, so they fail otherwise, or not at all. */
import type { TensorDesc } from 'node-directml';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { resolveByTable, resolveDescriptor } from '#lib/operators/resolve.js';
import { packedStrides } from '#lib/tensors/tensor-size.js';
import { valuesOf } from '#lib/descriptors/resolved.js';
import { without } from '../cases/defaults.js';
import { base64, bytesPerElement, fromBase64, writeCase, writeJson, type ConformanceCase } from '../cases/case.js';
import { isTensor, product, relaid, tensorSize, writeElement } from '../cases/layout.js';

/** In an input with at most this many elements, each by itself is tried as a zero. */
const FEW_ELEMENTS = 16;

/** A tensor of a case; an input has its data in Base64. */
interface Part {
  readonly name: string;
  readonly tensor: TensorDesc;
  readonly text: string | undefined;
}

type Change = (part: Part) => Omit<Part, 'name'>;

type Resize = (size: number, axis: number) => number;

export function smallerCases(test: ConformanceCase): ConformanceCase[] {
  const json = writeCase(test);
  const others = [...withPlainFields(test), ...cuts(test)].flatMap((other) => [other, ...withInferredOutputs(other)]);
  return [...withoutOptions(test), ...others, ...packed(test), ...withZeros(test)].filter(
    (smaller) => writeCase(smaller) !== json,
  );
}

function withoutOptions({ descriptor, data, ...options }: ConformanceCase): ConformanceCase[] {
  return Object.keys(options).map((left) => {
    const kept = Object.entries(options).filter(([name]) => name !== left);
    return { descriptor, data, ...Object.fromEntries(kept) };
  });
}

/** The case with the default of a field, or without an optional one. */
function withPlainFields(test: ConformanceCase): ConformanceCase[] {
  const fields = operatorTable[test.descriptor.type].fields;
  return fields.flatMap((field): ConformanceCase[] => {
    const own: unknown = Reflect.get(test.descriptor, field.name) ?? null;
    if (own === null) return [];
    if (field.optional === true) return [withField(test, field.name, null)];
    if (field.default === undefined) return [];
    const filled = attempt(() => valuesOf(resolveByTable(without({ ...test.descriptor }, new Set([field.name])), '6.4')));
    const value = filled?.[field.name];
    return value === undefined || writeJson(value) === writeJson(own) ? [] : [withField(test, field.name, value)];
  });
}

function withField(test: ConformanceCase, name: string, value: unknown): ConformanceCase {
  const descriptor = { ...test.descriptor };
  Reflect.set(descriptor, name, value);
  return { ...test, descriptor, data: Object.fromEntries(Object.entries(test.data).filter(([other]) => other !== name)) };
}

/** The case with fewer elements along an axis: of all tensors, or of one input. */
function cuts(test: ConformanceCase): ConformanceCase[] {
  const inputs = partsOf(test).filter(({ text }) => text !== undefined);
  const axes = distinct(inputs.flatMap(({ tensor }) => [...tensor.sizes.keys()]));
  const sizes = distinct(inputs.flatMap(({ tensor }) => tensor.sizes));
  const pairs = sizes.flatMap((size) =>
    distinct([1, 2, Math.ceil(size / 2), size - 1]).flatMap((to) => (to > 0 && to < size ? [{ size, to }] : [])),
  );
  const cases = pairs
    .toSorted((a, b) => a.to / a.size - b.to / b.size)
    .flatMap(({ size, to }) => {
      const one = axes.map((axis) => (own: number, i: number) => (own === size && i === axis ? to : own));
      const all: Resize[] = [
        // Also an axis whose size is a multiple, such as that of the four gates of an LSTM.
        (own) => (own % size === 0 ? (own / size) * to : own),
        (own) => (own === size ? to : own),
        ...one,
      ];
      return [
        ...all.map((resize) => changed(test, (part) => cutPart(part, resize))),
        ...inputs.flatMap((input) =>
          one.map((resize) => changed(test, (part) => (isSame(part, input) ? cutPart(part, resize) : part))),
        ),
      ];
    });
  return [...withoutFirstAxis(test), ...cases];
}

/** The first elements along each axis. */
function cutPart(part: Part, resize: Resize): Omit<Part, 'name'> {
  const { tensor, text } = part;
  const sizes = tensor.sizes.map(resize);
  if (sizes.join() === tensor.sizes.join() || bytesPerElement(tensor.dataType) < 1) return part;
  const { totalTensorSizeInBytes: _size, ...cut } = { ...tensor, sizes };
  const from = { ...cut, strides: tensor.strides ?? packedStrides(tensor.sizes) };
  return { tensor: cut, text: text === undefined ? text : base64(relaid(from, fromBase64(text), cut)) };
}

/** The case without a first axis that has one element in all tensors. */
function withoutFirstAxis(test: ConformanceCase): ConformanceCase[] {
  if (partsOf(test).some(({ tensor: { sizes } }) => sizes[0] !== 1 || sizes.length === 1)) return [];
  return [
    changed(test, ({ tensor: { sizes, strides, ...tensor }, text }) => ({
      tensor: { ...tensor, sizes: sizes.slice(1), ...(strides ? { strides: strides.slice(1) } : {}) },
      text,
    })),
  ];
}

/** The case with the outputs that follow from its inputs; none if they do not. */
function withInferredOutputs(test: ConformanceCase): ConformanceCase[] {
  const outputs = operatorTable[test.descriptor.type].fields.filter(({ role }) => role === 'output');
  const draft: Record<string, unknown> = { ...test.descriptor };
  for (const { name } of outputs) {
    const value = draft[name];
    draft[name] = Array.isArray(value) ? value.map(() => ({})) : isTensor(value) ? {} : value;
  }
  const whole = attempt(() => valuesOf(resolveDescriptor(draft, '6.4').descriptor));
  if (whole === undefined) return [];
  const packedOne = (tensor: unknown) => (isTensor(tensor) ? { dataType: tensor.dataType, sizes: tensor.sizes } : tensor);
  const descriptor = { ...test.descriptor };
  for (const { name } of outputs) {
    const value = whole[name];
    Reflect.set(descriptor, name, Array.isArray(value) ? value.map(packedOne) : packedOne(value));
  }
  return [{ ...test, descriptor }];
}

/** The case with packed tensors: all of them, or one. */
function packed(test: ConformanceCase): ConformanceCase[] {
  const names = Object.keys(test.descriptor);
  return [names, ...names.map((name) => [name])].map((some) =>
    changed(test, (part) => {
      const { tensor, text } = part;
      if (!some.includes(part.name) || bytesPerElement(tensor.dataType) < 1) return part;
      const { strides: _strides, totalTensorSizeInBytes: _size, ...dense } = tensor;
      return { tensor: dense, text: text === undefined ? text : base64(relaid(tensor, fromBase64(text), dense)) };
    }),
  );
}

/** The case with zeros in place of an input's elements. */
function withZeros(test: ConformanceCase): ConformanceCase[] {
  const inputs = partsOf(test).filter(({ text }) => text !== undefined);
  const zeroed = (meant: Part, change: (view: DataView) => void) =>
    changed(test, (part) => {
      if (!isSame(part, meant)) return part;
      const bytes = fromBase64(part.text ?? '');
      change(new DataView(bytes.buffer));
      return { ...part, text: base64(bytes) };
    });
  const whole = inputs.map((part) => zeroed(part, (view) => new Uint8Array(view.buffer).fill(0)));
  const single = inputs.flatMap((part) => {
    const places = Math.floor(tensorSize(part.tensor) / bytesPerElement(part.tensor.dataType));
    if (product(part.tensor.sizes) > FEW_ELEMENTS || places > 2 * FEW_ELEMENTS) return [];
    return Array.from({ length: places }, (_, i) => zeroed(part, (view) => writeElement(view, part.tensor.dataType, i, 0)));
  });
  return [...whole, ...single];
}

function partsOf(test: ConformanceCase): Part[] {
  const parts: Part[] = [];
  changed(test, (part) => {
    parts.push(part);
    return part;
  });
  return parts;
}

/** The case with other tensors. */
function changed(test: ConformanceCase, change: Change): ConformanceCase {
  const descriptor = { ...test.descriptor };
  const data: Record<string, string | readonly string[]> = { ...test.data };
  for (const [name, value] of Object.entries(test.descriptor) as [string, unknown][]) {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    if (list.length === 0 || !list.every(isTensor)) continue;
    const texts = [data[name]].flat();
    const parts = list.map((tensor, i) => change({ name, tensor, text: texts[i] }));
    const [tensors, changedTexts] = [parts.map(({ tensor }) => tensor), parts.flatMap(({ text }) => text ?? [])];
    Reflect.set(descriptor, name, Array.isArray(value) ? tensors : tensors[0]);
    if (data[name] !== undefined) data[name] = Array.isArray(value) ? changedTexts : (changedTexts[0] ?? '');
  }
  return { ...test, descriptor, data };
}

function isSame(a: Part, b: Part): boolean {
  return a.name === b.name && a.text === b.text;
}

function distinct(numbers: readonly number[]): number[] {
  return [...new Set(numbers)];
}

/** The result; undefined for an invalid descriptor. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
