/** The inputs of a call: their layouts, which decide what a run follows, and whether they are what the model takes. */
import { Tensor } from '../api/memory/tensor.js';
import { bitsOf, isDataType, isFloat } from '../tensors/data-types.js';
import { describe, fieldError, list, shorten, type Place } from '../values/errors.js';
import { Value } from '../graph/value.js';
import type { DataType } from '../tensors/generated/enums.js';
import { argumentError } from '../values/arguments.js';
import { guard, namesOf } from '../values/input.js';
import { productOf } from '../tensors/tensor-size.js';
import { elementTypeOf } from './element-types.js';
import { empty } from './make-data.js';
import { DeviceData, HostData, Sequence, sizesOf, supplyOf, type HostOperand, type Item, type Operand } from './operand.js';
import type { GraphProto, ValueProto } from './proto.js';
import { mostSupplied } from './tracer.js';
import type { EmptyTensor } from './types.js';

/** The elements of an input in memory; null if no run has given them yet. */
export class Elements implements EmptyTensor {
  readonly dataType: DataType;
  readonly sizes: readonly number[];
  readonly bytes: Uint8Array | null;

  constructor(dataType: DataType, sizes: readonly number[], bytes: Uint8Array | null) {
    this.dataType = dataType;
    this.sizes = sizes;
    this.bytes = bytes;
  }
}

/** A tensor, its elements, its description, or a value of a graph. */
export type Leaf = Tensor | Value | Elements | EmptyTensor;

/** By name: several for a sequence, and null for an optional without a value. */
export type Inputs = ReadonlyMap<string, Leaf | readonly Leaf[] | null>;

/** What a run binds to a slot; null if no run has given it yet. */
export type Supplied = Tensor | HostOperand | null;

/** The inputs for which a plan is made, and the slots of those that runs bind. */
export interface PlannedInputs {
  readonly items: ReadonlyMap<string, Item>;
  readonly slots: ReadonlyMap<object, string>;
}

/** The size of a named dimension, and the input that has it. */
interface KnownSize {
  readonly size: number;
  readonly input: string;
}

const code = 'ERR_INVALID_ARGUMENT';

/** The slot of the input at a position, without those that have no elements. */
export function inputSlot(position: number): string {
  return `input.${position}`;
}

/** Reads the inputs that a program gives. `isRight` tells which of them the method takes. */
export function readInputs(place: Place, { inputs }: GraphProto, given: unknown, isRight: (leaf: Leaf) => boolean): Inputs {
  if (typeof given !== 'object' || given === null)
    throw argumentError(place.operator, place.field, 'an object of tensors by name', given);
  const names = namesOf(given, place, code);
  const read = new Map<string, Leaf | readonly Leaf[] | null>();
  for (const { name } of inputs) {
    const value = readOwn(given, name, place);
    if (value === undefined) continue;
    const leafOf = (each: unknown): Leaf => {
      const leaf = asLeaf(each);
      if (leaf !== undefined && isRight(leaf)) return leaf;
      throw fieldError(code, placeOf(place, name), 'a tensor', describe(each));
    };
    read.set(name, value === null ? null : Array.isArray(value) ? value.map(leafOf) : leafOf(value));
  }
  const unknown = names.length === read.size ? undefined : names.find((name) => !inputs.some((input) => input.name === name));
  if (unknown === undefined) return read;
  const expected = `one of ${inputs.map(({ name }) => `'${shorten(name)}'`).join(', ')}`;
  throw fieldError('ERR_UNKNOWN_BINDING', place, expected, `'${shorten(unknown)}'`);
}

function readOwn(given: object, name: string, place: Place): unknown {
  return guard(code, place, (): unknown => (Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined));
}

/** Undefined for what is none. A description is a copy, which the program cannot change. */
function asLeaf(value: unknown): Leaf | undefined {
  if (Tensor.is(value) || Value.is(value) || value instanceof Elements) return value;
  if (typeof value !== 'object' || value === null || !('dataType' in value && 'sizes' in value)) return undefined;
  const { dataType, sizes } = value;
  if (!isDataType(dataType) || !Array.isArray(sizes)) return undefined;
  const copy: unknown[] = Array.from(sizes);
  return copy.every(isWhole) ? { dataType, sizes: copy } : undefined;
}

function isWhole(size: unknown): size is number {
  return Number.isSafeInteger(size);
}

function placeOf(place: Place, name: string): Place {
  return { ...place, field: `${place.field}[${JSON.stringify(shorten(name))}]` };
}

/** What a run depends on. */
export class Layouts {
  /** The layouts of all inputs as text. */
  key = '';
  /** What the run binds, in the order of the slots. */
  readonly given: Supplied[] = [];

  constructor({ inputs: declared }: GraphProto, inputs: Inputs, roomy: ReadonlySet<unknown>) {
    for (const { name, dims } of declared) {
      const input = inputs.get(name);
      if (isList(input)) {
        this.key += '[';
        for (const each of input) this.#add(each, dims, roomy);
        this.key += ']';
      } else if (input === null || input === undefined) this.key += `${input};`;
      else this.#add(input, dims, roomy);
    }
  }

  #add(leaf: Leaf, dims: ValueProto['dims'], roomy: ReadonlySet<unknown>): void {
    this.key += `${leaf.dataType} ${dimsOf(leaf, dims).join()}${staysInMemory(leaf) ? ' in memory' : roomy.has(leaf) ? ' with room' : ''};`;
    if (Tensor.is(leaf)) this.given.push(leaf);
    else if (productOf(leaf.sizes) > 0) this.given.push(leaf instanceof Elements ? suppliedBy(leaf) : null);
  }
}

function isList(input: Leaf | readonly Leaf[] | null | undefined): input is readonly Leaf[] {
  return Array.isArray(input);
}

/** A tensor for a single number has the sizes [1]. */
function dimsOf({ sizes }: Leaf, dims: ValueProto['dims']): readonly number[] {
  return dims?.length === 0 && productOf(sizes) === 1 ? [] : sizes;
}

/** Few whole numbers stay in memory, because sizes and conditions may depend on them. */
function staysInMemory(leaf: Leaf): boolean {
  if (!(leaf instanceof Elements)) return false;
  const { dataType, sizes } = leaf;
  return !isFloat(dataType) && bitsOf(dataType) >= 8 && productOf(sizes) <= mostSupplied;
}

function suppliedBy(leaf: Elements): HostOperand | null {
  const { dataType, sizes: dims, bytes } = leaf;
  if (bytes !== null) return { dataType, isBool: false, dims, strides: null, data: new HostData(bytes) };
  if (!staysInMemory(leaf)) return null;
  const zeros = new Uint8Array((productOf(dims) * bitsOf(dataType)) / 8);
  return { dataType, isBool: false, dims, strides: null, data: new HostData(zeros, supplyOf('', { dataType }, true)) };
}

/** Checks the inputs of a plan. */
export function plannedInputs(place: Place, graph: GraphProto, inputs: Inputs, roomy: ReadonlySet<unknown>): PlannedInputs {
  const slots = new Map<object, string>();
  const items = itemsOf(place, graph, inputs, (leaf) => {
    const slot = inputSlot(slots.size);
    const operand = staysInMemory(leaf) && leaf instanceof Elements ? suppliedBy(leaf) : null;
    const data =
      operand === null
        ? new DeviceData(sizesOf(leaf.sizes), roomy.has(leaf))
        : new HostData(operand.data.bytes, supplyOf(slot, operand));
    slots.set(data, slot);
    return data;
  });
  return { items, slots };
}

/**
 * Checks the inputs. `enter` gives one with elements its data.
 *
 * @throws {DirectMLError} ERR_MISSING_BINDING, ERR_DATA_TYPE, ERR_DIMENSION_COUNT, ERR_SIZES.
 */
export function itemsOf(
  place: Place,
  { inputs: declared, initializers }: GraphProto,
  inputs: Inputs,
  enter: (leaf: Leaf) => Operand['data'],
): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>();
  const sizes = new Map<string, KnownSize>();
  for (const input of declared) {
    const at = placeOf(place, input.name);
    const given = inputs.get(input.name);
    const itemOf = (leaf: Leaf): Operand => operandOf(leaf, input, at, sizes, enter);
    if (given !== undefined) items.set(input.name, given && (isList(given) ? new Sequence(given.map(itemOf)) : itemOf(given)));
    else if (!initializers.has(input.name)) throw fieldError('ERR_MISSING_BINDING', at, 'a tensor', 'nothing');
  }
  return items;
}

function operandOf(
  leaf: Leaf,
  { name, elementType, dims }: ValueProto,
  place: Place,
  known: Map<string, KnownSize>,
  enter: (leaf: Leaf) => Operand['data'],
): Operand {
  const { dataType } = leaf;
  const type = elementTypeOf(elementType);
  if (type !== undefined && type.dataType !== dataType)
    throw fieldError('ERR_DATA_TYPE', place, `a tensor of ${type.dataType}`, dataType);
  const given = dimsOf(leaf, dims);
  if (dims !== undefined) {
    if (dims.length !== given.length) throw fieldError('ERR_DIMENSION_COUNT', place, `sizes ${sizesText(dims)}`, list(given));
    for (const [axis, dim] of dims.entries()) {
      const size = given[axis] ?? 1;
      const other = typeof dim === 'string' ? known.get(dim) : undefined;
      const expected = typeof dim === 'number' ? dim : (other?.size ?? size);
      if (expected !== size) {
        const why = other && `'${shorten(String(dim))}' is ${expected} in input '${shorten(other.input)}'`;
        throw fieldError('ERR_SIZES', place, `sizes ${sizesText(dims)}`, list(given), { why });
      }
      if (typeof dim === 'string') known.set(dim, { size, input: name });
    }
  }
  const isBool = type?.isBool ?? false;
  if (productOf(given) === 0) return empty(dataType, given, isBool);
  return { dataType, isBool, dims: given, strides: null, data: enter(leaf) };
}

function sizesText(dims: readonly (number | string | null)[]): string {
  return `[${dims.map((dim) => dim ?? '?').join(', ')}]`;
}
