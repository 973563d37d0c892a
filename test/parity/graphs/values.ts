/** The values of a loose graph by name, and what their readers say about them. */
import { sizeInBytes, tensorSize } from '../../conformance/layout.js';
import { fieldsOf, isTensor, type LooseDescriptor, type LooseTensor } from '../candidate.js';
import type { LooseGraph, Reference, View } from './candidate.js';

/** A tensor field of a node, or an element of one. */
export interface Slot {
  readonly field: string;
  /** Null for a field that is no array. */
  readonly element: number | null;
  /** `inputTensor` or `inputTensors[1]`. */
  readonly path: string;
  readonly role: 'input' | 'output';
  /** Its number among the inputs, or outputs, of the operator. */
  readonly position: number;
  readonly value: unknown;
}

export interface NamedValue {
  readonly name: string;
  readonly tensor: LooseTensor;
  /** Null for inputs and constants. */
  readonly node: string | null;
  /** The position among the outputs of the node; among the inputs and constants, which are counted together, for others. */
  readonly position: number;
}

export function slotsOf(descriptor: LooseDescriptor, only?: 'input' | 'output'): Slot[] {
  const counts = { input: 0, output: 0 };
  const slots: Slot[] = [];
  for (const { name: field, role } of fieldsOf(descriptor)) {
    if (role === undefined) continue;
    const given = descriptor[field];
    const list: readonly unknown[] = Array.isArray(given) ? given : [given];
    for (const [i, value] of list.entries()) {
      const element = Array.isArray(given) ? i : null;
      const path = element === null ? field : `${field}[${element}]`;
      slots.push({ field, element, path, role, position: counts[role]++, value });
    }
  }
  return only === undefined ? slots : slots.filter(({ role }) => role === only);
}

/** Puts another value into a tensor field. */
export function setSlot(descriptor: LooseDescriptor, { field, element }: Slot, value: unknown): void {
  const given = descriptor[field];
  descriptor[field] = element === null || !Array.isArray(given) ? value : given.with(element, value);
}

/** All values of the graph. Of two with the same name, that of a node counts, or else the input. */
export function valuesOf(graph: LooseGraph): Map<string, NamedValue> {
  const values = new Map<string, NamedValue>();
  const leaves = [...Object.entries(graph.inputs), ...Object.entries(graph.constants)];
  for (const [position, [name, tensor]] of leaves.entries()) {
    if (!values.has(name)) values.set(name, { name, tensor, node: null, position });
  }
  for (const [node, descriptor] of Object.entries(graph.nodes)) {
    for (const { path, position, value } of slotsOf(descriptor, 'output')) {
      if (isTensor(value)) values.set(`${node}.${path}`, { name: `${node}.${path}`, tensor: value, node, position });
    }
  }
  return values;
}

/** The tensor that a reader describes: that of the value, but for what the reference says itself. */
export function readTensor(reference: Reference, values: ReadonlyMap<string, NamedValue>): LooseTensor {
  const view: View = typeof reference === 'string' ? { value: reference } : reference;
  if (view.as !== undefined) return view.as;
  const found = values.get(view.value);
  if (found === undefined) return { dataType: 'float32', sizes: [1] };
  const own = found.tensor;
  const read: LooseTensor = {
    dataType: view.dataType ?? own.dataType,
    sizes: view.sizes ?? own.sizes,
    strides: view.strides === undefined ? (view.sizes === undefined ? own.strides : null) : view.strides,
    flags: view.flags ?? own.flags,
    // DirectML places the outputs of nodes, so their readers know of no alignment.
    guaranteedBaseOffsetAlignment:
      view.guaranteedBaseOffsetAlignment ?? (found.node === null ? own.guaranteedBaseOffsetAlignment : undefined),
  };
  const isWhole = leastBytes(read) === leastBytes(own);
  read.totalTensorSizeInBytes = view.totalTensorSizeInBytes ?? (isWhole ? tensorSize(own) : leastBytes(read));
  return read;
}

/** The shortest reference with which {@link readTensor} gives the tensor. */
export function referenceTo(name: string, tensor: LooseTensor, values: ReadonlyMap<string, NamedValue>): Reference {
  if (!values.has(name)) return { value: name, as: tensor };
  const view: View = { value: name };
  const plain = readTensor(name, values);
  if (tensor.dataType !== plain.dataType) view.dataType = tensor.dataType;
  if (String(tensor.sizes) !== String(plain.sizes)) view.sizes = tensor.sizes;
  const strides = tensor.strides ?? null;
  const isPacked = strides === null;
  const isSame = String(strides) === String(plain.strides ?? null);
  if (view.sizes === undefined ? !isSame : !isPacked) view.strides = strides;
  if (tensor.flags !== undefined && tensor.flags !== (plain.flags ?? 'none')) view.flags = tensor.flags;
  const read = readTensor(view, values);
  const alignment = tensor.guaranteedBaseOffsetAlignment;
  if (alignment !== undefined && alignment !== (read.guaranteedBaseOffsetAlignment ?? 0)) {
    view.guaranteedBaseOffsetAlignment = alignment;
  }
  const total = tensor.totalTensorSizeInBytes;
  if (total !== undefined && total !== tensorSize(read)) view.totalTensorSizeInBytes = total;
  return Object.keys(view).length === 1 ? name : view;
}

/** The bytes that the elements take, without padding behind them. */
export function leastBytes({ dataType, sizes, strides }: LooseTensor): number {
  return sizeInBytes(dataType, sizes, strides ?? null);
}
