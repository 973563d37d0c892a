/** Malformed graphs give typed errors, and read only properties that are meant for them, on each backend. */
import { describe, expect, test } from 'vitest';
import { createDevice, Value, type Graph, type GraphDescriptor, type Tensor } from 'node-directml';
import { backends, deviceOn } from '../support/devices.js';
import { caught, gist, rejected } from '../support/errors.js';
import { bare, counted, inherited, polluted, revoked, throwing, thrown, untyped } from '../../checks/malformed/objects.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const numbers = async (tensor: Tensor | undefined) => Array.from((await tensor?.read()) ?? [], Number);
const negate = (graph: Graph, inputTensor: Value, name?: string) =>
  graph.add({ type: 'elementWiseNegate', inputTensor }, name === undefined ? {} : { name }).outputTensor;

/** A descriptor with a part of each kind. */
function complete() {
  return {
    inputs: { x: float32(2) },
    constants: { w: { ...float32(2), data: 'AACAPwAAAEA=' } },
    nodes: {
      clip: { type: 'elementWiseClip', inputTensor: 'x', min: '-Infinity', max: 3, scaleBias: { scale: 2, bias: '-0' } },
      sum: { type: 'elementWiseAdd', aTensor: 'clip.outputTensor', bTensor: { value: 'w', sizes: [2] } },
    },
    outputs: { y: 'sum.outputTensor' },
  } as const;
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const compiled = async (descriptor: unknown, options?: object) =>
    device().compileGraph(untyped<GraphDescriptor>(descriptor), options);
  const refused = async (descriptor: unknown, options?: object) => gist(await rejected(compiled(descriptor, options)));

  async function run(descriptor: unknown) {
    const net = await compiled(descriptor);
    return numbers((await net.run({ x: device().createTensor(float32(2), [1, 4]) }))['y']);
  }

  test('reads each property once', async () => {
    const { inputs, constants, nodes, outputs } = complete();
    const seen: ReadonlyMap<PropertyKey, number>[] = [];
    const once = <T extends object>(object: T): T => {
      const { proxy, reads } = counted(object);
      seen.push(reads);
      return proxy;
    };
    const clip = once({ ...nodes.clip, scaleBias: once({ ...nodes.clip.scaleBias }) });
    const sum = once({ ...nodes.sum, bTensor: once({ ...nodes.sum.bTensor, sizes: once([2]) }) });
    const descriptor = {
      inputs: once({ x: once({ dataType: 'float32', sizes: once([2]) }) }),
      constants: once({ w: once({ ...constants.w, sizes: once([2]) }) }),
      nodes: once({ clip, sum }),
      outputs: once({ ...outputs }),
    };
    expect(await run(once(descriptor))).toEqual(await run({ inputs, constants, nodes, outputs }));
    for (const reads of seen) for (const [name, count] of reads) expect([name, count]).toEqual([name, 1]);
  });

  test('takes objects without a prototype, and refuses inherited properties', async () => {
    const { inputs, constants, nodes, outputs } = complete();
    const { clip, sum } = nodes;
    const expected = await run(complete());
    const bareClip = bare({ ...clip, scaleBias: bare({ ...clip.scaleBias }) });
    const parts = {
      inputs: bare(inputs),
      constants: bare({ w: bare(constants.w) }),
      nodes: bare({ clip: bareClip, sum }),
      outputs,
    };
    expect(await run(bare(parts))).toEqual(expected);
    expect(await refused(inherited(complete()))).toEqual(['ERR_INVALID_DESCRIPTOR', 'inputs']);
    const node = async (change: object) => refused({ ...complete(), nodes: { clip, sum, ...change } });
    expect(await node({ clip: inherited(clip) })).toEqual(['ERR_INVALID_DESCRIPTOR', 'nodes.clip.type']);
    const { scaleBias, ...others } = clip;
    expect(await node({ clip: Object.assign(Object.create({ scaleBias }), others) })).toEqual([
      'ERR_INVALID_DESCRIPTOR',
      'nodes.clip.scaleBias',
    ]);
    expect(await node({ clip: { ...clip, scaleBias: inherited(scaleBias) } })).toEqual([
      'ERR_INVALID_DESCRIPTOR',
      'nodes.clip.scaleBias.scale',
    ]);
    expect(await node({ sum: { ...sum, bTensor: inherited(sum.bTensor) } })).toEqual([
      'ERR_INVALID_DESCRIPTOR',
      'nodes.sum.bTensor.value',
    ]);
    const w = { data: constants.w.data };
    expect(await refused({ ...complete(), constants: { w: Object.assign(Object.create(float32(2)), w) } })).toEqual([
      'ERR_INVALID_DESCRIPTOR',
      'constants.w.dataType',
    ]);
    expect(await refused({ ...complete(), constants: { w: Object.assign(Object.create(w), float32(2)) } })).toEqual([
      'ERR_INVALID_DESCRIPTOR',
      'constants.w.data',
    ]);
  });

  test.each([
    { inputs: { z: float32(1) }, constants: {}, nodes: {}, outputs: {} },
    { data: 'AAAA', value: 'x', sizes: [1], strides: [0], name: 'x', flags: 'ownedByDml', totalTensorSizeInBytes: 1 },
    { type: 'cast', inputTensor: 'x', aTensor: 'x', scaleBias: 7, min: 0, axis: 0, role: 'input', kind: 'float', counts: ['x'] },
    { disableMetacommands: 7, expected: {}, given: {}, operator: {}, field: {}, why: 'x', '-1': {}, node: {}, output: 7 },
  ])('takes nothing from Object.prototype: %j', async (properties) => {
    const results = async () => {
      const graph = device().createGraph();
      const x = graph.input('x', { dataType: 'float32', sizes: [2] });
      const y = negate(graph, graph.add({ type: 'elementWiseIdentity', inputTensor: x }, {}).outputTensor);
      const made = graph.toDescriptor({ y, z: x.reshape([1, 2]) });
      const net = await graph.compile({ y }, {});
      const own = await numbers((await net.run({ x: device().createTensor({ dataType: 'float32', sizes: [2] }, [1, 4]) })).y);
      return [await run(complete()), JSON.stringify(made), own];
    };
    const expected = await results();
    // What runs before the first `await` of a call sees the properties.
    expect(await polluted(properties, results)).toEqual(expected);
    const { inputTensor: _, ...rest } = complete().nodes.clip;
    const missing = await polluted(properties, async () =>
      refused({ ...complete(), nodes: { ...complete().nodes, clip: rest } }),
    );
    expect(missing).toEqual(['ERR_MISSING_FIELD', 'nodes.clip.inputTensor']);
  });

  test('calls no setters of Object.prototype', async () => {
    const called: string[] = [];
    const names = ['outputTensor', 'type', 'inputTensor', 'x', 'y', 'clip', 'min', 'data'];
    try {
      for (const name of names) {
        Object.defineProperty(Object.prototype, name, { configurable: true, get: () => undefined, set: () => called.push(name) });
      }
      const graph = device().createGraph();
      const y = negate(graph, graph.constant(float32(1), [1]));
      graph.toDescriptor({ y });
      await compiled(JSON.parse(JSON.stringify(complete())));
    } finally {
      for (const name of names) Reflect.deleteProperty(Object.prototype, name);
    }
    expect(called).toEqual([]);
  });

  test('refuses getters that throw and revoked proxies anywhere in a descriptor', async () => {
    const seen = new Set<string>();
    /** Yields the object with each of its parts, in turn, replaced by a revoked proxy or a getter that throws. */
    function* variants(object: object, path: string): Generator<readonly [variant: object, path: string]> {
      yield [revoked(object), path];
      for (const name of Object.keys(object)) {
        const inner: unknown = Reflect.get(object, name);
        const copy = () => (Array.isArray(object) ? [...object] : { ...object });
        yield [throwing(copy(), untyped(name)), `${path}.${name}`];
        if (typeof inner !== 'object' || inner === null) continue;
        for (const [variant, at] of variants(inner, `${path}.${name}`)) yield [Object.assign(copy(), { [name]: variant }), at];
      }
    }
    for (const [variant, path] of variants(complete(), '')) {
      const error = await rejected(compiled(variant));
      expect([path, error.code]).toEqual([path, 'ERR_INVALID_DESCRIPTOR']);
      seen.add(path);
      if (error.cause instanceof Error && error.cause === thrown) expect(`.${error.field ?? ''}`).toBe(path.replace('.0', '[0]'));
    }
    expect(seen.size).toBe(30);
  });

  test('refuses cyclic, very deep and very wide structures', async () => {
    const cyclic: Record<string, unknown> = { type: 'activationRelu' };
    cyclic['alpha'] = cyclic;
    let deep: unknown = 1;
    let wide: unknown = 1;
    for (let i = 0; i < 20_000; i++) deep = i % 2 === 0 ? [deep] : { type: 'activationElu', alpha: deep };
    for (let i = 0; i < 64; i++) wide = i % 2 === 0 ? [wide, wide] : { scale: wide, bias: wide };
    const gemm = { type: 'gemm', aTensor: 'x', bTensor: 'x', transB: 'transpose', fusedActivation: { type: 'activationElu' } };
    const good: GraphDescriptor = {
      inputs: { x: float32(2, 2) },
      nodes: { gemm: untyped(gemm) },
      outputs: { y: 'gemm.outputTensor' },
    };
    await expect(compiled(good)).resolves.toBeDefined();
    for (const value of [cyclic, deep, wide]) {
      for (const name of ['fusedActivation', 'alpha', 'transB', 'aTensor', 'outputTensor', 'type', 'other']) {
        const error = await rejected(compiled({ ...good, nodes: { gemm: { ...gemm, [name]: value } } }));
        expect(error.field).toContain('nodes.gemm');
      }
      for (const part of ['inputs', 'constants', 'nodes', 'outputs']) await rejected(compiled({ ...good, [part]: value }));
      for (const part of ['inputs', 'constants', 'nodes', 'outputs']) {
        await rejected(compiled({ ...good, [part]: { ...untyped<object>(Reflect.get(good, part)), z: value } }));
      }
    }
  });

  test('shortens long names and lists of names in messages', async () => {
    const graph = device().createGraph();
    const names = Array.from({ length: 50 }, (_, i) => `${i} ${'x'.repeat(990)}`);
    const all = Object.fromEntries(names.map((name) => [name, negate(graph, graph.input(name, float32(1)))]));
    const outputs = Object.fromEntries(Object.entries(all).map(([name, value]) => [`out ${name}`.slice(0, 1_000), value]));
    const net = await graph.compile(outputs);
    const bindings = Object.fromEntries(names.map((name) => [name, device().createTensor(float32(1))]));
    const descriptor = graph.toDescriptor(outputs);
    const errors = [
      caught(() => net.dispatch({ ...bindings, x: device().createTensor(float32(1)) })),
      caught(() => net.dispatch({ ...bindings, [names[0] ?? '']: device().createTensor(float32(2)) })),
      caught(() => net.initialize(untyped({ '1 x': [1] }))),
      await rejected(compiled({ ...descriptor, outputs: { y: '1 xx' } })),
      await rejected(compiled(descriptor, { constants: { [names[0] ?? '']: [1] } })),
      await rejected(graph.compile({ [names[0] ?? '']: untyped<Value>(7) })),
    ];
    for (const { message } of errors) expect(message.length).toBeLessThan(2_500);
    expect(graph.toMermaid(outputs)).not.toContain('x'.repeat(100));
  });

  test('states the reason of an error once', async () => {
    const { constants: _, ...rest } = complete();
    const error = await rejected(compiled({ ...rest, constants: { w: float32(2) } }, { constants: { w: Float32Array.of(1) } }));
    const expected = '2 elements (8 bytes) for sizes [2], given 1 (4 bytes)';
    expect(error.message).toBe(`compileGraph: constants.w.data: expected ${expected}`);
    const typo = await rejected(compiled({ ...complete(), nodes: { ...complete().nodes, clip: { type: 'elementWiseClipp' } } }));
    expect(typo.message.match(/did you mean/g)).toHaveLength(1);
  });

  test('refuses data in place of a description', () => {
    const graph = device().createGraph();
    const data = new Float32Array(2 ** 26);
    const desc = float32(2 ** 26);
    expect(caught(() => graph.constant(untyped<typeof desc>(data), untyped<Float32Array>(desc))).message).toContain(
      'given a Float32Array',
    );
    expect(caught(() => graph.input('x', untyped(data))).message).toContain('given a Float32Array');
  });

  test('exposes no internal objects through a value', () => {
    const graph = device().createGraph();
    const y = negate(graph, graph.input('x', float32(1)));
    const names = [...Object.getOwnPropertyNames(y), ...Object.getOwnPropertyNames(Value.prototype)];
    const objects = names.map((name): unknown => Reflect.get(y, name)).filter((value) => typeof value === 'object');
    expect(objects.every((value) => value === null || (Array.isArray(value) && Object.isFrozen(value)))).toBe(true);
    const fake: unknown = Object.create(y);
    expect(gist(caught(() => negate(graph, untyped(fake))))).toEqual(['ERR_INVALID_DESCRIPTOR', 'inputTensor.dataType']);
  });

  test('refuses an output that cannot be copied', async () => {
    const graph = device().createGraph();
    const y = graph.input('x', { dataType: 'int4', sizes: [2, 8] });
    const error = await rejected(graph.compile({ y }));
    expect(gist(error)).toEqual(['ERR_DATA_TYPE', 'outputs.y']);
    const old = await createDevice({ backend, featureLevel: '2.1' });
    const other = old.createGraph();
    const flat = await rejected(other.compile({ y: other.input('x', float32(1, 1, 1, 2)).reshape([2]) }));
    expect(gist(flat)).toEqual(['ERR_FEATURE_LEVEL', 'outputs.y.sizes']);
    expect(flat.message).toContain('is copied by an elementWiseIdentity');
    old.dispose();
  });

  test('keeps padding and alignment of an input in the descriptor', async () => {
    const graph = device().createGraph();
    const desc = { ...float32(2), totalTensorSizeInBytes: 64, guaranteedBaseOffsetAlignment: 256 };
    const y = negate(graph, graph.input('x', desc));
    expect(graph.toDescriptor({ y }).inputs).toEqual({ x: desc });
    expect((await compiled(graph.toDescriptor({ y }))).inputs['x']).toMatchObject(desc);
  });
});
