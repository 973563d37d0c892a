/** Turns the operators of a builder into a graph of DirectML's operators, and compiles it. */
import type { Graph } from '../api/graphs/graph.js';
import { outsideScopes } from '../api/scope.js';
import { Tensor } from '../api/memory/tensor.js';
import type { Value } from '../graph/value.js';
import { BuiltGraph, type Port } from './ml-graph.js';
import type { Context } from './ml-context.js';
import { domError } from './dom-errors.js';
import { lowerings } from './lower/index.js';
import { Step } from './lower/step.js';
import { keepTensor, releaseTensor } from './ml-tensor.js';
import { elementCount, Operand, sameShape, sizesOf, type AddedOperator, type OperatorName } from './ml-operand.js';

/** @throws {DOMException} (as a rejection) OperationError if the device cannot have the graph. */
export async function lowerGraph(context: Context, outputs: ReadonlyMap<string, Operand>): Promise<BuiltGraph> {
  const tensors: Tensor[] = [];
  try {
    const lowered = new LoweredGraph(context.device.createGraph());
    const values: Record<string, Value> = {};
    const ports = new Map<string, Port>();
    for (const [name, operand] of outputs) {
      const key = `output${ports.size}`;
      values[key] = lowered.valueOf(operand);
      ports.set(name, { key, dataType: operand.dataType, shape: operand.shape });
    }
    tensors.push(...lowered.tensors);
    // Before anything is awaited, because the program may destroy them from now on.
    tensors.forEach(keepTensor);
    const compiled = await outsideScopes(() => lowered.graph.compile(values));
    const graph = new BuiltGraph(context, { inputs: lowered.inputs, outputs: ports }, compiled, tensors);
    if (context.isLost) graph.destroy();
    else context.remember(graph);
    return graph;
  } catch (error) {
    tensors.forEach(releaseTensor);
    throw domError(error, 'OperationError');
  }
}

class LoweredGraph {
  readonly graph: Graph;
  readonly inputs = new Map<string, Port>();
  /** The constant tensors that it reads. */
  readonly tensors = new Set<Tensor>();
  readonly #values = new Map<Operand, Value>();
  readonly #outputs = new Map<AddedOperator, readonly Value[]>();
  readonly #constants = new Map<Value, Uint8Array>();

  constructor(graph: Graph) {
    this.graph = graph;
  }

  /** Lowers all operators that the operand needs, without recursion, so a chain may have any length. */
  valueOf(operand: Operand): Value {
    const open = [operand];
    for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
      const missing = this.#values.has(next) ? [] : this.#missingInputs(next);
      if (missing.length > 0) {
        open.push(...missing);
        continue;
      }
      if (!this.#values.has(next)) this.#values.set(next, this.#lower(next));
      open.pop();
    }
    return this.#known(operand);
  }

  #missingInputs({ source }: Operand): readonly Operand[] {
    if (source.kind !== 'output' || this.#outputs.has(source.operator)) return [];
    return source.operator.inputs.filter((input) => !this.#values.has(input));
  }

  #known(operand: Operand): Value {
    const value = this.#values.get(operand);
    if (value === undefined) throw new TypeError('an operand is lowered after its inputs');
    return value;
  }

  #lower({ dataType, shape, source }: Operand): Value {
    const desc = { dataType, sizes: sizesOf(shape) };
    if (source.kind === 'input') {
      const key = `input${this.inputs.size}`;
      this.inputs.set(source.name, { key, dataType, shape });
      return this.graph.input(key, desc);
    }
    if (source.kind === 'constant') {
      const { data } = source;
      if (Tensor.is(data)) {
        this.tensors.add(data);
        return this.graph.constant(data);
      }
      const value = this.graph.constant(desc, data);
      this.#constants.set(value, new Uint8Array(data));
      return value;
    }
    const { operator, index } = source;
    const values = this.#outputs.get(operator) ?? this.#lowerOperator(operator);
    this.#outputs.set(operator, values);
    const value = values[index];
    if (value === undefined) throw new TypeError(`${operator.name} has no output ${index}`);
    return value;
  }

  #lowerOperator({ name, args, outputs }: AddedOperator): readonly Value[] {
    const step = new Step(this.graph, outputs, this.#constants);
    const values = callLowering(
      name,
      step,
      args.map((argument) => this.#withValues(argument)),
    );
    return values.map((value, i) => {
      const sizes = sizesOf(outputs[i]?.shape ?? []);
      if (elementCount(sizes) !== elementCount(value.sizes)) throw new TypeError(`${name} has the sizes ${value.sizes.join()}`);
      return sameShape(value.sizes, sizes) ? value : step.reshape(value, sizes);
    });
  }

  #withValues(argument: unknown): unknown {
    if (argument instanceof Operand) return this.#known(argument);
    if (Array.isArray(argument)) return argument.map((item: unknown) => this.#withValues(item));
    if (typeof argument !== 'object' || argument === null) return argument;
    const members: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(argument)) members[name] = this.#withValues(value);
    return members;
  }
}

function callLowering(name: OperatorName, step: Step, args: readonly unknown[]): readonly Value[] {
  // the arguments are those of the operator, with values
  const lower = lowerings[name] as (step: Step, ...args: readonly unknown[]) => Value | readonly Value[];
  const lowered = lower(step, ...args);
  return isList(lowered) ? lowered : [lowered];
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
