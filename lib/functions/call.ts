/** What all functions of operators do: they make a descriptor of their arguments, and run it or add it to a graph. */
import { types } from 'node:util';
import { contextOf } from '../api/device.js';
import type { DeviceContext } from '../api/device-context.js';
import { fromCaller, fromCallerNow, fromProgram } from '../api/call-site.js';
import { Graph, graphIn } from '../api/graphs/graph.js';
import { contextOfBuffer } from '../api/memory/buffer.js';
import { numberTensor } from '../api/memory/number-tensor.js';
import { Tensor } from '../api/memory/tensor.js';
import { runOn } from '../api/operators/device-operators.js';
import { TensorFields } from '../api/operators/run.js';
import { refuseInRecording } from '../api/recording/recorded-work.js';
import { isRecord } from '../values/given.js';
import { Value } from '../graph/value.js';
import { operatorTable } from '../descriptors/generated/table.js';
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import { highestFeatureLevel } from '../descriptors/feature-level.js';
import { argumentError } from '../values/arguments.js';
import { resolveDescriptor } from '../operators/resolve.js';
import { isArray, namesOf, readArray, readOwn } from '../values/input.js';
import { broadcastInputs } from './broadcast.js';
import { formOf, type Form, type Request } from './form.js';
import { namingInputs } from './input-names.js';
import { noOptions } from './options-hint.js';

/** The result is a promise, unless a value or a graph is among the arguments. */
export function call(type: OperatorType, given: readonly unknown[]): unknown {
  const form = knownForm(type);
  let request: Request;
  try {
    request = readArguments(type, form, given);
  } catch (error) {
    if (given.some((value) => Value.is(value) || Graph.is(value))) return fromCallerNow(() => fail(error));
    fromCallerNow(() => refuseInRecording(type));
    return fromCaller(() => Promise.reject(error as Error));
  }
  const inputs = allInputs(request, form);
  const graph = form.takesPlace && Graph.is(given[0]) ? given[0] : graphIn(inputs);
  if (graph !== null) return fromCallerNow(() => addTo(graph, request, form));
  const context = form.takesPlace ? contextOf(given[0]) : undefined;
  const known = context ?? contextIn(inputs);
  // Thrown, because nothing awaits promises in `device.record`.
  fromCallerNow(() => (known === undefined ? refuseInRecording(type) : known.refuseWhileRecording(type)));
  return inputs.some(types.isPromise)
    ? fromCaller(async () => run(await settled(request, form), form, context))
    : run(request, form, known);
}

const forms = new Map<OperatorType, Form>();

function knownForm(type: OperatorType): Form {
  const known = forms.get(type);
  if (known !== undefined) return known;
  const form = formOf(type, operatorTable[type]);
  forms.set(type, form);
  return form;
}

/** Positions first, then the other fields. Whether the fields are right is the affair of `run` and `graph.add`. */
function readArguments(type: OperatorType, form: Form, given: readonly unknown[]): Request {
  const { takesPlace, positions, lists } = form;
  const first = takesPlace ? 1 : 0;
  if (takesPlace && !Graph.is(given[0]) && contextOf(given[0]) === undefined) {
    throw argumentError(type, 'device', 'a device or a graph', given[0]);
  }
  // Without a prototype, whose setters a script may have replaced.
  const request: Request = { __proto__: null, type };
  for (const [i, name] of positions.entries()) if (i + first < given.length) request[name] = given[i + first];
  const last = first + positions.length;
  const options = given[last];
  // Before the number of arguments, because tensors in a row end where the options should be.
  if (options !== undefined && !isRecord(options)) throw noOptions(type, form, options);
  if (given.length > last + 1) throw argumentError(type, `arguments[${last + 1}]`, 'no more arguments', given[last + 1]);
  if (options !== undefined) readFields(type, options, request, positions, first);
  for (const name of lists) if (name in request) request[name] = elementsOf(type, name, request[name]);
  return request;
}

function readFields(type: OperatorType, options: object, request: Request, positions: readonly string[], first: number): void {
  const place = { operator: type, field: 'options' };
  for (const name of namesOf(options, place, 'ERR_INVALID_ARGUMENT')) {
    const value = readOwn(options, name, place, 'ERR_INVALID_ARGUMENT');
    if (Object.hasOwn(request, name)) {
      const why = name === 'type' ? 'the function has it' : `its place is argument ${positions.indexOf(name) + first + 1}`;
      throw argumentError(type, `options.${name}`, 'nothing', value, 'ERR_INVALID_ARGUMENT', why);
    }
    request[name] = value;
  }
}

/** The elements of an array, which are read only once. Other values are returned unchanged. */
function elementsOf(operator: OperatorType, field: string, value: unknown): unknown {
  const place = { operator, field };
  return typeof value === 'object' && value !== null && isArray(value, place) ? readArray(value, place) : value;
}

function fail(error: unknown): never {
  throw error;
}

/** All inputs, with those in arrays. Only arrays of the operator are looked into: others may be proxies. */
function allInputs(request: Request, { inputs, lists }: Form): readonly unknown[] {
  if (lists.length === 0) return inputs.map((name) => request[name]);
  return inputs.flatMap((name) => (lists.includes(name) ? request[name] : [request[name]]));
}

/** The outputs, or the only one. */
function result(outputs: Readonly<Record<string, unknown>>, { output }: Form): unknown {
  return output === null ? outputs : outputs[output];
}

/** Tensors become constants. */
function addTo(graph: Graph, request: Request, form: Form): unknown {
  const given = form.inputs.map((name) => request[name]);
  try {
    replaceInputs(request, form, (value) => (Tensor.is(value) ? graph.constantOf(value) : value));
    broadcastInputs(request, form, (...number) => graph.numberOf(...number));
    return result(graph.addAny(request), form);
  } catch (error) {
    throw namingInputs(error, form, given);
  }
}

async function run(request: Request, form: Form, given: DeviceContext | undefined): Promise<unknown> {
  const context = fromCallerNow(() => {
    const own = given ?? contextIn(allInputs(request, form)) ?? noDevice(request, form);
    broadcastInputs(request, form, (...number) => numberTensor(own, ...number));
    return own;
  });
  return result(await runOn(context, request), form);
}

/** The device of the first tensor. */
function contextIn(inputs: readonly unknown[]): DeviceContext | undefined {
  const found = inputs.find((value) => Tensor.is(value));
  return found === undefined ? undefined : contextOfBuffer(found.buffer);
}

/** Without a tensor, run would refuse the descriptor on any device. */
function noDevice(request: Request, form: Form): never {
  resolveDescriptor(request, highestFeatureLevel, request.type, new TensorFields());
  throw argumentError(request.type, form.inputs[0] ?? '', 'a tensor', undefined);
}

/** The request with what its promises give. */
async function settled(request: Request, form: Form): Promise<Request> {
  const promises = allInputs(request, form).filter(types.isPromise);
  let values: readonly unknown[];
  try {
    values = await Promise.all(promises);
  } catch (error) {
    throw fromProgram(error);
  }
  const found = new Map<unknown, unknown>(promises.map((promise, i) => [promise, values[i]]));
  replaceInputs(request, form, (value) => (found.has(value) ? found.get(value) : value));
  return request;
}

function replaceInputs(request: Request, { inputs, lists }: Form, replace: (value: unknown) => unknown): void {
  for (const name of inputs) {
    const value = request[name];
    if (lists.includes(name) && Array.isArray(value)) request[name] = value.map(replace);
    else if (name in request) request[name] = replace(value);
  }
}
