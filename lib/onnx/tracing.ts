/** What the parts of a trace know of each other. */
import type { Tensor } from '../api/memory/tensor.js';
import { DirectMLError, fieldError, shorten } from '../values/errors.js';
import type { DataType } from '../tensors/generated/enums.js';
import type { DeviceData, HostData, HostOperand, Item, Operand } from './operand.js';
import type { FunctionProto, NodeProto, TensorProto } from './proto.js';
import type { Sums } from './types.js';

/** Computes tensors from others in memory. */
export type Compute = (given: readonly HostOperand[]) => readonly HostOperand[];

/** Thrown by an operator that needs elements which only a run has, and yielded by the trace. */
export class Request extends Error {
  readonly operands: readonly Operand[];
  /** Computes tensors from the elements, in each run; null for the elements themselves. */
  readonly compute: Compute | null;

  constructor(operands: readonly Operand[], compute: Compute | null = null) {
    super('elements are needed');
    this.operands = operands;
    this.compute = compute;
  }
}

/** Thrown if the trace depends on elements that no run has given yet. */
export class Unknown extends Error {
  constructor() {
    super('elements are unknown');
  }
}

/** How each run computes tensors from others that it has in memory. */
export interface Recipe {
  readonly operands: readonly HostOperand[];
  readonly compute: Compute;
  /** Where it keeps the results. */
  readonly slots: readonly string[];
}

/** The trace yields what it needs, and gets tensors whose data has a supply. */
export type Trace<T> = Generator<Request, T, readonly HostOperand[]>;

/** Values by name, and where to find others. */
export interface Scope {
  readonly values: Map<string, Item>;
  readonly outer: Scope | null;
  /** The names that are read later. */
  later: () => Iterable<string>;
}

export interface Environment {
  readonly sums: Sums;
  readonly functions: ReadonlyMap<string, FunctionProto>;
  readonly opsets: ReadonlyMap<string, number>;
  /** The elements of a tensor in the model, which are read once. */
  readonly constant: (tensor: TensorProto) => Operand;
  /** The tensor on the device with constant elements, which all graphs share; undefined for other data. */
  readonly weight: (data: HostData | DeviceData, dataType: DataType) => Tensor | undefined;
  readonly isWeight: (data: DeviceData) => boolean;
}

/** What an operator of a model may ask for. */
export interface Emitter {
  readonly environment: Environment;
  /** The operand with its elements in memory. @throws {Request} if only a run has them. */
  onHost: (operand: Operand) => HostOperand;
  /** Tensors that JavaScript computes from elements, in each run if only a run has these. */
  compute: (operands: readonly Operand[], work: Compute) => readonly Operand[];
  /** Says that the operator appends in the memory of the input, which then is that of the output. */
  append: (input: Operand, output: Operand) => void;
  /**
   * Adds an operator, or computes it at once.
   *
   * @param fields With an {@link Operand} in the field of each input, and an `Output` in that of each output.
   * @returns The outputs by field.
   */
  add: (type: string, fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, readonly Operand[]>>;
}

/** What an operator with graphs of its own may ask for. */
export interface Interpreter {
  /** Calls the function again, with the answers to its requests, until it has none. */
  attempt: <T>(work: () => T) => Trace<T>;
  /** Runs nodes, and returns the items with the names. */
  nodes: (
    nodes: readonly NodeProto[],
    outputs: readonly string[],
    scope: Scope,
    opsets?: ReadonlyMap<string, number>,
  ) => Trace<Item[]>;
  /** Keeps items that have no names, until the function that this returns is called. */
  hold: (items: () => readonly Item[]) => () => void;
}

/** An error about what a model asks for. */
export function unsupported(what: string, given: string, why?: string): DirectMLError {
  return fieldError('ERR_INVALID_FILE', { operator: 'model', field: what }, 'one that is supported', given, { why });
}

/** The error of a node, with the name of the node. */
export function inNode(error: unknown, { name, opType }: NodeProto): unknown {
  if (error instanceof Request || error instanceof Unknown) return error;
  if (!(error instanceof DirectMLError) && !(error instanceof RangeError)) return error;
  if (error instanceof DirectMLError && error.message.startsWith('node ')) return error;
  const place = `node ${name === '' ? '' : `'${shorten(name)}' `}(${shorten(opType)})`;
  const code = error instanceof DirectMLError ? error.code : 'ERR_INVALID_FILE';
  return new DirectMLError(code, `${place}: ${error.message}`, { operator: opType, field: place, cause: error });
}
