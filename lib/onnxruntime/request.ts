/** Reads the arguments of `run` at the call, before the run waits for its turn. */
import type { InferenceSession } from 'onnxruntime-common';
import { describe, fieldError, oneOf, shorten, type DirectMLError, type Place } from '../values/errors.js';
import { didYouMean } from '../values/near-names.js';
import { guard, namesOf } from '../values/input.js';
import type { OnnxValue } from '../onnx/types.js';
import { checked, copied, readTensor, type GivenTensor } from './given-tensor.js';

/** What to compute. Nothing of it is the program's, except for tensors on the device and what `fetches` fill. */
export interface Request {
  /** The inputs by name. */
  readonly feeds: ReadonlyMap<string, GivenTensor>;
  /** The wanted outputs by name, with the tensor to fill; null for a new one. */
  readonly fetches: ReadonlyMap<string, Fetch | null>;
  readonly options: InferenceSession.RunOptions;
}

export interface Fetch {
  readonly given: GivenTensor;
  /** The program's tensor, which `run` returns. */
  readonly object: object;
}

/** The inputs and outputs of a model. */
export interface Values {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

/** An input or an output, and its place in the arguments. */
interface Slot {
  readonly type: string;
  readonly place: Place;
}

const code = 'ERR_INVALID_ARGUMENT';
const operator = 'session.run';
const inFeeds = { operator, field: 'feeds' };
const inFetches = { operator, field: 'fetches' };

/** Reads requests for a model. */
export class RequestReader {
  readonly #inputs: ReadonlyMap<string, Slot>;
  readonly #outputs: ReadonlyMap<string, Slot>;
  /** All outputs, as new tensors. */
  readonly #all: Request['fetches'];

  constructor({ inputs, outputs }: Values) {
    this.#inputs = slotsOf(inFeeds, inputs);
    this.#outputs = slotsOf(inFetches, outputs);
    this.#all = new Map(outputs.map(({ name }) => [name, null]));
  }

  /** @throws {DirectMLError} that names the input, the output or the options. */
  read(feeds: unknown, [first, second]: readonly unknown[]): Request {
    const given = this.#readFeeds(feeds);
    const fetches = first === undefined ? undefined : this.#readFetches(first);
    const options = readOptions(fetches === undefined ? (first ?? second) : second);
    return { feeds: given, fetches: fetches ?? this.#all, options };
  }

  #readFeeds(feeds: unknown): Request['feeds'] {
    const object = requireObject(inFeeds, feeds, 'an object with a tensor for each input');
    for (const name of namesOf(object, inFeeds, code)) {
      if (!this.#inputs.has(name) && read(placeIn(inFeeds, name), object, name) !== undefined)
        throw unknownName(inFeeds, this.#inputs, name);
    }
    const given = new Map<string, GivenTensor>();
    for (const [name, input] of this.#inputs) {
      const value = read(input.place, object, name);
      if (value !== undefined && value !== null) given.set(name, copied(readValue(input, value)));
    }
    return given;
  }

  /** Undefined if the argument is the options. */
  #readFetches(value: unknown): Request['fetches'] | undefined {
    const object = requireObject(inFetches, value, 'names of outputs, an object with tensors for outputs, or options', true);
    if (guard(code, inFetches, () => Array.isArray(object))) return this.#readNames(object);
    const fetches = new Map<string, Fetch | null>();
    for (const [name, output] of this.#outputs) {
      const wanted = read(output.place, object, name);
      if (wanted === null) fetches.set(name, null);
      // Options may have the name of an output.
      if (typeof wanted !== 'object' || wanted === null || !guard(code, output.place, () => 'location' in wanted)) continue;
      fetches.set(name, { given: checked(readValue(output, wanted)), object: wanted });
    }
    if (fetches.size === 0) return undefined;
    for (const name of namesOf(object, inFetches, code))
      if (!this.#outputs.has(name)) throw unknownName(inFetches, this.#outputs, name);
    return fetches;
  }

  #readNames(object: object): Request['fetches'] {
    const listed = namesOf(object, inFetches, code).map((key) => read(placeIn(inFetches, key), object, key));
    if (listed.length === 0) throw fieldError(code, inFetches, oneOf([...this.#outputs.keys()]), 'no name');
    const wanted = listed.map((name) => {
      if (typeof name !== 'string') throw fieldError(code, inFetches, 'names of outputs', describe(name));
      if (!this.#outputs.has(name)) throw unknownName(inFetches, this.#outputs, name);
      return [name, null] as const;
    });
    return new Map(wanted);
  }
}

function slotsOf(place: Place, values: readonly OnnxValue[]): ReadonlyMap<string, Slot> {
  return new Map(values.map(({ name, type }) => [name, { type, place: placeIn(place, name) }]));
}

/** A copy, because onnxruntime-web writes defaults into them. */
function readOptions(value: unknown): InferenceSession.RunOptions {
  const place = { operator, field: 'options' };
  if (value === undefined) return {};
  const object = requireObject(place, value, 'an object');
  return guard(code, place, () => structuredClone(object));
}

/** A tensor for this input or output. */
function readValue({ type, place }: Slot, value: unknown): ReturnType<typeof readTensor> {
  const given = readTensor(place, value);
  if (type === given.type) return given;
  throw fieldError('ERR_DATA_TYPE', place, `a tensor of type ${type}`, `type ${given.type}`);
}

function requireObject(place: Place, value: unknown, expected: string, mayBeArray = false): object {
  const isObject = typeof value === 'object' && value !== null;
  if (isObject && (mayBeArray || !guard(code, place, () => Array.isArray(value)))) return value;
  throw fieldError(code, place, expected, describe(value));
}

/** An own property, which onnxruntime takes too. */
function read(place: Place, object: object, name: string): unknown {
  return guard(code, place, (): unknown => (Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined));
}

function placeIn(place: Place, name: string): Place {
  return { ...place, field: `${place.field}[${JSON.stringify(shorten(name))}]` };
}

function unknownName(place: Place, known: ReadonlyMap<string, Slot>, name: string): DirectMLError {
  const names = [...known.keys()];
  const why = didYouMean(name, names);
  return fieldError('ERR_UNKNOWN_BINDING', place, oneOf(names), `'${shorten(name)}'`, { why });
}
