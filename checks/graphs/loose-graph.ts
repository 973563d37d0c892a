/** A graph as plain data, valid or wrong in any way, so that its types guarantee little; its values and their readers. */
import type { OperatorType } from 'node-directml';
import { bitsOf } from '#lib/tensors/data-types.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { tensorSize } from '../cases/layout.js';
import { isTensor, leastBytes, spanOf, type LooseDescriptor, type LooseTensor } from '../descriptors/candidate.js';

/** Like `GraphDescriptor`, except that numbers that JSON lacks are numbers. */
export interface LooseGraph {
  inputs: Record<string, LooseTensor>;
  constants: Record<string, LooseTensor & { data?: string; ownership?: 'shared' | 'directml' }>;
  nodes: Record<string, LooseDescriptor>;
  outputs: Record<string, Reference>;
}

/** The name of a value, or a view with the reader's description of the value. */
export type Reference = string | View;

/**
 * The description of a value by its reader. Our validation takes only `value`, `sizes` and `strides`; DirectML takes any
 * description.
 */
export interface View extends Omit<Partial<LooseTensor>, 'strides'> {
  value: string;
  strides?: readonly number[] | null;
  /** The tensor that the reader describes if no value has this name. Our validation does not see it. */
  as?: LooseTensor | undefined;
}

/** A tensor field of a node, or an element of one. */
interface Slot {
  readonly field: string;
  /** Null for a field that is no array. */
  readonly element: number | null;
  /** `inputTensor` or `inputTensors[1]`. */
  readonly path: string;
  readonly role: 'input' | 'output';
  /** The index among the inputs or the outputs of the operator. */
  readonly position: number;
  readonly value: unknown;
}

export interface NamedValue {
  readonly name: string;
  readonly tensor: LooseTensor;
  /** Null for inputs and constants. */
  readonly node: string | null;
  /** The index among the outputs of the node, or among all inputs and constants of the graph. */
  readonly position: number;
}

/** A tensor field of a node that names a value. */
export interface Reader {
  readonly node: string;
  readonly descriptor: LooseDescriptor;
  readonly slot: Slot;
  readonly reference: Reference;
  /** The tensor that the reader describes. */
  readonly tensor: LooseTensor;
  /** Undefined if there is no such value. */
  readonly value: NamedValue | undefined;
}

/** A graph that a person typed, or a failure printed; inputs and constants may be left out. */
export function isGraph(value: unknown): value is Partial<LooseGraph> & Pick<LooseGraph, 'nodes' | 'outputs'> {
  return typeof value === 'object' && value !== null && 'nodes' in value && 'outputs' in value;
}

export function isReference(value: unknown): value is Reference {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && 'value' in value);
}

export function nameIn(reference: Reference): string {
  return typeof reference === 'string' ? reference : reference.value;
}

export function slotsOf(descriptor: { readonly type: OperatorType }, only?: 'input' | 'output'): Slot[] {
  const counts = { input: 0, output: 0 };
  const slots: Slot[] = [];
  for (const { name: field, role } of operatorTable[descriptor.type].fields) {
    if (role === undefined) continue;
    const given: unknown = Reflect.get(descriptor, field);
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

/** All values of the graph. If several have the same name, a node's output wins over an input, and an input over a constant. */
export function valuesOf({ inputs, constants, nodes }: LooseGraph): Map<string, NamedValue> {
  const values = new Map<string, NamedValue>();
  for (const [position, [name, tensor]] of [...Object.entries(inputs), ...Object.entries(constants)].entries()) {
    if (!values.has(name)) values.set(name, { name, tensor, node: null, position });
  }
  for (const [node, descriptor] of Object.entries(nodes))
    for (const value of resultsOf(node, descriptor)) values.set(value.name, value);
  return values;
}

/** The values that a node computes. */
export function resultsOf(node: string, descriptor: LooseDescriptor): NamedValue[] {
  return slotsOf(descriptor, 'output').flatMap(({ path, position, value: tensor }) =>
    isTensor(tensor) ? [{ name: `${node}.${path}`, tensor, node, position }] : [],
  );
}

export function readersIn(graph: LooseGraph, values = valuesOf(graph)): Reader[] {
  return Object.entries(graph.nodes).flatMap(([node, descriptor]) =>
    slotsOf(descriptor, 'input').flatMap((slot): Reader[] => {
      const reference = slot.value;
      if (!isReference(reference)) return [];
      const value = values.get(nameIn(reference));
      return [{ node, descriptor, slot, reference, tensor: readTensor(reference, value), value }];
    }),
  );
}

/** The tensor that a reader describes: the value's own, changed by the reference. */
export function readTensor(reference: Reference, found: NamedValue | undefined): LooseTensor {
  const view: View = typeof reference === 'string' ? { value: reference } : reference;
  if (view.as !== undefined) return view.as;
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
export function referenceTo(value: NamedValue, tensor: LooseTensor): Reference {
  const view: View = { value: value.name };
  const plain = readTensor(value.name, value);
  if (tensor.dataType !== plain.dataType) view.dataType = tensor.dataType;
  if (String(tensor.sizes) !== String(plain.sizes)) view.sizes = tensor.sizes;
  const strides = tensor.strides ?? null;
  const isSame = String(strides) === String(plain.strides ?? null);
  if (view.sizes === undefined ? !isSame : strides !== null) view.strides = strides;
  if (tensor.flags !== undefined && tensor.flags !== (plain.flags ?? 'none')) view.flags = tensor.flags;
  const read = readTensor(view, value);
  const alignment = tensor.guaranteedBaseOffsetAlignment;
  if (alignment !== undefined && alignment !== (read.guaranteedBaseOffsetAlignment ?? 0)) {
    view.guaranteedBaseOffsetAlignment = alignment;
  }
  const total = tensor.totalTensorSizeInBytes;
  if (total !== undefined && total !== tensorSize(read)) view.totalTensorSizeInBytes = total;
  return Object.keys(view).length === 1 ? value.name : view;
}

/** All elements in memory as one packed dimension. */
export function flatView(tensor: LooseTensor): LooseTensor {
  return { dataType: tensor.dataType, sizes: [spanOf(tensor)] };
}

export function isFourBit({ dataType }: LooseTensor): boolean {
  return bitsOf(dataType) === 4;
}
