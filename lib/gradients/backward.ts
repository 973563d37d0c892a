/** Reverse-mode differentiation: walks back from values of a graph to the values that they were made of. */
import type { Graph } from '../api/graphs/graph.js';
import { noGradient } from './errors.js';
import { gradientsOf, givenTo } from './node-gradients.js';
import { asValue, operationsOn } from './operations.js';
import { fromView } from './views.js';
import { Composed, packed, type Expression, type Operations } from '../descriptors/gradient.js';
import { Barrier, CallOutput, type Call } from './names.js';
import { sourceOf, type Value } from '../graph/value.js';
import { Alias, type BuiltNode, type ValueSource } from '../graph/value-source.js';
import type { Layout } from '../tensors/tensor-size.js';

/** What makes some sources of others. */
type Step = BuiltNode | Call;

/** The gradients of values, in their order, from that of a result. Undefined for a value on which the result does not depend. */
export function backward(graph: Graph, result: Value, gradient: Value, values: readonly Value[]): readonly (Value | undefined)[] {
  return new Walk(graph, values).gradients(result, gradient, values);
}

class Walk {
  readonly #graph: Graph;
  readonly #o: Operations;
  readonly #targets: ReadonlySet<ValueSource>;
  /** By step, true if it depends on a target. */
  readonly #isActive = new Map<Step, boolean>();
  /** By source, the gradients that its readers have given, in the layout of the source. */
  readonly #parts = new Map<Step | ValueSource, Map<number, Expression>>();

  constructor(graph: Graph, targets: readonly Value[]) {
    this.#graph = graph;
    this.#o = operationsOn(graph);
    this.#targets = new Set(targets.map(sourceOf));
  }

  gradients(result: Value, gradient: Value, values: readonly Value[]): readonly (Value | undefined)[] {
    this.#pass([[result, gradient]], 'the result');
    return values.map((value) => this.#sumOf(sourceOf(value)) as Value | undefined);
  }

  /** Walks from results to the targets, or to what an earlier call has visited: the nodes that were there before a composition. */
  #pass(results: readonly (readonly [result: Value, gradient: Expression])[], reader: string): void {
    const steps: Step[] = [];
    for (const [result] of results) this.#visit(sourceOf(result), steps);
    for (const [result, gradient] of results) this.#give(sourceOf(result), result, gradient, reader);
    for (const step of steps.reverse()) {
      const sums = this.#parts.get(step);
      if (sums === undefined) continue;
      if ('operator' in step) this.#passNode(step, sums);
      else this.#passCall(step, sums);
    }
  }

  /**
   * Finds the steps between targets and a result, each after those that it reads. Without recursion: models have thousands.
   */
  #visit(result: ValueSource, steps: Step[]): void {
    const stack: { readonly step: Step; readonly isDone: boolean }[] = [];
    const push = (source: ValueSource) => {
      const step = this.#stepOf(source);
      if (step !== null && !this.#isActive.has(step)) stack.push({ step, isDone: false });
    };
    push(result);
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const { step, isDone } = top;
      if (this.#isActive.has(step) && !isDone) continue;
      const inputs = inputsOf(step);
      if (isDone) {
        const isActive = inputs.some((input) => this.#depends(input));
        this.#isActive.set(step, isActive);
        if (isActive) steps.push(step);
        continue;
      }
      this.#isActive.set(step, false);
      stack.push({ step, isDone: true });
      for (const input of inputs) push(input);
    }
  }

  /** The target, barrier, output or leaf behind names that do not matter to this walk. */
  #named(source: ValueSource): ValueSource {
    let found = source;
    while (found instanceof Alias && !this.#isEnd(found)) found = found.of;
    return found;
  }

  #isEnd(source: Alias): boolean {
    return this.#targets.has(source) || source instanceof Barrier || source instanceof CallOutput;
  }

  #stepOf(source: ValueSource): Step | null {
    const named = this.#named(source);
    if (this.#targets.has(named) || named instanceof Barrier) return null;
    return named instanceof CallOutput ? named.call : named.node;
  }

  #depends(source: ValueSource): boolean {
    const named = this.#named(source);
    const step = this.#stepOf(named);
    return this.#targets.has(named) || (step !== null && this.#isActive.get(step) === true);
  }

  /** Adds to the gradient of a source what a reader of it gives, who reads it in the layout `view`. */
  #give(source: ValueSource, view: Layout, gradient: Expression, reader: string): void {
    const named = this.#named(source);
    if (!this.#depends(named)) return;
    const own = fromView(gradient, view, named.tensor, this.#o);
    if (own === undefined) throw noGradient(reader, 'it reads windows of a tensor that overlap, or a part of one with gaps');
    const [place, output] = placeOf(named);
    const parts = this.#parts.get(place) ?? new Map<number, Expression>();
    const known = parts.get(output);
    parts.set(output, known === undefined ? own : this.#o.add(known, own));
    this.#parts.set(place, parts);
  }

  #sumOf(source: ValueSource): Expression | undefined {
    const [place, output] = placeOf(source);
    return this.#parts.get(place)?.get(output);
  }

  #passCall(call: Call, sums: ReadonlyMap<number, Expression>): void {
    if ('again' in call) {
      const results = call.again();
      const passed = [...sums].flatMap(([place, gradient]) => {
        const result = results[place];
        return result === undefined ? [] : [[result, gradient] as const];
      });
      return this.#pass(passed, 'checkpoint');
    }
    const made = call.backward(sums.get(0) as Value);
    for (const [i, input] of call.inputs.entries()) {
      const gradient = made[i];
      if (gradient !== undefined) this.#give(sourceOf(input), input, gradient, 'customGradient');
    }
  }

  #passNode(node: BuiltNode, sums: ReadonlyMap<number, Expression>): void {
    const { operator, inputs } = node;
    const { type } = operator.descriptor;
    const given = givenTo(node, sums);
    if (typeof given === 'string') throw noGradient(type, given);
    const found = gradientsOf(this.#graph, node, given, this.#o);
    if (typeof found === 'string') throw noGradient(type, found);
    if (found instanceof Composed) {
      const shaped = ([path, gradient]: readonly [string, Expression]) => {
        const output = found.outputs[path];
        if (output === undefined) throw new TypeError(`${type} is not composed with ${path}`);
        return [asValue(packed(output, this.#o).reshape(gradient.sizes)), gradient] as const;
      };
      return this.#pass([...given].map(shaped), type);
    }
    for (const slot of operator.slots) {
      if (slot.role !== 'input') continue;
      const source = inputs[slot.position];
      if (slot.tensor === null || source === null || source === undefined || !this.#depends(source)) continue;
      const index = slot.isArray ? Number(/\d+/.exec(slot.path.slice(slot.field.length))?.[0] ?? 0) : 0;
      const gradient = found[slot.field]?.(index);
      if (typeof gradient === 'string') throw noGradient(type, gradient);
      if (gradient !== undefined) this.#give(source, slot.tensor, gradient, type);
    }
  }
}

function inputsOf(step: Step): readonly ValueSource[] {
  return 'operator' in step ? step.inputs.filter((input) => input !== null) : step.inputs.map(sourceOf);
}

/** Two objects may be the same output of a node. */
function placeOf(source: ValueSource): readonly [place: Step | ValueSource, output: number] {
  if (source instanceof CallOutput) return [source.call, source.place];
  return source instanceof Alias || source.node === null ? [source, 0] : [source.node, source.output];
}
