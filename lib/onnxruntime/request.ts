/** Reads the arguments of `run` at the call, before the run waits for its turn. */
import type { InferenceSession } from 'onnxruntime-common';
import type { DeviceContext } from '../api/device-context.js';
import { Tensor } from '../api/memory/tensor.js';
import { describe, fieldError, oneOf, shorten, type DirectMLError, type Place } from '../values/errors.js';
import { didYouMean } from '../values/near-names.js';
import { guard, namesOf } from '../values/input.js';
import type { OnnxValue } from '../onnx/model.js';
import { checkDevice, copyOf, elementsOf, readTensor, textsOf, type GivenTensor } from './given-tensor.js';

/** What to compute. Nothing of it is the program's, except for tensors on the device and what `fetches` fill. */
export interface Request {
  /** The inputs by name. */
  readonly feeds: ReadonlyMap<string, Feed>;
  /** The wanted outputs by name, with the tensor to fill; null for a new one. */
  readonly fetches: ReadonlyMap<string, Fetch | null>;
  readonly options: InferenceSession.RunOptions;
}

export interface Feed {
  readonly given: GivenTensor;
  /** A copy of the elements or strings; null for a tensor on the device. */
  readonly copy: ArrayBufferView | readonly string[] | null;
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

const code = 'ERR_INVALID_ARGUMENT';
const operator = 'session.run';

/** `context` is null for onnxruntime-web. @throws {DirectMLError} that names the input, the output or the options. */
export function readRequest(model: Values, context: DeviceContext | null, feeds: unknown, rest: readonly unknown[]): Request {
  const given = readFeeds(model.inputs, feeds);
  const [first, second] = rest;
  const outputs = new Map(model.outputs.map((output) => [output.name, output]));
  const wanted = readFetches(outputs, first);
  const options = readOptions(wanted === undefined ? (first ?? second) : second);
  const fetches = wanted ?? new Map(Array.from(outputs.keys(), (name) => [name, null]));
  checkDevices({ feeds: given, fetches }, context);
  const copies = Array.from(given, ([name, { given: each }]) => [name, { given: each, copy: contentOf(each) }] as const);
  return { feeds: new Map(copies), fetches, options };
}

/** Again when a run begins: while it waited, a tensor may have been disposed of, or another engine have come. */
export function checkDevices(
  { feeds, fetches }: { readonly feeds: ReadonlyMap<string, Pick<Feed, 'given'>>; readonly fetches: Request['fetches'] },
  context: DeviceContext | null,
): void {
  for (const each of [...feeds.values(), ...fetches.values()]) if (each !== null) checkDevice(each.given, context);
}

function contentOf(given: GivenTensor): Feed['copy'] {
  if (Tensor.is(given.content)) return null;
  return elementsOf(given.type) === undefined ? textsOf(given) : copyOf(given);
}

function readFeeds(inputs: readonly OnnxValue[], feeds: unknown): ReadonlyMap<string, Pick<Feed, 'given'>> {
  const place = { operator, field: 'feeds' };
  const object = requireObject(place, feeds, 'an object with a tensor for each input');
  const names = inputs.map(({ name }) => name);
  for (const name of namesOf(object, place, code)) {
    if (!names.includes(name) && read(place, object, name) !== undefined) throw unknownName(place, names, name);
  }
  const given = new Map<string, Pick<Feed, 'given'>>();
  for (const input of inputs) {
    const value = read(place, object, input.name);
    if (value !== undefined && value !== null)
      given.set(input.name, { given: readValue(placeIn(place, input.name), input, value) });
  }
  return given;
}

/** Undefined if the argument is the options, or nothing. */
function readFetches(outputs: ReadonlyMap<string, OnnxValue>, value: unknown): ReadonlyMap<string, Fetch | null> | undefined {
  if (value === undefined) return undefined;
  const place = { operator, field: 'fetches' };
  const names = [...outputs.keys()];
  const object = requireObject(place, value, 'names of outputs, an object with tensors for outputs, or options', true);
  if (guard(code, place, () => Array.isArray(object))) {
    const listed = namesOf(object, place, code).map((key) => read(place, object, key));
    if (listed.length === 0) throw fieldError(code, place, oneOf(names), 'no name');
    const wanted = listed.map((name) => {
      if (typeof name !== 'string') throw fieldError(code, place, 'names of outputs', describe(name));
      if (!outputs.has(name)) throw unknownName(place, names, name);
      return [name, null] as const;
    });
    return new Map(wanted);
  }
  const fetches = new Map<string, Fetch | null>();
  for (const [name, output] of outputs) {
    const wanted = read(place, object, name);
    if (wanted === null) fetches.set(name, null);
    // Options may have the name of an output.
    if (typeof wanted !== 'object' || wanted === null || !guard(code, placeIn(place, name), () => 'location' in wanted)) continue;
    const given = readValue(placeIn(place, name), output, wanted);
    fetches.set(name, { given, object: wanted });
  }
  if (fetches.size === 0) return undefined;
  for (const name of namesOf(object, place, code)) if (!outputs.has(name)) throw unknownName(place, names, name);
  return fetches;
}

/** A copy, because onnxruntime-web writes defaults into them. */
function readOptions(value: unknown): InferenceSession.RunOptions {
  const place = { operator, field: 'options' };
  if (value === undefined) return {};
  const object = requireObject(place, value, 'an object');
  return guard(code, place, () => structuredClone(object));
}

/** A tensor for this input or output. */
function readValue(place: Place, { type }: OnnxValue, value: unknown): GivenTensor {
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
  const read = (): unknown => (Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined);
  return guard(code, placeIn(place, name), read);
}

function placeIn(place: Place, name: string): Place {
  return { ...place, field: `${place.field}[${JSON.stringify(shorten(name))}]` };
}

function unknownName(place: Place, names: readonly string[], name: string): DirectMLError {
  const why = didYouMean(name, names);
  return fieldError('ERR_UNKNOWN_BINDING', place, oneOf(names), `'${shorten(name)}'`, { why });
}
