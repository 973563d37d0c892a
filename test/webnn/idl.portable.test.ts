/** The corners of Web IDL: bigints as numbers, ranges, strings, sequences, records, and all kinds of buffers. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createML, MLGraphBuilder, MLOperand, type MLContext } from 'node-directml/webnn';

const ml = createML({ backend: 'reference' });
const desc = { dataType: 'float32', shape: [2] } as const;
type Call = (...args: unknown[]) => unknown;

let context: MLContext;
let builder: MLGraphBuilder;
let x: MLOperand;

beforeAll(async () => {
  context = await ml.createContext();
  builder = new MLGraphBuilder(context);
  x = builder.input('x', { dataType: 'float32', shape: [1, 1, 4, 4] });
});

/** Returns the method without its types, so that tests can pass wrong arguments. */
function untyped(object: object, name: string): Call {
  const method: unknown = Reflect.get(object, name);
  if (typeof method !== 'function') throw new TypeError(`there is no ${name}`);
  return (...args) => Reflect.apply(method, object, args) as unknown;
}

const operator = (name: string) => untyped(builder, name);
// Operators return operands; the getter throws for anything else.
const dimensions = (operand: unknown) => (operand as MLOperand).shape;

describe('numbers', () => {
  test('MLNumber is a bigint or any double', async () => {
    const given = [5n, 5, '5', 5.4, true, { valueOf: () => 5n }, new Date(5), null, undefined, '', NaN, -Infinity];
    const outputs = given.map((value) => operator('constant')('int64', value));
    const one = new MLGraphBuilder(context);
    const made = given.map((value) => one.identity(untyped(one, 'constant')('int64', value) as MLOperand));
    expect(outputs.map(dimensions)).toEqual(given.map(() => []));
    const graph = await one.build(Object.fromEntries(made.map((operand, i) => [`y${i}`, operand])));
    const tensors = await Promise.all(given.map(() => context.createTensor({ dataType: 'int64', shape: [], readable: true })));
    context.dispatch(graph, {}, Object.fromEntries(tensors.map((tensor, i) => [`y${i}`, tensor])));
    const read = await Promise.all(tensors.map(async (tensor) => new BigInt64Array(await context.readTensor(tensor))[0]));
    expect(read).toEqual([5n, 5n, 5n, 5n, 1n, 5n, 5n, 0n, 0n, 0n, 0n, -(2n ** 63n)]);
    for (const wrong of [Symbol('5'), { valueOf: () => Symbol('5') }]) {
      expect(() => operator('constant')('int64', wrong)).toThrow(TypeError);
    }
  });

  test('a double must be finite and cannot be a bigint', () => {
    for (const wrong of [NaN, Infinity, -Infinity, 1n, Symbol('1'), 'one', {}, { valueOf: () => 1n }]) {
      expect(() => operator('elu')(x, { alpha: wrong })).toThrow('alpha');
    }
    for (const right of [0, -1.5, '2', true, null, [3]])
      expect(dimensions(operator('elu')(x, { alpha: right }))).toEqual(x.shape);
    // These are the only options of the IDL type float. They must also be finite as 32-bit floats.
    for (const wrong of [1e39, -1e39]) expect(() => operator('resample2d')(x, { scales: [1, wrong] })).toThrow('scales[1]');
  });

  test('arguments with [EnforceRange] refuse numbers that would otherwise wrap around', () => {
    for (const wrong of [-1, 2 ** 32, NaN, Infinity, 'x', 0n, Symbol('1')]) {
      expect(() => operator('concat')([x], wrong)).toThrow(`parameter 2 ('axis')`);
    }
    for (const right of [1, 1.9, '1', true, [1], -0.9, null]) {
      expect(dimensions(operator('concat')([x], right))).toEqual(x.shape);
    }
    // cumulativeSum's axis has no [EnforceRange].
    expect(dimensions(operator('cumulativeSum')(x, 2 ** 32 + 1))).toEqual(x.shape);
    expect(dimensions(operator('cumulativeSum')(x, NaN))).toEqual(x.shape);
    expect(() => operator('cumulativeSum')(x, -1)).toThrow('cumulativeSum');
  });
});

describe('values that cannot be converted to a number or a string', () => {
  const throwing = {
    toString: () => {
      throw new RangeError('own');
    },
  };
  const strange: readonly (readonly [string, unknown])[] = [
    ['a symbol', Symbol('s')],
    ['an object that becomes a symbol', { [Symbol.toPrimitive]: () => Symbol('s') }],
    ['an object whose methods give symbols', { toString: () => Symbol('s'), valueOf: () => Symbol('s') }],
    ['an object without a prototype', Object.create(null)],
    ['an object that becomes objects', { toString: () => ({}), valueOf: () => ({}) }],
    ['a wrong Symbol.toPrimitive', { [Symbol.toPrimitive]: 1 }],
  ];

  test.each(strange)('%s: the error names the argument', (_what, value) => {
    expect(() => operator('input')(value, desc)).toThrow(`parameter 1 ('name')`);
    expect(() => operator('input')('y', { ...desc, dataType: value })).toThrow('dataType');
    expect(() => operator('input')('y', { ...desc, shape: [1, value] })).toThrow('shape[1]');
    expect(() => operator('relu')(x, { label: value })).toThrow('label');
    expect(() => operator('elu')(x, { alpha: value })).toThrow('alpha');
    expect(() => operator('clamp')(x, { minValue: value })).toThrow('minValue');
    expect(() => operator('cast')(x, value)).toThrow('parameter 2');
  });

  test('an error that their methods throw is passed on', () => {
    expect(() => operator('relu')(x, { label: throwing })).toThrow(new RangeError('own'));
    expect(() => operator('cast')(x, throwing)).toThrow(new RangeError('own'));
  });

  test('their methods are called in the order that JavaScript defines', () => {
    const label = { [Symbol.toPrimitive]: (hint: string) => hint, toString: () => 'other' };
    expect(() => operator('softmax')(x, 4, { label })).toThrow('softmax [string]');
    expect(() => operator('softmax')(x, 4, { label: { toString: null, valueOf: () => 7 } })).toThrow('softmax [7]');
    expect(dimensions(operator('elu')(x, { alpha: { valueOf: () => ({}), toString: () => '2' } }))).toEqual(x.shape);
  });
});

describe('objects', () => {
  test('options may be null, undefined or any object, and getters are called once, in the order of their names', () => {
    expect(dimensions(operator('elu')(x, null))).toEqual(x.shape);
    expect(dimensions(operator('elu')(x, () => undefined))).toEqual(x.shape);
    for (const wrong of [1, 'alpha', Symbol('alpha'), 1n]) expect(() => operator('elu')(x, wrong)).toThrow(TypeError);
    const seen: PropertyKey[] = [];
    const options = new Proxy({}, { get: (_, name) => void seen.push(name) });
    operator('averagePool2d')(x, options);
    expect(seen).toEqual([
      'label',
      ...['dilations', 'layout', 'outputShapeRounding', 'outputSizes', 'padding', 'roundingType', 'strides', 'windowDimensions'],
    ]);
  });

  test('sequences are any iterable objects', () => {
    const list = function* () {
      yield* [4, 4];
    };
    for (const right of [list(), new Set([16, 1]), Uint8Array.of(2, 8), [new Date(16)], new Map([[16, 1]]).keys()]) {
      expect(dimensions(operator('reshape')(x, right)).reduce((a, b) => a * b)).toBe(16);
    }
    for (const wrong of [
      '16',
      { length: 1, 0: 16 },
      null,
      undefined,
      16,
      { [Symbol.iterator]: null },
      { [Symbol.iterator]: 1 },
    ]) {
      expect(() => operator('reshape')(x, wrong)).toThrow(TypeError);
    }
    expect(() => operator('concat')([x, {}], 0)).toThrow(`parameter 1 ('inputs')[1]`);
    expect(() => operator('concat')([x, x], 9)).toThrow('concat');
  });

  test('records have their own enumerable string keys, in order', async () => {
    const own = new MLGraphBuilder(context);
    const y = own.relu(own.input('x', desc));
    const named = Object.create({ inherited: 1 }, { hidden: { value: 1 }, y: { value: y, enumerable: true } });
    await expect(untyped(own, 'build')({ [Symbol('y')]: y })).rejects.toThrow(TypeError);
    for (const wrong of [null, undefined, 1, 'y', [1]]) await expect(untyped(own, 'build')(wrong)).rejects.toThrow(TypeError);
    await expect(untyped(own, 'build')(named)).resolves.toBeInstanceOf(Object);
    const ordered = new MLGraphBuilder(context);
    const reads: string[] = [];
    const noOperand = (name: string) => ({ enumerable: true, get: () => (reads.push(name), name === '1' ? y : 0) });
    const several = Object.defineProperties({}, { b: noOperand('b'), a: noOperand('a'), 1: noOperand('1') });
    // Integer keys come first in every object. The conversion ends at the first value that is no operand.
    await expect(untyped(ordered, 'build')(several)).rejects.toThrow(`['b']`);
    expect(reads).toEqual(['1', 'b']);
  });

  test('objects that only look like an operand are refused', () => {
    for (const wrong of [{}, Object.create(MLOperand.prototype), { dataType: 'float32', shape: [2] }, null, undefined, 1]) {
      expect(() => operator('relu')(wrong)).toThrow(`parameter 1 ('input') is not of type 'MLOperand'`);
    }
    // A proxy of an operand has no brand.
    expect(() => operator('relu')(new Proxy(x, {}))).toThrow(TypeError);
  });
});

describe('labels', () => {
  /** Wrong uses of operators of every family. */
  const wrong: Readonly<Record<string, (options: object) => unknown>> = {
    add: (options) => operator('add')(x, builder.constant('int32', 1), options),
    argMax: (options) => operator('argMax')(x, 4, options),
    batchNormalization: (options) => operator('batchNormalization')(x, x, x, options),
    cast: (options) => operator('cast')(builder.input('q', { dataType: 'int4', shape: [2] }), 'int8', options),
    clamp: (options) => operator('clamp')(x, { minValue: 2, maxValue: 1, ...options }),
    concat: (options) => operator('concat')([x, x], 4, options),
    conv2d: (options) => operator('conv2d')(x, x, { strides: [0, 1], ...options }),
    expand: (options) => operator('expand')(x, [3], options),
    gather: (options) => operator('gather')(x, x, options),
    gru: (options) => operator('gru')(x, x, x, 1, 1, options),
    layerNormalization: (options) => operator('layerNormalization')(x, { axes: [0, 0], ...options }),
    lstmCell: (options) => operator('lstmCell')(x, x, x, x, x, 1, options),
    matmul: (options) => operator('matmul')(x, builder.constant('float32', 1), options),
    pad: (options) => operator('pad')(x, [1], [1], options),
    quantizeLinear: (options) => operator('quantizeLinear')(x, x, x, options),
    reduceSum: (options) => operator('reduceSum')(x, { axes: [7], ...options }),
    relu: (options) => operator('relu')(new MLGraphBuilder(context).input('y', desc), options),
    resample2d: (options) => operator('resample2d')(x, { axes: [2, 9], ...options }),
    scatterND: (options) => operator('scatterND')(x, x, x, options),
    slice: (options) => operator('slice')(x, [0], [1], options),
    split: (options) => operator('split')(x, 3, options),
    transpose: (options) => operator('transpose')(x, { permutation: [0, 0, 1, 2], ...options }),
    where: (options) => operator('where')(x, x, x, options),
  };

  test.each(Object.keys(wrong))('an error of %s has the label', (name) => {
    expect(() => wrong[name]?.({ label: 'the head' })).toThrow(`${name} [the head]: `);
    expect(() => wrong[name]?.({})).toThrow(`${name}: `);
  });

  test('labels are strings of Unicode', () => {
    expect(() => operator('softmax')(x, 4, { label: 'a\uD800b' })).toThrow('softmax [a\uFFFDb]');
    expect(() => operator('softmax')(x, 4, { label: 12 })).toThrow('softmax [12]');
    expect(() => operator('softmax')(x, 4, { label: null })).toThrow('softmax [null]');
    expect(() => operator('softmax')(x, 4, { label: Symbol('s') })).toThrow('symbol');
  });
});

describe('buffers', () => {
  const numbers = Float32Array.of(1, 2);

  /** All calls that take a buffer: for constants, constant tensors and writes, and as the target of a read. */
  function everyUse(data: unknown): readonly (() => Promise<unknown>)[] {
    const calls = [
      () => operator('constant')(desc, data),
      () => untyped(context, 'createConstantTensor')(desc, data),
      async () => untyped(context, 'writeTensor')(await context.createTensor({ ...desc, writable: true }), data),
      async () => untyped(context, 'readTensor')(await context.createTensor({ ...desc, readable: true }), data),
    ];
    return calls.map((call) => async () => call());
  }

  test('accept views and buffers, shared or not', async () => {
    const shared = new SharedArrayBuffer(16);
    const rights = [numbers, numbers.buffer, new Uint8Array(8), shared.slice(0, 8), new Float32Array(shared, 8, 2)];
    for (const right of rights) for (const use of everyUse(right)) await expect(use()).resolves.not.toBeNull();
    const read = new Float32Array(shared, 8);
    const tensor = await context.createTensor({ ...desc, readable: true, writable: true });
    context.writeTensor(tensor, Float32Array.of(1, 2));
    await context.readTensor(tensor, read);
    expect([...new Float32Array(shared)]).toEqual([0, 0, 1, 2]);
  });

  test('must have the length of the tensor; the target of a read may be longer', async () => {
    const calls = (data: unknown) => everyUse(data).map((use) => use());
    for (const length of [4, 7, 9, 12]) {
      const [constant, constantTensor, write, read] = calls(new Uint8Array(length));
      for (const call of [constant, constantTensor, write]) {
        await expect(call).rejects.toThrow(`has ${length} bytes, not 8`);
      }
      // Only the target of a read may be longer.
      if (length > 8) await expect(read).resolves.toBeUndefined();
      else await expect(read).rejects.toThrow(`has ${length} bytes, not 8`);
    }
  });

  test('a write copies the data before it returns', async () => {
    const tensor = await context.createTensor({ ...desc, readable: true, writable: true });
    const data = new Float32Array(new SharedArrayBuffer(8));
    data.set([3, 4]);
    context.writeTensor(tensor, data);
    data.fill(0);
    expect([...new Float32Array(await context.readTensor(tensor))]).toEqual([3, 4]);
  });

  test('buffers that can change their length are refused', async () => {
    const resizable = Reflect.construct(ArrayBuffer, [8, { maxByteLength: 16 }]) as ArrayBuffer;
    const growable = Reflect.construct(SharedArrayBuffer, [8, { maxByteLength: 16 }]) as SharedArrayBuffer;
    for (const wrong of [resizable, new Float32Array(resizable), growable, new Float32Array(growable, 0, 2)]) {
      for (const use of everyUse(wrong)) await expect(use()).rejects.toThrow('length that can change');
    }
  });

  test('other values are refused', async () => {
    for (const wrong of [[1, 2], 8, null, undefined, 'bytes', {}, Object.create(Float32Array.prototype)]) {
      for (const use of everyUse(wrong).slice(1, 3)) await expect(use()).rejects.toThrow(TypeError);
    }
    expect(() => operator('constant')(desc, [1, 2])).toThrow(TypeError);
    for (const wrong of [[1, 2], {}, 'bytes']) await expect(everyUse(wrong)[3]?.()).rejects.toThrow(TypeError);
  });

  test('detached buffers are refused, even if they are detached during a read', async () => {
    const detached = Float32Array.of(1, 2);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    for (const wrong of [detached, detached.buffer, new DataView(new ArrayBuffer(8), 4)]) {
      for (const use of everyUse(wrong)) await expect(use()).rejects.toThrow(TypeError);
    }
    const tensor = await context.createTensor({ ...desc, readable: true });
    const into = new Float32Array(2);
    const reading = context.readTensor(tensor, into);
    structuredClone(into.buffer, { transfer: [into.buffer] });
    await expect(reading).rejects.toThrow('outputData was detached');
  });
});

describe('promises', () => {
  test('lost is always the same promise, and stays pending until the context is destroyed', async () => {
    const other = await ml.createContext();
    expect(other.lost).toBe(other.lost);
    expect(await Promise.race([other.lost, Promise.resolve('open')])).toBe('open');
    other.destroy();
    other.destroy();
    expect(Object.keys(await other.lost)).toEqual(['message']);
  });

  test('a builder builds once; a call with invalid outputs does not count', async () => {
    const own = new MLGraphBuilder(context);
    const input = own.input('x', desc);
    await expect(own.build({})).rejects.toThrow(TypeError);
    const y = own.relu(input);
    const building = own.build({ y });
    await expect(own.build({ y })).rejects.toMatchObject({ name: 'InvalidStateError' });
    expect(() => own.relu(y)).toThrow(expect.objectContaining({ name: 'InvalidStateError' }));
    await expect(building).resolves.toBeInstanceOf(Object);
  });
});
