/** `device.jit`: turns a function of tensors into graphs, one for each set of data types, sizes, strides and other arguments. */
import { describe, DirectMLError, fieldError, shorten } from '../../values/errors.js';
import { isRevoked } from '../../values/given.js';
import { Value } from '../../graph/value.js';
import { argumentError, labelOption, readOptions, requireFunction } from '../../values/arguments.js';
import { guard, readUint } from '../../values/input.js';
import { callerOf, fromCaller } from '../call-site.js';
import { define } from '../../values/define.js';
import type { DeviceContext } from '../device-context.js';
import { Tensor } from '../memory/tensor.js';
import type { CompiledGraph } from './compiled-graph.js';
import { Graph } from './graph.js';
import { optimizeOf, type GraphOptions } from './graph-options.js';
import { addToScope, outsideScopes } from '../scope.js';
import { Ending, untilEnd } from '../until-end.js';
import { withPath } from './jit-errors.js';
import { InlinedCalls } from './inlined-calls.js';
import { JitCost } from './jit-cost.js';
import { mapTree, revoked, scanTree, settleResult, settleTree, type Leaves } from './jit-trees.js';
import type { JitFunction } from './jit-types.js';

/** Options of {@link Device.jit}. */
export interface JitOptions {
  /**
   * How many compiled graphs are kept. Beyond it, the one that ran longest ago is disposed of, and a warning says once what
   * compiling costs. Graphs made by `compile` do not count. Default: 64.
   */
  readonly limit?: number | undefined;
  /** Name of the graphs in error messages and in {@link Device.profile}. Default: the name of the function. */
  readonly label?: string | undefined;
  /** How the graphs are improved before they are compiled. Default: `'exact'`. */
  readonly optimize?: GraphOptions['optimize'];
}

const method = 'device.jit';
const defaultLimit = 64;

/** The function, as a program calls it. */
export function jit(context: DeviceContext, fn: unknown, options?: JitOptions): JitFunction<readonly unknown[], unknown>;
export function jit(context: DeviceContext, fn: unknown, options: unknown): object {
  if (!isFunction(fn)) throw argumentError(method, 'fn', 'a function', fn);
  requireFunction(method, 'fn', fn);
  const read = readOptions(method, options, ['limit', 'label', 'optimize']);
  const limit = readUint(read.get('limit') ?? defaultLimit, { operator: method, field: 'options.limit' });
  if (limit === 0) throw argumentError(method, 'options.limit', 'at least 1', limit);
  const label = labelOption(method, read.get('label') ?? nameOf(fn));
  const optimize = optimizeOf(method, read.get('optimize'));
  const traced = new Traced(context, fn, limit, { label, optimize });
  const call = (...args: readonly unknown[]): unknown => traced.call(args);
  const dispose = (): void => traced.dispose();
  const compile = (...args: readonly unknown[]): Promise<CompiledGraph> => traced.compile(args);
  const graphs = { __proto__: null, get: () => traced.graphs, enumerable: true };
  Object.defineProperty(call, 'graphs', graphs);
  addToScope(context, traced, call);
  define(call, 'name', label);
  return Object.assign(call, { compile, dispose, [Symbol.dispose]: dispose });
}

/** A compiled graph, and what turns tensors into its bindings and its outputs into the result. */
interface Variant {
  readonly net: CompiledGraph;
  /** The inputs of the graph: their names, and their positions among the tensors of the arguments. */
  readonly inputs: readonly (readonly [name: string, position: number])[];
  readonly result: (outputs: Readonly<Record<string, Tensor>>) => unknown;
}

interface Entry {
  readonly compiling: Promise<Variant>;
  /** Null until it is compiled. */
  variant: Variant | null;
  /** The calls that wait for it. */
  waiting: number;
  /** True after `compile`, which keeps it. */
  isKept: boolean;
}

/** What all graphs of a function have. */
interface Traits {
  readonly label: string;
  readonly optimize: GraphOptions['optimize'];
}

class Traced {
  readonly #context: DeviceContext;
  readonly #fn: (...args: readonly unknown[]) => unknown;
  readonly #limit: number;
  readonly #label: string;
  readonly #optimize: GraphOptions['optimize'];
  /** By key, those that ran last at the end. */
  readonly #entries = new Map<string, Entry>();
  /** The keys that the function is being called for, up to its first `await`. */
  readonly #traced = new Set<string>();
  readonly #inlined: InlinedCalls;
  readonly #cost: JitCost;
  readonly #ending = new Ending();
  #isDisposed = false;

  constructor(context: DeviceContext, fn: (...args: readonly unknown[]) => unknown, limit: number, options: Traits) {
    this.#context = context;
    this.#fn = fn;
    this.#limit = limit;
    this.#label = options.label;
    this.#optimize = options.optimize;
    this.#inlined = new InlinedCalls(options.label, () => this.#endless());
    this.#cost = new JitCost(this.#name, limit);
  }

  get graphs(): readonly CompiledGraph[] {
    return [...this.#entries.values()].flatMap(({ variant }) => (variant === null ? [] : [variant.net]));
  }

  /** The result of the function. With values of a graph among the arguments it is part of that graph, and no promise. */
  call(args: readonly unknown[]): unknown {
    let leaves: Leaves;
    try {
      leaves = scanTree(args, false, this.#name);
    } catch (error) {
      return fromCaller(() => Promise.reject(error as Error));
    }
    if (leaves.hasValue) return this.#inlined.call(leaves.key, () => this.#callable()(...args));
    this.#context.refuseWhileRecording(this.#name);
    const known = leaves.hasPromise ? undefined : this.#entries.get(leaves.key);
    if (known === undefined || known.variant === null) return fromCaller(() => this.#callLater(args, leaves));
    return this.#run(known.variant, leaves, known);
  }

  async compile(args: readonly unknown[]): Promise<CompiledGraph> {
    return fromCaller(async () => {
      const leaves = scanTree(args, true, this.#name);
      const entry = this.#entry(args, leaves);
      entry.isKept = true;
      const { net } = await entry.compiling;
      return net;
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const entry of this.#entries.values()) release(entry);
    this.#entries.clear();
    this.#ending.end();
  }

  get #name(): string {
    return this.#label === '' ? 'jit' : shorten(this.#label);
  }

  /** Traces and compiles first, unless another call does. */
  async #callLater(given: readonly unknown[], scanned: Leaves): Promise<unknown> {
    const settle = () => Promise.all(given.map((arg) => settleTree(arg)));
    const args = scanned.hasPromise ? await this.#untilEnd(settle) : given;
    const leaves = scanned.hasPromise ? scanTree(args, false, this.#name) : scanned;
    const entry = this.#entry(args, leaves);
    entry.waiting++;
    try {
      return await this.#run(await entry.compiling, leaves, entry);
    } finally {
      entry.waiting--;
      if (!this.#isCurrent(leaves.key, entry)) release(entry);
    }
  }

  /** The dispatch is recorded before this returns. */
  async #run({ net, inputs, result }: Variant, { key, tensors }: Leaves, entry: Entry): Promise<unknown> {
    if (this.#isDisposed) throw this.#disposed();
    this.#context.check(this.#name);
    if (this.#entries.size > 1 && this.#isCurrent(key, entry)) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    const bindings: Record<string, Tensor | undefined> = {};
    for (const [name, position] of inputs) bindings[name] = tensors[position];
    return result(await net.run(bindings));
  }

  #isCurrent(key: string, entry: Entry): boolean {
    return this.#entries.get(key) === entry;
  }

  #entry(args: readonly unknown[], { key }: Leaves): Entry {
    if (this.#isDisposed) throw this.#disposed();
    this.#context.check(this.#name);
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    if (this.#traced.has(key)) throw this.#endless();
    this.#traced.add(key);
    const entry: Entry = { compiling: outsideScopes(() => this.#trace(args)), variant: null, waiting: 0, isKept: false };
    this.#traced.delete(key);
    this.#entries.set(key, entry);
    entry.compiling.then(
      (variant) => {
        entry.variant = variant;
        if (!this.#isCurrent(key, entry) && entry.waiting === 0) release(entry);
        this.#forget();
      },
      () => {
        if (this.#isCurrent(key, entry)) this.#entries.delete(key);
      },
    );
    return entry;
  }

  /** Disposes of graphs beyond the limit, oldest first. */
  #forget(): void {
    const others = [...this.#entries].filter(([, { isKept }]) => !isKept);
    for (const [key, entry] of others.slice(0, Math.max(0, others.length - this.#limit))) {
      if (entry.variant === null) continue;
      this.#cost.warn();
      this.#entries.delete(key);
      release(entry);
    }
  }

  async #trace(args: readonly unknown[]): Promise<Variant> {
    const began = performance.now();
    const graph = new Graph(this.#context, { allowsUnusedInputs: true });
    const names: string[] = [];
    const values = args.map((arg, i) =>
      mapTree(arg, `args[${i}]`, (tensor, path) => {
        names.push(path);
        return graph.inputOf(path, tensor);
      }),
    );
    const returned = await this.#callProgram(values);
    const outputs: Record<string, Value> = {};
    const known = new Map<Value, string>();
    const template = mapTree(returned, 'result', (given, path) => {
      const value = Tensor.is(given) ? graph.constantOf(given) : given;
      if (!Value.is(value)) throw argumentError(this.#name, shorten(path), 'a tensor', given);
      const name = known.get(value) ?? path;
      known.set(value, name);
      outputs[name] = value;
      return new Output(name);
    });
    if (known.size === 0) {
      throw fieldError('ERR_INVALID_GRAPH', { operator: this.#name, field: 'result' }, 'at least one tensor', describe(returned));
    }
    const net = await graph.compile(outputs, { label: this.#label, optimize: this.#optimize });
    this.#cost.add(performance.now() - began);
    const positions = new Map(names.map((name, i) => [name, i]));
    const inputs = Object.keys(net.inputs).map((name) => [name, positions.get(name) ?? 0] as const);
    return {
      net,
      inputs,
      result: (tensors) => mapTree(template, '', (leaf) => (leaf instanceof Output ? tensors[leaf.name] : leaf)),
    };
  }

  async #callProgram(values: readonly unknown[]): Promise<unknown> {
    const caller = callerOf();
    try {
      return await this.#untilEnd(() => settleResult(this.#callable(), values, 'jit'));
    } catch (error) {
      throw withPath(error, this.#label, caller);
    }
  }

  /** A program may revoke a proxy at any time. */
  #callable(): (...args: readonly unknown[]) => unknown {
    if (isRevoked(this.#fn)) throw revoked(this.#name, 'fn');
    return this.#fn;
  }

  #untilEnd<T>(work: () => Promise<T>): Promise<T> {
    const check = () => {
      if (this.#isDisposed) throw this.#disposed();
      this.#context.check(this.#name);
    };
    return untilEnd([this.#context.ending, this.#ending], check, work);
  }

  #endless(): DirectMLError {
    const place = { operator: this.#name, field: 'fn' };
    const why = 'a call with the same data types, sizes and other arguments inside this one would make another, without end';
    return fieldError('ERR_INVALID_ARGUMENT', place, 'a function that ends', 'one that calls itself', { why });
  }

  #disposed(): DirectMLError {
    return new DirectMLError('ERR_DISPOSED', `${this.#name}: the function is disposed`, { operator: this.#name });
  }
}

/** The place of an output in the result. */
class Output {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === 'function';
}

/** `''` for a function without a name, and for one whose name is something else. */
function nameOf(fn: object): string {
  const name = guard('ERR_INVALID_ARGUMENT', { operator: method, field: 'fn.name' }, (): unknown => Reflect.get(fn, 'name'));
  return typeof name === 'string' ? name : '';
}

function release(entry: Entry): void {
  if (entry.waiting === 0) entry.variant?.net.dispose();
}
