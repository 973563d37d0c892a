/** Descriptors of graphs with something wrong or hostile in them. */
import { disguised, revoked, weird } from '../parity/crash-values.js';
import type { Random } from '../random.js';
import { anyObject, hostile, trapped } from './hostile.js';
import { anyDescriptor } from './operators.js';
import type { World } from './world.js';
import type { LooseGraph } from '../graph/loose-graph.js';
import type { LooseTensor } from '../parity/candidate.js';
import { mutations } from '../parity/graphs/mutations.js';

type Part = Record<string, unknown>;

/** A descriptor whose parts may be changed. */
interface Loose {
  inputs: Part;
  constants: Part;
  nodes: Part;
  outputs: Part;
}

const PARTS = ['inputs', 'constants', 'nodes', 'outputs'] as const;
const float32 = (...sizes: number[]): LooseTensor => ({ dataType: 'float32', sizes });
const MANY_NODES = 2_000;

const NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'length', '0', '-1'],
  ...['', ' ', '.', '..', 'a.', '.outputTensor', 'a.outputTensor', 'a.outputTensors[0]', 'a.outputTensors[99999999999]'],
  ...['\0', '\ud800', '\u{1f600}', 'x'.repeat(1_000), 'x'.repeat(1_001), 'x'.repeat(1_000_000), '.'.repeat(10_000)],
  ...['x', 'w', 'a', 'b', 'c', 'y', 'x.outputTensor', 'y.outputTensor', 'b.outputTensor', 'c.outputTensor'],
];

/** A graph that compiles. Most of what can be in a descriptor is in it. */
function right(): LooseGraph {
  return {
    inputs: { x: float32(2, 3) },
    constants: { w: { ...float32(3), data: 'AACAPwAAAEAAAEBA' } },
    nodes: {
      a: { type: 'elementWiseClip', inputTensor: 'x', min: '-Infinity', max: 1, scaleBias: { scale: 2, bias: '-0' } },
      b: { type: 'elementWiseAdd', aTensor: 'a.outputTensor', bTensor: { value: 'w', sizes: [2, 3], strides: [0, 1] } },
      c: { type: 'join', inputTensors: ['a.outputTensor', 'b.outputTensor'], axis: 0, outputTensor: float32(4, 3) },
      d: { type: 'gemm', aTensor: 'x', bTensor: 'x', transB: 'transpose', fusedActivation: { type: 'activationRelu' } },
    },
    outputs: { y: 'c.outputTensor', z: { value: 'd.outputTensor', sizes: [4] } },
  };
}

/** Own properties, also of the name `__proto__`. */
function set(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A part of the descriptor; an empty one if something else took its place. */
function anyPart(random: Random, descriptor: Loose): { readonly name: (typeof PARTS)[number]; readonly part: Part } {
  const name = random.pick(PARTS);
  if (Object(descriptor[name]) !== descriptor[name]) descriptor[name] = {};
  return { name, part: descriptor[name] };
}

/** A path to an object in the descriptor, and one of its properties. */
function anyPlace(random: Random, root: object): { readonly object: object; readonly name: string } {
  let object = root;
  for (;;) {
    const names = Object.keys(object);
    if (names.length === 0) return { object, name: random.pick(NAMES) };
    const name = random.pick(names);
    const inner: unknown = Reflect.get(object, name);
    if (typeof inner !== 'object' || inner === null || random.chance(0.3)) return { object, name };
    object = inner;
  }
}

/** Puts something at a place in the descriptor. */
function put(random: Random, root: object, make: () => unknown): void {
  const { object, name } = anyPlace(random, root);
  set(object, name, make());
}

/** Arrays and objects in each other. */
function nested(levels: number, list: (inner: unknown) => unknown, object: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? list(value) : object(value);
  return value;
}

/** More levels than any stack has room for. */
const deep = () =>
  nested(
    20_000,
    (inner) => [inner],
    (inner) => ({ type: 'activationRelu', alpha: inner }),
  );

/** Levels that each contain the next one twice: more paths than can be walked. */
const wide = () =>
  nested(
    60,
    (inner) => [inner, inner],
    (inner) => ({ scale: inner, bias: inner }),
  );

function cyclic(): unknown {
  const self = { type: 'activationRelu' };
  return Object.assign(self, { alpha: self });
}

/** An array or object that is used in many places, of which each is read. */
function shared(random: Random): unknown {
  return random.pick<() => unknown>([
    () => new Array(60_000).fill('x'),
    () => new Array(2_000).fill(new Array(2_000).fill({ type: 'activationRelu' })),
  ])();
}

function manyNodes(random: Random, descriptor: Loose): void {
  [descriptor.nodes, descriptor.outputs] = [{}, {}];
  const isCyclic = random.chance(0.3);
  const reads = (i: number) => (i > 0 ? `n${i - 1}.outputTensor` : isCyclic ? `n${MANY_NODES - 1}.outputTensor` : 'x');
  for (let i = 0; i < MANY_NODES; i++) {
    const type = random.chance(1 / MANY_NODES) ? 'elementWiseNegat' : 'elementWiseNegate';
    set(descriptor.nodes, `n${i}`, { type, inputTensor: reads(i) });
  }
  set(descriptor.outputs, 'last', `n${MANY_NODES - 1}.outputTensor`);
}

/** Text that is no base64, or is that of something else. */
const BAD_TEXTS = ['', '=', 'A', 'AA==', 'AAAA\n', 'AACAPwAAAEAAAEBA====', 'A'.repeat(1_000_000), '\0', '_-_-', 'x'.repeat(16)];

type Change = (random: Random, descriptor: Loose, world: World) => unknown;

/** Changes that leave plain data. */
const changes: readonly Change[] = [
  // A name in the place of a value, and a value in the place of a name.
  (random, descriptor) => put(random, descriptor, () => random.pick<unknown>([...NAMES, { value: random.pick(NAMES) }])),
  (random, descriptor) => set(anyPart(random, descriptor).part, random.pick(NAMES), random.pick(NAMES)),
  // Under another name.
  (random, descriptor) => {
    const { part } = anyPart(random, descriptor);
    const name = random.pick(Object.keys(part).concat(''));
    set(part, random.pick(NAMES), part[name]);
    Reflect.deleteProperty(part, name);
  },
  (random, descriptor) => {
    const { object, name } = anyPlace(random, descriptor);
    Reflect.deleteProperty(object, name);
  },
  // Any operator; the names of values are missing in most.
  (random, descriptor) => {
    const node = { ...structuredClone(anyDescriptor(random)), [random.pick(['inputTensor', 'aTensor'])]: 'x' };
    descriptor.nodes = { ...descriptor.nodes };
    set(descriptor.nodes, random.pick(NAMES), node);
  },
  manyNodes,
  (random, descriptor) => (descriptor.constants = { w: { ...float32(3), data: random.pick(BAD_TEXTS) } }),
];

/** The last change; it returns what takes the place of the descriptor. */
const lastChanges: readonly Change[] = [
  inPlace(() => undefined),
  (random) => weird(random),
  inPlace((random, descriptor, world) =>
    put(random, descriptor, () => (random.chance(0.7) ? hostile(random, world) : anyObject(random, world))),
  ),
  inPlace((random, descriptor, world) => set(anyPart(random, descriptor).part, random.pick(NAMES), hostile(random, world))),
  // Structures without an end.
  inPlace((random, descriptor) => {
    const root = random.chance(0.5) ? anyPart(random, descriptor).part : descriptor;
    put(random, root, () => random.pick([deep, wide, cyclic, () => shared(random)])());
  }),
  // Objects that run code, and objects of other kinds.
  inPlace((random, descriptor, world) => {
    const { object, name } = anyPlace(random, descriptor);
    const inner: unknown = Reflect.get(object, name);
    if (typeof inner !== 'object' || inner === null) return;
    const traps = () => trapped(random, world, inner, ['data', 'value', 'sizes', 'type']);
    set(object, name, random.pick([traps, () => disguised(random, inner)])());
  }),
  (random, descriptor, world) => trapped(random, world, descriptor, PARTS),
  (random, descriptor) => random.pick([Object.create, revoked, (object: object) => new Proxy(object, {})])(descriptor),
  (random, descriptor) => {
    const { name, part } = anyPart(random, descriptor);
    const other = random.pick<unknown>([new Map(Object.entries(part)), Object.values(part), Object.create(part)]);
    return { ...descriptor, [name]: other };
  },
];

function inPlace(change: Change): Change {
  return (random, descriptor, world) => {
    change(random, descriptor, world);
    return descriptor;
  };
}

/** A descriptor with a few changes. */
export function hostileDescriptor(random: Random, world: World): unknown {
  const descriptor = right();
  if (random.chance(0.5)) random.pick(mutations).change(random, descriptor);
  for (let i = random.int(0, 2); i > 0; i--) random.pick(changes)(random, descriptor, world);
  return random.pick(lastChanges)(random, descriptor, world);
}

/** Options of compileGraph, most of them wrong. */
export function hostileOptions(random: Random, world: World): unknown {
  return random.pick<() => unknown>([
    () => undefined,
    () => hostile(random, world),
    () => ({ constants: hostile(random, world) }),
    () => ({ constants: { w: hostile(random, world) } }),
    () => ({ constants: { w: [1, 2, 3], [random.pick(NAMES)]: hostile(random, world) } }),
    () => ({ constants: trapped(random, world, { w: [1, 2, 3] }, []) }),
    () => trapped(random, world, { constants: {} }, ['disableMetacommands']),
  ])();
}
