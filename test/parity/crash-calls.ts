/** Calls of the native boundary with one malformed value each. All of them must be refused. */
import type { Random } from '../random.js';
import { call, isForFlag, marshal, type Boundary, type Call, type Make } from './crash-boundary.js';
import { brokenDescriptor } from './crash-descriptors.js';
import { ending } from './crash-endings.js';
import { graphs } from './crash-graphs.js';
import { disguised, hostileProxy, revoked, throwing, weird, weirdBut } from './crash-values.js';
import { argumentsOf, type Argument } from './crash-work.js';

const descriptor: Make = (random, { rows, device }) => {
  const method = random.pick(['checkOperator', 'compileOperator']);
  const broken = brokenDescriptor(random, rows, (root) => marshal(device, method, root));
  return { label: `${method} ${broken.label}`, run: () => marshal(device, method, broken.descriptor), skip: isForFlag };
};

/** The right arguments of a method with one of them replaced. */
const argument: Make = (random, at) => {
  const [method, all] = random.pick(Object.entries(argumentsOf(random, at)).filter(([, { length }]) => length > 0));
  const position = random.int(0, all.length - 1);
  const given = all.map(([right, wrong], i) => (i === position ? wrong() : right));
  const object = method === 'setLabel' ? at.buffer : at.device;
  return { label: `argument ${position} of ${method}`, run: () => call(object, method, object, given) };
};

const disposed: Make = (random, at) => {
  const [method, all] = random.pick(Object.entries(argumentsOf(random, at)));
  const object = method === 'setLabel' ? at.deadBuffer : at.deadDevice;
  return { label: `${method} of a disposed object`, run: () => call(object, method, object, right(all)) };
};

const right = (all: readonly Argument[]): unknown[] => all.map(([given]) => given);

const methodsOf = (object: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== 'constructor');

const receiver: Make = (random, at) => {
  const natives: readonly object[] = [at.device, at.buffer, at.operator];
  const object = random.pick(natives);
  const method = random.pick(methodsOf(object));
  const other = random.pick(natives.filter((native) => native !== object));
  const wrong = random.pick<() => unknown>([
    () => weird(random),
    () => weird(random),
    () => other,
    () => disguised(random, object),
    () => disguised(random, object),
    () => Object.getPrototypeOf(object),
    () => Object.setPrototypeOf({}, object),
  ])();
  const given = right(argumentsOf(random, at)[method] ?? []);
  return { label: `${method} on another receiver`, run: () => call(object, method, wrong, given) };
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

const options: Make = (random, { binding: { createDevice }, directory }) => {
  const given: Record<string, unknown> = { addonDirectory: directory };
  const key = random.pick(['luid', 'directmlPath', 'addonDirectory', 'debug', 'nothing']);
  const type = key === 'debug' ? 'boolean' : 'string';
  given[key] = weirdBut(random, (value) => value !== undefined && typeof value !== type);
  const throws = random.chance(0.3);
  if (throws) Object.defineProperty(given, key === 'nothing' ? 'luid' : key, throwing(random));
  if (!throws && key === 'directmlPath' && random.chance(0.2)) {
    given[key] = random.pick(['Z:\\nothing\\DirectML.dll', directory, '\0']);
  }
  const others = [() => weird(random), () => revoked(given), () => hostileProxy(random, given)];
  const only = key === 'nothing' ? random.pick(others)() : given;
  return { label: `createDevice ${key}`, run: () => Reflect.apply(createDevice, undefined, [only]) };
};

const makers: readonly (readonly [number, Make])[] = [
  [50, descriptor],
  [35, graphs],
  [37, argument],
  [8, receiver],
  [2, construction],
  [2, disposed],
  [2, options],
];

const tickets = makers.flatMap(([weight, make]) => new Array<Make>(weight).fill(make));

export function nextCall(random: Random, at: Boundary): Call {
  return (random.chance(1 / 500) ? ending : random.pick(tickets))(random, at);
}
