/** If, Loop and Scan: operators that run graphs of their own. Branches are chosen, and loops unrolled, while tracing. */
import type { Node } from './node.js';
import { empty, hostOperand, scalar } from './make-data.js';
import { Sequence, type Item, type Operand } from './operand.js';
import { joined, partOf } from './operators/move-helpers.js';
import type { Interpreter, Scope, Trace } from './tracing.js';

type Flow = (node: Node, interpreter: Interpreter, scope: Scope) => Trace<readonly Item[]>;

/** By operator. */
export const controlFlow: Readonly<Record<string, Flow | undefined>> = {
  __proto__: null as never,
  *If(node, interpreter, scope) {
    const chosen = yield* interpreter.attempt(() => node.number(node.input(0)) !== 0);
    return yield* inner(node, interpreter, scope, chosen ? 'then_branch' : 'else_branch', []);
  },
  *Loop(node, interpreter, scope) {
    const count = node.optional(0);
    const condition = node.optional(1);
    const most = count === undefined ? Infinity : yield* interpreter.attempt(() => node.number(count));
    let goes = condition === undefined || (yield* interpreter.attempt(() => node.number(condition) !== 0));
    let carried: Item[] = node.items.slice(2);
    const width = carried.length;
    const scanned: Operand[][] = Array.from({ length: node.outputCount - width }, () => []);
    const release = interpreter.hold(() => [...carried, ...scanned.flat()]);
    const trip = (i: number) =>
      inner(node, interpreter, scope, 'body', [scalar('int64', i), hostOperand('uint8', [], [1], true), ...carried]);
    for (let i = 0; i < most && goes; i++) {
      const made = yield* trip(i);
      carried = made.slice(1, 1 + width);
      for (const [k, item] of made.slice(1 + width).entries()) scanned[k]?.push(tensorOf(item));
      const [again] = made;
      if (again !== undefined && again !== null && !(again instanceof Sequence)) {
        goes = yield* interpreter.attempt(() => node.number(again) !== 0);
      }
    }
    // Without trips, the body still tells the sizes of what it would give.
    const unused = scanned[0]?.length === 0 ? (yield* trip(0)).slice(1 + width).map(tensorOf) : undefined;
    const stacks =
      unused?.map(({ dataType, dims, isBool }) => empty(dataType, [0, ...dims], isBool)) ??
      (yield* interpreter.attempt(() => scanned.map((parts) => stack(node, parts, 0, false))));
    release();
    return [...carried, ...stacks];
  },
  *Scan(node, interpreter, scope) {
    if (node.opset < 9) throw node.unsupported('Scan', `the version of opset ${node.opset}`);
    const count = node.int('num_scan_inputs', 1);
    const width = node.items.length - count;
    let carried: Item[] = node.items.slice(0, width);
    const scans = node.inputs.slice(width);
    const reversed = node.ints('scan_input_directions', []);
    const axes = scans.map((scan, k) => node.axis(node.ints('scan_input_axes', [])[k] ?? 0, scan.dims.length));
    const length = scans[0]?.dims[axes[0] ?? 0] ?? 0;
    const scanned: Operand[][] = Array.from({ length: node.outputCount - width }, () => []);
    const release = interpreter.hold(() => [...carried, ...scans, ...scanned.flat()]);
    for (let i = 0; i < length; i++) {
      const parts = yield* interpreter.attempt(() =>
        scans.map((scan, k) => part(node, scan, axes[k] ?? 0, reversed[k] === 1 ? length - 1 - i : i)),
      );
      const made = yield* inner(node, interpreter, scope, 'body', [...carried, ...parts]);
      carried = made.slice(0, width);
      for (const [k, item] of made.slice(width).entries()) scanned[k]?.push(tensorOf(item));
    }
    const directions = node.ints('scan_output_directions', []);
    const outputAxes = node.ints('scan_output_axes', []);
    const stacks = yield* interpreter.attempt(() =>
      scanned.map((all, k) => stack(node, all, outputAxes[k] ?? 0, directions[k] === 1)),
    );
    release();
    return [...carried, ...stacks];
  },
  *SequenceMap(node, interpreter, scope) {
    const sequence = node.sequence(0);
    const others = node.items.slice(1);
    const results: Operand[][] = Array.from({ length: node.outputCount }, () => []);
    for (const [i, item] of sequence.items.entries()) {
      const given = others.map((other) => (other instanceof Sequence ? (other.items[i] ?? null) : other));
      const made = yield* inner(node, interpreter, scope, 'body', [item, ...given]);
      for (const [k, each] of made.entries()) results[k]?.push(tensorOf(each));
    }
    return results.map((items) => new Sequence(items));
  },
};

/** Runs a graph of the node, which also sees the values around it. */
function* inner(node: Node, interpreter: Interpreter, outer: Scope, name: string, inputs: readonly Item[]): Trace<Item[]> {
  const graph = node.graph(name);
  const values = new Map<string, Item>();
  for (const [weight, tensor] of graph.initializers) values.set(weight, node.constant(tensor));
  for (const [i, input] of graph.inputs.entries()) if (i < inputs.length) values.set(input.name, inputs[i] ?? null);
  const outputs = graph.outputs.map((output) => output.name);
  return yield* interpreter.nodes(graph.nodes, outputs, { values, outer, later: () => [] }, node.opsets);
}

function tensorOf(item: Item | undefined): Operand {
  if (item === undefined || item === null || item instanceof Sequence) throw new RangeError('a scan output is no tensor');
  return item;
}

/** The elements at a position of an axis, without the axis. */
function part(node: Node, input: Operand, axis: number, position: number): Operand {
  return node.reshape(partOf(node, input, axis, position, position + 1), input.dims.toSpliced(axis, 1));
}

/** Joins tensors along a new axis. */
function stack(node: Node, parts: readonly Operand[], axis: number, isReversed: boolean): Operand {
  const [first] = parts;
  if (first === undefined) throw new RangeError('a loop without iterations has scan outputs of unknown sizes');
  const place = node.axis(axis, first.dims.length + 1);
  const each = parts.map((one) => node.reshape(one, one.dims.toSpliced(place, 0, 1)));
  return joined(node, isReversed ? each.reverse() : each, place);
}
