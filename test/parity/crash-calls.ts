/** Calls of the native boundary with one malformed value each. All of them must be refused. */
import type { Random } from '../random.js';
import { call, hasField, identity, NO_FLAG, ranges, sampleGraph, type Boundary, type Call, type Make } from './crash-boundary.js';
import { brokenDescriptor } from './crash-descriptors.js';
import { hostileProxy, revoked, throwSomething, weird, weirdBut } from './crash-values.js';
import { ending } from './crash-endings.js';
import { graphs } from './crash-graphs.js';
import { dispatch, initialize, transfer } from './crash-work.js';

const descriptor: Make = (random, { rows, device }) => {
  const method = random.pick(['checkOperator', 'compileOperator']);
  // Sometimes until the stack overflows.
  const deepest = random.chance(0.1) ? Infinity : 50;
  let depth = 0;
  const reenter = (root: object) => {
    if (++depth > deepest) return;
    try {
      call(device, method, device, [root, NO_FLAG]);
    } catch {
      // Only the outer call's error counts.
    }
  };
  const broken = brokenDescriptor(random, rows, reenter);
  return {
    label: `${method} ${broken.label}`,
    run: () => call(device, method, device, [broken.descriptor, NO_FLAG]),
    skip: (error) => hasField(error, 'executionFlags'),
  };
};

const plainArguments: Make = (random, { device, buffer }) => {
  const [method, value] = random.pick<() => readonly [string, unknown]>([
    () => ['createBuffer', random.chance(0.05) ? 2 ** 52 : weird(random)],
    () => ['onLost', weirdBut(random, (value) => typeof value !== 'function')],
    () => ['setLabel', weirdBut(random, (value) => typeof value !== 'string')],
  ])();
  const object = method === 'setLabel' ? buffer : device;
  return { label: method, run: () => call(object, method, object, [value]) };
};

const compileArguments: Make = (random, { device }) => {
  const wrong = random.chance(0.5)
    ? [weirdBut(random, (value) => value !== 0)]
    : [0, weirdBut(random, (value) => value !== undefined)];
  const method = wrong.length === 2 ? 'compileOperator' : random.pick(['checkOperator', 'compileOperator']);
  return { label: `${method}'s other arguments`, run: () => call(device, method, device, [identity(), ...wrong]) };
};

const methodsOf = (object: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== 'constructor');

const receiver: Make = (random, { device, buffer, operator }) => {
  const natives: readonly object[] = [device, buffer, operator];
  const object = random.pick(natives);
  const method = random.pick(methodsOf(object));
  const other = random.pick(natives.filter((native) => native !== object));
  const wrong = random.pick<() => unknown>([
    () => weird(random),
    () => weird(random),
    () => other,
    () => Object.create(object),
    () => new Proxy(object, {}),
    () => Object.getPrototypeOf(object),
    () => Object.setPrototypeOf({}, object),
    () => revoked(object),
  ])();
  return { label: `${method} on another receiver`, run: () => call(object, method, wrong, [identity(), 0, 16]) };
};

const construction: Make = (random, { device, buffer, operator }) => {
  const type = Object.getPrototypeOf(random.pick<object>([device, buffer, operator])).constructor as unknown;
  if (typeof type !== 'function') throw new Error('a native class has no constructor');
  const how = random.int(0, 2);
  return {
    label: 'a constructor',
    run: () => {
      if (how === 0) return Reflect.apply(type, weird(random), [weird(random)]);
      return how === 1 ? Reflect.construct(type, [weird(random)]) : Reflect.construct(type, [], class {});
    },
  };
};

const disposed: Make = (random, at) => {
  const [object, method] = random.pick<readonly [object, string]>([
    ...[
      'createBuffer',
      'write',
      'read',
      'dispatch',
      'startProfile',
      'dispatchProfiled',
      'createFrame',
      'endProfile',
      'submit',
      'idle',
      'onLost',
      'removeForTesting',
      'checkOperator',
      'compileOperator',
      'checkGraph',
      'compileGraph',
      'initialize',
      'copy',
    ].map((name) => [at.deadDevice, name] as const),
    [at.deadBuffer, 'setLabel'],
  ]);
  const args: Readonly<Record<string, readonly unknown[]>> = {
    createBuffer: [16],
    write: [at.deadBuffer, 0, new Uint8Array(4)],
    read: [at.deadBuffer, 0, 4],
    setLabel: ['label'],
    dispatch: [at.deadOperator, ranges(at.buffer, at.target)],
    dispatchProfiled: [at.deadOperator, ranges(at.buffer, at.target)],
    createFrame: [[at.deadOperator], ranges(at.buffer, at.target)],
    onLost: [() => undefined],
    checkOperator: [identity(), 0],
    compileOperator: [identity(), 0],
    checkGraph: [sampleGraph(), 0],
    compileGraph: [sampleGraph(), 0],
    initialize: [at.deadOperator, ranges(null)],
    copy: [at.deadBuffer, 0, at.buffer, 0, 4],
  };
  return { label: `${method} of a disposed object`, run: () => call(object, method, object, args[method] ?? []) };
};

const options: Make = (random, { binding: { createDevice }, directory }) => {
  const given: Record<string, unknown> = { addonDirectory: directory };
  const key = random.pick(['luid', 'directmlPath', 'addonDirectory', 'debug', 'nothing']);
  if (key === 'debug') given[key] = weirdBut(random, (value) => value !== undefined && typeof value !== 'boolean');
  else given[key] = weirdBut(random, (value) => value !== undefined && typeof value !== 'string');
  const throws = random.chance(0.3);
  if (throws) Object.defineProperty(given, key === 'nothing' ? 'luid' : key, { get: () => throwSomething(random) });
  if (!throws && key === 'directmlPath' && random.chance(0.2)) {
    given[key] = random.pick(['Z:\\nothing\\DirectML.dll', directory, '\0']);
  }
  const others = [() => weird(random), () => revoked(given), () => hostileProxy(random, given)];
  const argument = key === 'nothing' ? random.pick(others)() : given;
  return { label: `createDevice ${key}`, run: () => Reflect.apply(createDevice, undefined, [argument]) };
};

const makers: readonly (readonly [number, Make])[] = [
  [50, descriptor],
  [35, graphs],
  [10, transfer],
  [14, dispatch],
  [4, initialize],
  [5, plainArguments],
  [4, compileArguments],
  [8, receiver],
  [2, construction],
  [2, disposed],
  [2, options],
];

export function nextCall(random: Random, at: Boundary): Call {
  if (random.chance(1 / 500)) return ending(random, at);
  let ticket = random.int(0, makers.reduce((sum, [weight]) => sum + weight, 0) - 1);
  for (const [weight, make] of makers) {
    if ((ticket -= weight) < 0) return make(random, at);
  }
  return descriptor(random, at);
}
