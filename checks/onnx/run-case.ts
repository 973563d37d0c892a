/** Runs drawn nodes by onnxruntime's CPU and by this package, and compares. */
import { Tensor, type Device } from 'node-directml';
import { loadOnnx } from 'node-directml/onnx';
import { Random } from '../harness/random.js';
import { onnxruntime } from '../networks/onnxruntime.js';
import { smallModel, type NodeLine, type Weight } from '../networks/small-model.js';
import { feedOf, inputOf, options, read, readOrt, type Computed } from './computed.js';
import type { Draw, OnnxCase } from './case.js';

const byDefault: Readonly<Record<string, number>> = { float64: 1e-7, float32: 1e-5, float16: 2e-3 };

/** How often a case is drawn again because onnxruntime refuses it. */
const mostDraws = 100;

/** Which case: the same three give the same case. */
interface CaseName {
  readonly operator: string;
  readonly seed: number;
  readonly number: number;
}

/** Draws a case that onnxruntime computes, and throws an error that names it unless the device computes the same. */
export async function checkCase(device: Device, draw: Draw, { operator, seed, number }: CaseName): Promise<void> {
  const random = Random.of('onnx', operator, seed, number);
  const { drawn, expected } = await drawnCase(draw, random);
  const difference = await differenceOf(device, drawn, expected);
  if (difference === null) return;
  throw new Error(`${operator}, seed ${seed}, case ${number}: ${difference}\n${textOf(drawn)}`);
}

async function drawnCase(draw: Draw, random: Random) {
  let refusal: unknown;
  for (let i = 0; i < mostDraws; i++) {
    const drawn = withViews(draw(random), random);
    try {
      return { drawn, expected: await expectedOf(drawn) };
    } catch (error) {
      refusal = error;
    }
  }
  throw new Error(`onnxruntime refused ${mostDraws} cases in a row`, { cause: refusal });
}

/** Transposes some inputs in the model, so that operators are given elements in other orders than in memory. */
function withViews(drawn: OnnxCase, random: Random): OnnxCase {
  const isView = (dims: readonly number[]) => dims.length > 1 && random.chance(0.2);
  const views = Object.entries(drawn.inputs).filter(([, [, dims]]) => isView(dims));
  const orders = new Map(views.map(([name, [, dims]]) => [name, random.distinct(dims.length, dims.length)]));
  const inputs = Object.entries(drawn.inputs).map(([name, each]): [string, Weight] => {
    const order = orders.get(name);
    return order === undefined ? [name, each] : [viewed(name), transposed(each, order)];
  });
  const nodes = Array.from(orders, ([name, order]): NodeLine => {
    return ['Transpose', viewed(name), name, { perm: order.map((_, i) => order.indexOf(i)) }];
  });
  const constants = (drawn.constants ?? []).map((name) => (orders.has(name) ? viewed(name) : name));
  return { ...drawn, nodes: [...nodes, ...drawn.nodes], inputs: Object.fromEntries(inputs), constants };
}

function viewed(name: string): string {
  return `${name}.view`;
}

/** Dimension `i` of the result is dimension `order[i]` of the given tensor. */
function transposed([type, dims, elements]: Weight, order: readonly number[]): Weight {
  const sizes = order.map((axis) => dims[axis] ?? 1);
  const strides = order.map((axis) => dims.slice(axis + 1).reduce((product, size) => product * size, 1));
  const moved = elements.map((_, place) => {
    let rest = place;
    let from = 0;
    for (let i = sizes.length - 1; i >= 0; i--) {
      const size = sizes[i] ?? 1;
      from += (rest % size) * (strides[i] ?? 0);
      rest = Math.floor(rest / size);
    }
    return elements[from] ?? NaN;
  });
  return [type, sizes, moved];
}

async function expectedOf(drawn: OnnxCase): Promise<Readonly<Record<string, Computed>>> {
  const { InferenceSession } = onnxruntime();
  const session = await InferenceSession.create(bytesOf(drawn), options);
  try {
    const feeds = Object.fromEntries(feedsOf(drawn).map(([name, weight]) => [name, feedOf(weight)]));
    return Object.fromEntries(Object.entries(await session.run(feeds)).map(([name, value]) => [name, readOrt(value)]));
  } finally {
    await session.release();
  }
}

function feedsOf({ inputs, constants = [] }: OnnxCase): readonly (readonly [string, Weight])[] {
  return Object.entries(inputs).filter(([name]) => !constants.includes(name));
}

/** The bytes of the model. */
function bytesOf(drawn: OnnxCase): Uint8Array {
  const { opset, nodes, inputs, constants = [], outputs } = drawn;
  const graph = {
    inputs: feedsOf(drawn)
      .map(([name, [type, dims]]) => `${type} ${name} [${dims.join()}]`)
      .join('; '),
    outputs: outputs.map((name) => `? ${name}`).join('; '),
    nodes,
    weights: Object.fromEntries(Object.entries(inputs).filter(([name]) => constants.includes(name))),
  };
  return smallModel(graph, opset);
}

async function differenceOf(
  device: Device,
  drawn: OnnxCase,
  expected: Readonly<Record<string, Computed>>,
): Promise<string | null> {
  try {
    const results = await computedOn(device, drawn);
    for (const name of drawn.outputs) {
      const difference = compared(results[name], expected[name], drawn);
      if (difference !== null) return `${name} ${difference}`;
    }
    return null;
  } catch (error) {
    return String(error);
  }
}

async function computedOn(device: Device, drawn: OnnxCase): Promise<Readonly<Record<string, Computed>>> {
  const model = await loadOnnx(device, bytesOf(drawn));
  const inputs = Object.fromEntries(feedsOf(drawn).map(([name, weight]) => [name, inputOf(device, weight)]));
  try {
    const results: Record<string, Computed> = {};
    for (const [name, result] of Object.entries(await model.run(inputs))) results[name] = await read(result);
    return results;
  } finally {
    for (const input of Object.values(inputs)) if (input instanceof Tensor) input.dispose();
    model.dispose();
  }
}

/** Says where two outputs differ; null if they are near. */
function compared(
  given: Computed | undefined,
  expected: Computed | undefined,
  { tolerance, magnitude = 0 }: OnnxCase,
): string | null {
  if (given === undefined || expected === undefined) return 'is missing';
  if (given.type !== expected.type) return `is ${given.type} instead of ${expected.type}`;
  if (given.sizes.join() !== expected.sizes.join())
    return `has sizes [${given.sizes.join()}] instead of [${expected.sizes.join()}]`;
  const allowed = toleranceOf(expected.type, tolerance);
  const magnitudes = expected.elements.map(Number).map(Math.abs).filter(Number.isFinite);
  const limit = allowed * magnitudes.reduce((most, each) => Math.max(most, each), magnitude);
  const place = expected.elements.findIndex((right, i) => !isNear(given.elements[i] ?? NaN, right, limit));
  return place < 0 ? null : `[${place}] is ${given.elements[place]} instead of ${expected.elements[place]}`;
}

/** That of a case is for float32. JavaScript computes float64, more exactly. */
function toleranceOf(type: string, given: number | undefined): number {
  const usual = byDefault[type] ?? 0;
  if (given === undefined || type === 'float64') return usual;
  return type === 'float16' ? Math.max(usual, given) : given;
}

function isNear(given: number | bigint, expected: number | bigint, limit: number): boolean {
  return Object.is(given, expected) || given === expected || Math.abs(Number(given) - Number(expected)) <= limit;
}

/** The case, to read. */
function textOf({ opset, nodes, inputs, constants = [] }: OnnxCase): string {
  const lines = Object.entries(inputs).map(([name, [type, dims, elements]]) => {
    const kind = constants.includes(name) ? 'constant' : 'input';
    return `  ${kind} ${name}: ${type} [${dims.join()}] ${shown(elements)}`;
  });
  return [`  opset ${opset}: ${nodes.map((node) => JSON.stringify(node)).join(', ')}`, ...lines].join('\n');
}

function shown(elements: readonly number[]): string {
  const first = elements.slice(0, 60).map((element) => (Object.is(element, -0) ? '-0' : String(element)));
  return first.join(' ') + (elements.length > first.length ? ' …' : '');
}
