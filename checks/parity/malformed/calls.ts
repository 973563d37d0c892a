/** Calls of the native boundary with one malformed value each. All of them must be refused. */
import { malformedArguments, onRead } from '../../malformed/arguments.js';
import { disguised, throwingProxy, revoked, throwSomething, malformedValue, malformedValueBut } from '../../malformed/values.js';
import type { Random } from '../../harness/random.js';
import { argumentsOf, describe, mistakesOf, ownerOf } from './arguments.js';
import { call, NO_FLAG, sampleGraph, type Boundary, type Call, type Make } from './boundary.js';
import { ending } from './endings.js';
import { edges } from './graphs.js';

/** Makes a call with one malformed part in its arguments. `complete` adds the arguments that stay valid. */
function malformedCall(
  random: Random,
  at: Boundary,
  method: string,
  right: readonly unknown[],
  complete = (args: readonly unknown[]): unknown[] => [...args],
): Call {
  const object = ownerOf(at, method);
  const run = () => call(object, method, object, given);
  const again = onRead('calls in again', reentering(random, run));
  const isOfOperator = right.length > 0 && 'type' in Object(right[0]);
  const inDescriptor = isOfOperator ? /^0\./ : /^0\.operators\.\d+\./;
  const { args, path, label, mayPass } = malformedArguments(random, right, (spot) => [...mistakesOf(at, method, spot), again]);
  const given = complete(args);
  // The fields of an operator accept many values, so a changed one may be well-formed.
  const may = mayPass || inDescriptor.test(path);
  if (may && /^(compile|check)/.test(method)) given[1] = NO_FLAG;
  return { label: `${method} ${label}`, run, mayPass: may };
}

/** Repeats the call from inside itself, sometimes until the stack overflows. */
function reentering(random: Random, run: () => unknown) {
  const deepest = random.chance(0.1) ? Infinity : 50;
  let depth = 0;
  return () => {
    if (++depth > deepest) return;
    try {
      Promise.resolve(run()).catch(() => undefined);
    } catch {
      // Only the outer call's error counts.
    }
  };
}

const descriptor: Make = (random, at) => {
  const method = random.pick(['checkOperator', 'compileOperator']);
  return malformedCall(random, at, method, [describe(random, random.pick(at.rows).type)], ([operator]) => [operator, 0]);
};

/** A malformed descriptor of any operator in a graph. */
const node: Make = (random, at) => {
  const method = random.pick(['checkGraph', 'compileGraph']);
  const graph = { ...sampleGraph(), nodes: Uint32Array.of(0, 0) };
  const before = random.chance(0.5) ? [] : graph.operators;
  const complete = ([operator]: readonly unknown[]) => [{ ...graph, operators: [...before, operator] }, 0];
  return malformedCall(random, at, method, [describe(random, random.pick(at.rows).type)], complete);
};

const argumentOf =
  (names: RegExp): Make =>
  (random, at) => {
    const methods = Object.entries(argumentsOf(random, at)).filter(([name, { length }]) => length > 0 && names.test(name));
    return malformedCall(random, at, ...random.pick(methods));
  };

const disposed: Make = (random, at) => {
  const [method, given] = random.pick(Object.entries(argumentsOf(random, at)).filter(([name]) => !(name in at.binding)));
  const object = method === 'setLabel' ? at.deadBuffer : at.deadDevice;
  return { label: `${method} of a disposed object`, run: () => call(object, method, object, given) };
};

const methodsOf = (object: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== 'constructor');

const receiver: Make = (random, at) => {
  const natives: readonly object[] = [at.device, at.buffer, at.operator];
  const object = random.pick(natives);
  const method = random.pick(methodsOf(object));
  const other = random.pick(natives.filter((native) => native !== object));
  const wrong = random.pick<() => unknown>([
    () => malformedValue(random),
    () => malformedValue(random),
    () => other,
    () => disguised(random, object),
    () => disguised(random, object),
    () => Object.getPrototypeOf(object),
    () => Object.setPrototypeOf({}, object),
  ])();
  const given = argumentsOf(random, at)[method] ?? [];
  return { label: `${method} on another receiver`, run: () => call(object, method, wrong, given) };
};

const construction: Make = (random, { device, buffer, operator }) => {
  const type = Object.getPrototypeOf(random.pick<object>([device, buffer, operator])).constructor as unknown;
  if (typeof type !== 'function') throw new Error('a native class has no constructor');
  const how = random.int(0, 2);
  return {
    label: 'a constructor',
    run: () => {
      if (how === 0) return Reflect.apply(type, malformedValue(random), [malformedValue(random)]);
      return how === 1 ? Reflect.construct(type, [malformedValue(random)]) : Reflect.construct(type, [], class {});
    },
  };
};

const options: Make = (random, { binding: { createDevice }, directory }) => {
  const right = { addonDirectory: directory };
  const key = random.pick(['luid', 'directmlPath', 'addonDirectory', 'debug']);
  const type = key === 'debug' ? 'boolean' : 'string';
  const wrong = () => ({ ...right, [key]: malformedValueBut(random, (value) => value !== undefined && typeof value !== type) });
  const given = random.pick<() => unknown>([
    wrong,
    wrong,
    wrong,
    () => ({ ...right, directmlPath: random.pick(['Z:\\nothing\\DirectML.dll', directory, '\0']) }),
    () => Object.defineProperty({ ...right }, key, { get: () => throwSomething(random) }),
    () => malformedValue(random),
    () => revoked(right),
    () => throwingProxy(random, right),
  ])();
  return { label: `createDevice ${key}`, run: () => Reflect.apply(createDevice, undefined, [given]) };
};

const makers: readonly (readonly [number, Make])[] = [
  [50, descriptor],
  [12, argumentOf(/Graph$/)],
  [17, edges],
  [6, node],
  [37, argumentOf(/./)],
  [8, receiver],
  [2, construction],
  [2, disposed],
  [2, options],
];

const tickets = makers.flatMap(([weight, make]) => new Array<Make>(weight).fill(make));

export function nextCall(random: Random, at: Boundary): Call {
  return (random.chance(1 / 500) ? ending : random.pick(tickets))(random, at);
}
