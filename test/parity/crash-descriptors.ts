/** Descriptors of all operators as the addon takes them, with one malformed part each. */
import type { NativeBinding } from '#lib/backends/directml/addon.js';
import { operatorTable } from '#lib/schema/generated/table.js';
import { generators, operatorTypes } from '../operators/cases.js';
import type { Random } from '../random.js';
import { hostileProxy, revoked, throwSomething, weird } from './crash-values.js';
import { asNative, encodeLoosely } from './encode.js';

type Row = ReturnType<NativeBinding['operatorTable']>[number];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The descriptor of a conformance case of the operator. */
export function describe(random: Random, { type, name }: Row): object {
  const operator = operatorTypes.find((candidate) => operatorTable[candidate].value === type);
  if (operator === undefined) throw new RangeError(`there are no cases of ${name}`);
  return asNative(encodeLoosely({ ...generators[operator](random, random.int(0, 9999)).descriptor }));
}

interface Spot {
  readonly owner: object;
  readonly key: string;
}

/** Every property of the object and of the objects in it. */
function spotsOf(value: object): Spot[] {
  return Object.keys(value).flatMap((key) => {
    const child: unknown = Reflect.get(value, key);
    const deeper = isObject(child) && !ArrayBuffer.isView(child) ? spotsOf(child) : [];
    return [{ owner: value, key }, ...deeper];
  });
}

function getter(spot: Spot, get: () => unknown): void {
  Object.defineProperty(spot.owner, spot.key, { get, configurable: true, enumerable: true });
}

type Break = (random: Random, spot: Spot, root: object, reenter: (root: object) => void) => void;

/** Something else in place of the value. `make` gets an empty object for a value that is none. */
function replaced(make: (random: Random, value: object, root: object) => unknown): Break {
  return (random, { owner, key }, root) => {
    const value: unknown = Reflect.get(owner, key);
    Reflect.set(owner, key, make(random, isObject(value) ? value : {}, root));
  };
}

const AT_THE_EDGE = [-0, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, Number.MIN_VALUE];

const breaks: readonly (readonly [string, Break])[] = [
  ['a weird value', replaced(weird)],
  ['a number at the edge', replaced((random) => random.pick(AT_THE_EDGE))],
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
  ['a revoked proxy', replaced((_, value) => revoked(value))],
  ['a hostile proxy', replaced(hostileProxy)],
  ['a faked prototype', replaced((random, value) => Object.create(random.pick([value, Object.prototype, Number.prototype])))],
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
    replaced((random, _, root) => (random.chance(0.5) ? root : new Array(random.pick([2, 1_000, 65_536])).fill(root))),
  ],
];

/** A descriptor with one malformed part, which the marshaller may accept nevertheless. A getter may `enter` it again. */
export function brokenDescriptor(
  random: Random,
  rows: readonly Row[],
  enter: (root: object) => unknown,
): { label: string; descriptor: unknown } {
  // Sometimes until the stack overflows.
  const deepest = random.chance(0.1) ? Infinity : 50;
  let depth = 0;
  const reenter = (root: object) => {
    if (++depth > deepest) return;
    try {
      enter(root);
    } catch {
      // Only the outer call's error counts.
    }
  };
  const row = random.pick(rows);
  const descriptor = describe(random, row);
  if (random.chance(0.02)) return { label: 'a descriptor', descriptor: weird(random) };
  const [label, apply] = random.pick(breaks);
  const spot = random.pick(spotsOf(descriptor));
  apply(random, spot, descriptor, reenter);
  return { label: `${row.name} ${spot.key}: ${label}`, descriptor };
}
