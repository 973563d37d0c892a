/** The words in errors for values that were given, and the form in which errors show texts of a program. */
import { describe, expect, test } from 'vitest';
import { describe as words, partAdvice, printable, shorten } from '#lib/values/given.js';
import { DirectMLError, Tensor } from 'node-directml';
import { deviceOn } from '../support/devices.js';
import { revoked } from '../../checks/malformed/objects.js';
import { fastest } from '../support/fastest.js';

const float32 = { dataType: 'float32', sizes: [2] } as const;
const negate = { type: 'elementWiseNegate', inputTensor: float32 } as const;

describe('objects of the package', () => {
  const device = deviceOn('reference');

  test('are named, also in arrays', async () => {
    const tensor = device().createTensor(float32);
    const graph = device().createGraph();
    const value = graph.input('x', float32);
    const compiled = await device().compile(negate);
    expect(words(tensor)).toBe('a tensor');
    expect(words([tensor])).toBe('an array of 1 tensor');
    expect(words([tensor, tensor])).toBe('an array of 2 tensors');
    expect(words(tensor.buffer)).toBe('a buffer');
    expect(words(device())).toBe('a device');
    expect(words(graph)).toBe('a graph');
    expect(words(value)).toBe('a value of a graph');
    expect(words([value])).toBe('an array of 1 value of a graph');
    expect(words(compiled)).toBe('a compiled operator');
    expect(words(await graph.compile({ y: graph.add({ type: 'elementWiseNegate', inputTensor: value }).outputTensor }))).toBe(
      'a compiled graph',
    );
  });

  test('are named in the objects that run and graph.add return', async () => {
    const tensor = device().createTensor(float32);
    const result = await device().run({ type: 'elementWiseNegate', inputTensor: tensor });
    const isTensor = (part: unknown) => part instanceof Tensor;
    expect([words(result), partAdvice(result, isTensor)]).toEqual([
      'an object whose outputTensor is a tensor',
      'pass its outputTensor',
    ]);
    const graph = device().createGraph();
    const added = graph.add({ type: 'elementWiseNegate', inputTensor: graph.input('x', float32) });
    expect(words(added)).toBe('an object whose outputTensor is a value of a graph');
    for (const other of [added, tensor, { tensor: {} }, [tensor], 7, null, new Float32Array(2 ** 26)]) {
      expect(partAdvice(other, isTensor)).toBeUndefined();
    }
  });
});

test.each<[text: string, given: unknown]>([
  ['an array of 3 numbers', [1, 2, 3]],
  ['an array of 1 number', [1]],
  ['an array of 2 bigints', [1n, 2n]],
  ['an array of 2 strings', ['a', 'b']],
  ['an array of 2 objects', [{}, {}]],
  ['an array of 2 elements', [1, '2']],
  ['an array of 3 elements', [1, , 3]],
  ['an array of 2 elements', [undefined, undefined]],
  ['an empty array', []],
  ['an array of 4294967295 elements', new Array(2 ** 32 - 1)],
  ['a Float32Array', new Float32Array(3)],
  ['an Int32Array', new Int32Array(3)],
  ['a BigUint64Array', new BigUint64Array(1)],
  ['a Uint8Array', new Uint8Array(1)],
  ['a Buffer of Node.js', Buffer.alloc(1)],
  ['an array of 2 Buffers of Node.js', [Buffer.alloc(1), Buffer.alloc(1)]],
  ['an object', { length: 3 }],
  ['null', null],
  ['a promise that was not awaited', Promise.resolve()],
  ['an array of 2 promises', [Promise.resolve(), Promise.resolve()]],
  ['an array of 2 arrays', [[1, 2], [3]]],
  ['an ArrayBuffer', new ArrayBuffer(1)],
  ['a SharedArrayBuffer', new SharedArrayBuffer(1)],
  ['a DataView', new DataView(new ArrayBuffer(1))],
  ['a Map', new Map()],
  ['a Set', new Set()],
  ['a date', new Date()],
  ['an error', new Error('text')],
  ['Symbol(text)', Symbol('text')],
  ['Symbol()', Symbol()],
  ['an object', { __proto__: null }],
  ['an object', { then: () => undefined }],
])('a value is called %s', (text, given) => {
  expect(words(given)).toBe(text);
});

test('no code of an array or a typed array runs', () => {
  const ran = () => {
    throw new Error('it ran');
  };
  const getters = Object.defineProperty([1, 2], 1, { get: ran });
  expect(words(getters)).toBe('an array of 2 elements');
  expect(words(new Proxy([1, 2], { get: ran, getOwnPropertyDescriptor: ran, ownKeys: ran }))).toBe('an array');
  expect(words(new Proxy({}, { get: ran, getPrototypeOf: ran }))).toBe('an object');
  expect(words(revoked([1]))).toBe('a revoked proxy');
  const named = Object.defineProperty(new Float32Array(1), Symbol.toStringTag, { get: ran });
  expect(words(named)).toBe('a Float32Array');
});

test('no code of a malformed object runs', () => {
  const ran = () => {
    throw new Error('it ran');
  };
  const traps = { get: ran, has: ran, ownKeys: ran, getOwnPropertyDescriptor: ran, getPrototypeOf: ran };
  const getter = (name: PropertyKey) => Object.defineProperty({}, name, { get: ran, enumerable: true });
  const objects = [
    new Proxy({}, traps),
    new Proxy(Promise.resolve(), traps),
    getter('outputTensor'),
    getter(Symbol.toStringTag),
    getter('then'),
    Object.setPrototypeOf({ a: 1 }, new Proxy({}, traps)),
    { toString: ran, toJSON: ran, [Symbol.toPrimitive]: ran },
  ];
  for (const object of objects) {
    expect(words(object)).toBe('an object');
    expect(words([object])).toBe('an array of 1 object');
    expect(words({ inner: object })).toBe('an object');
  }
  expect([words(revoked({})), words([revoked([])])]).toEqual(['a revoked proxy', 'an array of 1 object']);
});

describe('texts of a program', () => {
  test.each([
    ['\x1b[2J', '\\u001b[2J'],
    ['a\nb\r\tc', 'a\\nb\\r\\tc'],
    ['\x9b31m\x7f', '\\u009b31m\\u007f'],
    ['\u202egpj.exe\u2066', '\\u202egpj.exe\\u2066'],
    ['\ud800a\udfff', '\\ud800a\\udfff'],
    ['a\u2028b\u200b\ufeff', 'a\\u2028b\\u200b\\ufeff'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['\0', '\\u0000'],
  ])('%j shows %s', (text, shown) => {
    expect([printable(text), words(text), words(Symbol(text))]).toEqual([shown, `'${shown}'`, `Symbol(${shown})`]);
  });

  test.each(['größe', '尺寸', 'C:\\models\\a b.json', '😀', '{"a":[1]}', `it's`])('%s stays as it is', (text) => {
    expect([printable(text), shorten(text)]).toEqual([text, text]);
  });

  test('paths and texts of the system are shown in full; control characters other than line ends are escaped', () => {
    const message = `no file: C:\\${'x'.repeat(100)}\x1b[2J\n- look for it`;
    const shown = `no file: C:\\${'x'.repeat(100)}\\u001b[2J\n- look for it`;
    expect(new DirectMLError('ERR_ADDON_NOT_FOUND', message).message).toBe(shown);
  });

  test('long texts are shortened, but never within a character or an escape', () => {
    expect(shorten('x'.repeat(60))).toBe('x'.repeat(60));
    expect(shorten('x'.repeat(61))).toBe(`${'x'.repeat(57)}...`);
    expect(shorten('\x1b'.repeat(1000))).toBe(`${'\\u001b'.repeat(9)}...`);
    expect(shorten(`${'x'.repeat(56)}${'😀'.repeat(9)}`)).toBe(`${'x'.repeat(56)}...`);
    expect(shorten(`${'x'.repeat(61)}😀`)).toBe(`${'x'.repeat(57)}...`);
    const long = Buffer.alloc(2 ** 24, 0x1b).toString('latin1');
    expect(shorten(long).length).toBeLessThanOrEqual(60);
    expect(fastest(() => shorten(long))).toBeLessThan(50);
  });
});
