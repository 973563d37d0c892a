/** Descriptors of all operators that the marshaller accepts, with one malformed part each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NativeBinding } from '#lib/backends/directml/addon.js';
import type { Random } from '../random.js';
import { hostileProxy, revoked, throwSomething, weird } from './crash-values.js';

type Row = ReturnType<NativeBinding['operatorTable']>[number];
type Plain = Record<string, unknown>;

/** The length of every array, and so the value of every count field. */
const LENGTH = 2;
const ACTIVATION_RELU = 47;

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** By operator, the indices of the fields that count another field's elements. The addon's table does not mark them. */
const counts = new Map<unknown, readonly number[]>();
const facts: unknown = JSON.parse(readFileSync(join(__dirname, '..', '..', '..', 'lib', 'schema', 'directml.json'), 'utf8'));
for (const operator of list(isPlain(facts) ? facts['operators'] : []).filter(isPlain)) {
  const fields = list(operator['fields']).filter(isPlain);
  const counting = new Set(fields.map((field) => field['countField']));
  counts.set(
    operator['value'],
    fields.flatMap(({ name }, i) => (counting.has(name) ? [i] : [])),
  );
}

function tensor(): Plain {
  return {
    dataType: 1,
    flags: 0,
    sizes: [1, 2, 3, 4],
    strides: [24, 12, 4, 1],
    totalTensorSizeInBytes: 96,
    guaranteedBaseOffsetAlignment: 0,
  };
}

function fieldOf(kind: string, row: Row, index: number, rows: readonly Row[], depth: number): unknown {
  const activation = rows.find(({ type }) => type === ACTIVATION_RELU) ?? rows[0];
  const nested = () => (activation === undefined || depth > 1 ? null : describe(activation, rows, depth + 1));
  const times = (make: () => unknown) => Array.from({ length: LENGTH }, make);
  switch (kind) {
    case 'tensor':
      return depth > 0 ? null : tensor();
    case 'tensorArray':
      return times(tensor);
    case 'uint':
      return counts.get(row.type)?.includes(index) === true ? LENGTH : 1;
    case 'bool':
      return true;
    case 'uintArray':
    case 'intArray':
    case 'floatArray':
      return times(() => 1);
    case 'size2d':
      return { width: 1, height: 1 };
    case 'scaleBias':
      return { scale: 1, bias: 0 };
    case 'scalar':
      return new Uint8Array(8);
    case 'operator':
      return nested();
    case 'operatorArray':
      return times(nested);
    default:
      return 1;
  }
}

export function describe(row: Row, rows: readonly Row[], depth = 0): Plain {
  const fields = row.fields.map(({ name, kind }, i) => [name, fieldOf(kind, row, i, rows, depth)] as const);
  return { type: row.type, ...Object.fromEntries(fields) };
}

interface Spot {
  readonly owner: object;
  readonly key: string;
}

/** Every property of the object and of the objects in it. */
function spotsOf(value: object): Spot[] {
  return Object.keys(value).flatMap((key) => {
    const child: unknown = Reflect.get(value, key);
    const deeper = isPlain(child) && !ArrayBuffer.isView(child) ? spotsOf(child) : [];
    return [{ owner: value, key }, ...deeper];
  });
}

function getter(spot: Spot, get: () => unknown): void {
  Object.defineProperty(spot.owner, spot.key, { get, configurable: true, enumerable: true });
}

type Break = (random: Random, spot: Spot, root: object, reenter: (root: object) => void) => void;
const breaks: readonly (readonly [string, Break])[] = [
  ['a weird value', (random, { owner, key }) => Reflect.set(owner, key, weird(random))],
  [
    'a number at the edge',
    (random, { owner, key }) => {
      Reflect.set(owner, key, random.pick([-0, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, Number.MIN_VALUE]));
    },
  ],
  ['a missing field', (_, { owner, key }) => Reflect.deleteProperty(owner, key)],
  ['a getter that throws', (random, spot) => getter(spot, () => throwSomething(random))],
  [
    'a getter that calls in again',
    (random, spot, root, reenter) =>
      getter(spot, () => {
        reenter(root);
        return weird(random);
      }),
  ],
  [
    'a getter that breaks its owner',
    (random, spot) =>
      getter(spot, () => {
        for (const key of Object.keys(spot.owner)) if (key !== spot.key) Reflect.deleteProperty(spot.owner, key);
        if (Array.isArray(spot.owner)) spot.owner.length = 0;
        return weird(random);
      }),
  ],
  [
    'a revoked proxy',
    (_, { owner, key }) => {
      const value: unknown = Reflect.get(owner, key);
      Reflect.set(owner, key, revoked(isPlain(value) ? value : {}));
    },
  ],
  [
    'a hostile proxy',
    (random, { owner, key }) => {
      const value: unknown = Reflect.get(owner, key);
      Reflect.set(owner, key, hostileProxy(random, isPlain(value) ? value : {}));
    },
  ],
  [
    'a faked prototype',
    (random, { owner, key }) => {
      const value: unknown = Reflect.get(owner, key);
      if (isPlain(value)) Reflect.set(owner, key, Object.create(random.chance(0.5) ? value : Object.prototype));
      else Reflect.set(owner, key, Object.create(Number.prototype));
    },
  ],
  [
    'another length',
    (random, { owner, key }) => {
      const value: unknown = Reflect.get(owner, key);
      const array = Array.isArray(value) ? value : owner;
      if (Array.isArray(array)) array.length = random.pick([0, 1, 3, 65_536, 65_537, 2 ** 31, 4_294_967_295]);
      else Reflect.set(owner, key, 4_294_967_296);
    },
  ],
  [
    'the descriptor in itself',
    (random, { owner, key }, root) => {
      Reflect.set(owner, key, random.chance(0.5) ? root : new Array(random.pick([2, 1_000, 65_536])).fill(root));
    },
  ],
];

/** A descriptor with one malformed part, which the marshaller may accept nevertheless. */
export function brokenDescriptor(
  random: Random,
  rows: readonly Row[],
  reenter: (root: object) => void,
): { label: string; descriptor: unknown } {
  const row = random.pick(rows);
  const descriptor = describe(row, rows);
  if (random.chance(0.02)) return { label: 'a descriptor', descriptor: weird(random) };
  const [label, apply] = random.pick(breaks);
  const spot = random.pick(spotsOf(descriptor));
  apply(random, spot, descriptor, reenter);
  return { label: `${row.name} ${spot.key}: ${label}`, descriptor };
}
