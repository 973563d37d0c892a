/** Reads the file for `node-directml run`: an operator or a graph, and the data of its tensors. */
import type { GraphDescriptor, OperatorDescriptor } from '../../index.js';
import { fromJsonText } from '../../graph/json-values.js';
import { UsageError } from '../command.js';
import { nearOrAll } from '../near-or-all.js';
import { nameOf, readText } from '../read-text.js';

/** A tensor of the file. The descriptor or graph provides the missing parts of its description. */
export interface TensorInput {
  readonly dataType?: unknown;
  readonly sizes?: unknown;
  readonly strides?: unknown;
  readonly data: unknown;
}

export interface RunFile {
  readonly work:
    | { readonly kind: 'operator'; readonly descriptor: OperatorDescriptor }
    | { readonly kind: 'graph'; readonly graph: GraphDescriptor };
  readonly tensors: ReadonlyMap<string, TensorInput | readonly TensorInput[]>;
}

type Fields = Readonly<Record<string, unknown>>;

/** @param name The path of a file, or `-` for the standard input. */
export async function readRunFile(name: string): Promise<RunFile> {
  const text = await readText('run', name);
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${nameOf(name)}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parse(text: string): RunFile {
  const file = objectAt('the file', JSON.parse(text), ['descriptor', 'graph', 'tensors']);
  const { descriptor, graph, tensors = {} } = file;
  if ((descriptor === undefined) === (graph === undefined)) {
    throw new UsageError('the file needs a "descriptor" of an operator, or a "graph"');
  }
  const all = objectAt('tensors', tensors);
  return {
    work:
      descriptor === undefined
        ? { kind: 'graph', graph: readGraph(graph) }
        : { kind: 'operator', descriptor: readDescriptor(descriptor, all) },
    tensors: new Map(Object.entries(all).map(([name, value]) => [name, readTensors(`tensors.${name}`, value)])),
  };
}

/**
 * Gives the descriptor the descriptions of the tensors that it leaves out. Where it has one too, the binding is compared with it.
 * The library checks all else.
 */
function readDescriptor(value: unknown, tensors: Fields): OperatorDescriptor {
  const descriptor = objectAt('descriptor', value);
  const missing = Object.entries(tensors).filter(([name]) => descriptor[name] === undefined || descriptor[name] === null);
  const described = missing.map(([name, tensor]) => [
    name,
    Array.isArray(tensor) ? tensor.map(description) : description(tensor),
  ]);
  const whole: unknown = numbersIn({ ...descriptor, ...Object.fromEntries(described) });
  if (!isDescriptor(whole)) throw new UsageError('the descriptor needs a "type", the name of an operator');
  return whole;
}

function readGraph(value: unknown): GraphDescriptor {
  const graph = objectAt('graph', value);
  if (!isGraph(graph)) throw new UsageError('the graph needs "nodes" and "outputs"');
  return graph;
}

/** The library checks the rest, and explains it better. */
function isDescriptor(value: unknown): value is OperatorDescriptor {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The library checks the rest, and explains it better. */
function isGraph(value: object): value is GraphDescriptor {
  return 'nodes' in value && 'outputs' in value;
}

function readTensors(path: string, value: unknown): TensorInput | readonly TensorInput[] {
  return Array.isArray(value) ? value.map((element, i) => readTensor(`${path}[${i}]`, element)) : readTensor(path, value);
}

function readTensor(path: string, value: unknown): TensorInput {
  const { data, ...rest } = objectAt(path, value, ['dataType', 'sizes', 'strides', 'data']);
  if (data === undefined)
    throw new UsageError(`${path} has no "data": an array of numbers, one number for all elements, or base64`);
  return { ...rest, data };
}

function description(tensor: unknown): unknown {
  if (typeof tensor !== 'object' || tensor === null) return tensor;
  return Object.fromEntries(Object.entries(tensor).filter(([name]) => name !== 'data'));
}

/** Numbers that JSON cannot express are strings, as in graphs. */
function numbersIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(numbersIn);
  if (typeof value !== 'object' || value === null) return fromJsonText(value);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, numbersIn(field)]));
}

function objectAt(path: string, value: unknown, names?: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UsageError(`${path} is not an object`);
  const fields: Fields = { ...value };
  const unknown = names === undefined ? undefined : Object.keys(fields).find((name) => !names.includes(name));
  if (unknown === undefined || names === undefined) return fields;
  throw new UsageError(`${path} has no property '${unknown}' (${nearOrAll(unknown, names)})`);
}
