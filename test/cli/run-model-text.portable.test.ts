/** What `node-directml run model.onnx` prints: the whole text, its progress, and other runtimes that are wrong or fail. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onnx } from 'onnx-proto';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDevice } from 'node-directml';
import { main } from '#lib/cli/main.js';
import { LoadedModel } from '#lib/onnx/model.js';

const { FLOAT, FLOAT16, DOUBLE, INT64 } = onnx.TensorProto.DataType;
const root = mkdtempSync(join(tmpdir(), 'node-directml-'));
afterAll(() => rmSync(root, { recursive: true }));
const reference = await createDevice({ backend: 'reference', thread: 'caller' });
afterAll(() => reference.dispose());

function value(name: string, elemType: number, sizes: readonly (number | string)[]): onnx.IValueInfoProto {
  const dim = sizes.map((size) => (typeof size === 'number' ? { dimValue: size } : { dimParam: size }));
  return { name, type: { tensorType: { elemType, shape: { dim } } } };
}

function modelFile(name: string, graph: onnx.IGraphProto): string {
  const path = join(root, `${name}.onnx`);
  const whole = { irVersion: 10, opsetImport: [{ domain: '', version: 21 }], graph: { name, ...graph } };
  writeFileSync(path, onnx.ModelProto.encode(whole).finish());
  return path;
}

/** Negates x, as y. */
const negate = (name: string, elemType: number, sizes: readonly (number | string)[], node = 'negate') =>
  modelFile(name, {
    node: [{ opType: 'Neg', input: ['x'], output: ['y'], name: node }],
    input: [value('x', elemType, sizes)],
    output: [value('y', elemType, sizes)],
  });

/** What is printed, with `T` for each time, and the progress. */
async function run(args: readonly string[], { width = 200, hasColors = false } = {}) {
  const [lines, progress]: [string[], (string | null)[]] = [[], []];
  const print = (text: string) => void lines.push(...text.split('\n'));
  const terminal = { width, hasColors, out: print, error: print, progress: (text: string | null) => void progress.push(text) };
  const code = await main(['run', ...args, '--backend', 'reference'], terminal);
  return { code, lines: lines.map((line) => line.replaceAll(/[\d.]+ ms/g, 'T')), progress };
}

/** The numbers of the seed 1. */
const numbers = ['0.2541479', '-0.9945285', '0.05489408', '0.9621019', '0.9367558', '-0.437793', '0.2256777', '0.4414863'];
const negated = numbers.map((number) => String(-Number(number)));

describe('the text', () => {
  it('has 8 elements, and the times of further runs', async () => {
    const { code, lines, progress } = await run([negate('eight', FLOAT, [8]), '--runs', '2']);
    expect(lines).toEqual([
      'reference backend',
      '1 graph with 1 operator, no node on the CPU',
      'created in T, first run T, then T (median of 2; best T)',
      '',
      'Inputs',
      `  x float32 [8]: ${numbers.join(', ')} (random)`,
      '',
      'Outputs',
      `  y float32 [8]: ${negated.join(', ')}`,
    ]);
    expect(code).toBe(0);
    expect(progress).toEqual(['loading the model', 'first run', 'run 1 of 2', 'run 2 of 2', null, null, null]);
  });

  it('has dots for further elements, and no further runs if there were none', async () => {
    const { lines, progress } = await run([negate('nine', FLOAT, [9]), '--runs', '0']);
    expect(lines[2]).toBe('created in T, first run T');
    expect(lines[5]).toBe(`  x float32 [9]: ${numbers.join(', ')}, ... (random)`);
    expect(progress).toEqual(['loading the model', 'first run', null, null, null]);
  });

  it('has 10 further runs by default', async () => {
    expect((await run([negate('ten', FLOAT, [1])])).lines[2]).toBe('created in T, first run T, then T (median of 10; best T)');
  });

  it('counts the nodes on the CPU by their operators', async () => {
    const det = (output: string) => ({ opType: 'Det', input: ['x'], output: [output] });
    const path = modelFile('on the CPU', {
      node: [
        det('a'),
        det('b'),
        { opType: 'Neg', input: ['x'], output: ['c'] },
        { opType: 'Unique', input: ['x'], output: ['d'] },
      ],
      input: [value('x', FLOAT, [2, 2])],
      output: ['a', 'b', 'c', 'd'].map((name) => value(name, FLOAT, name === 'c' ? [2, 2] : name === 'd' ? ['n'] : [])),
    });
    const { lines } = await run([path, '--runs', '0']);
    expect(lines[1]).toBe('1 graph with 2 operators, 3 nodes on the CPU: 2 Det, 1 Unique');
    expect(lines).toContain('  a float32 []: 0.2991099');
  });

  it.each([
    [FLOAT16, '  x float16 [2]: 0.2542, -0.9946 (random)'],
    [DOUBLE, '  x float64 [2]: 0.2541478872299194, -0.9945285320281982 (random)'],
    [INT64, '  x int64 [2]: 0, 1 (random)'],
  ])('has the digits of data type %i', async (elemType, line) => {
    expect((await run([negate(`of type ${elemType}`, elemType, [2]), '--runs', '0'])).lines[5]).toBe(line);
  });

  it('has styles with colours', async () => {
    const { lines } = await run([negate('colours', FLOAT, ['n']), '--runs', '0'], { hasColors: true });
    expect(lines).toEqual([
      '\x1b[2mreference backend\x1b[22m',
      '1 graph with 1 operator, no node on the CPU',
      'created in T, first run T',
      '',
      '\x1b[1mInputs\x1b[22m',
      '  x float32 [1]: 0.2541479 (random)',
      '  sizes not given, so 1: n (--size n=NUMBER)',
      '',
      '\x1b[1mOutputs\x1b[22m',
      '  y float32 [1]: -0.2541479',
    ]);
  });

  it('has the first elements in JSON, of 64-bit integers as strings', async () => {
    const { lines } = await run([negate('json', INT64, ['n']), '--runs', '1', '--size', 'n=2', '--json']);
    const { placement, milliseconds, ...rest } = JSON.parse(lines.join('\n'));
    expect(rest).toEqual({
      ...{ backend: 'reference', adapter: null, directmlVersion: null, sizesNotGiven: [], saved: [] },
      inputs: { x: { dataType: 'int64', sizes: [2], first: ['0n', '1n'], file: null } },
      outputs: { y: { dataType: 'int64', sizes: [2], first: ['0n', '-1n'] } },
    });
    expect(placement).toMatchObject({ backend: 'reference', adapter: null });
    expect(milliseconds).toMatchObject({ count: 1, median: milliseconds.least });
  });

  it('says that an output is no tensor', async () => {
    const path = modelFile('sequence', {
      node: [{ opType: 'SequenceConstruct', input: ['x', 'x'], output: ['s'] }],
      input: [value('x', FLOAT, [2])],
      output: [{ name: 's', type: { sequenceType: { elemType: { tensorType: { elemType: FLOAT } } } } }],
    });
    expect(await run([path])).toEqual({
      code: 1,
      lines: ['ERR_DATA_TYPE: run: s: expected an output that is a tensor, given a sequence'],
      progress: ['loading the model', 'first run', null],
    });
  });
});

it('disposes of its device and of the model, also after an error', async () => {
  const prototypes = [Object.getPrototypeOf(reference), LoadedModel.prototype] as { dispose: () => void }[];
  const spies = prototypes.map((prototype) => vi.spyOn(prototype, 'dispose'));
  try {
    const path = negate('disposed', FLOAT, [2]);
    expect((await run([path, '--runs', '0'])).code).toBe(0);
    for (const spy of spies) expect(spy).toHaveBeenCalledTimes(1);
    expect((await run([path, '--runs', '0', '--save', path])).code).toBe(1);
    for (const spy of spies) expect(spy).toHaveBeenCalledTimes(2);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
});

describe('--compare with an onnxruntime', () => {
  const cwd = vi.spyOn(process, 'cwd');
  afterEach(() => void cwd.mockReset());
  afterAll(() => cwd.mockRestore());
  let count = 0;
  let folder: string;
  beforeEach(() => {
    folder = join(root, `runtime ${count++}`);
    cwd.mockReturnValue(folder);
  });

  interface Runtime {
    /** Sessions that were not released. */
    readonly open: number;
    /** The arguments of each session. */
    readonly created: readonly [model: string | Uint8Array, options: object][];
  }

  /** Puts a package into the folder. `results` is code for what a session gives for the input x; `more` is run for each one. */
  function runtime(results: string, more = '', versions = `{ node: '1' }`): () => Runtime {
    const own = join(folder, 'node_modules', 'onnxruntime-node');
    mkdirSync(own, { recursive: true });
    const code = `const create = async (...created) => {
  exports.created.push(created);
  ${more}
  exports.open++;
  return {
    outputMetadata: [{ name: 'y', isTensor: true, type: 'float32' }],
    release: async () => void exports.open--,
    run: async ({ x }, names) => ({ y: ${results} }),
  };
};
Object.assign(exports, { created: [], open: 0, env: { versions: ${versions} }, InferenceSession: { create } });
exports.Tensor = class { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } };`;
    writeFileSync(join(own, 'index.js'), code);
    return () => createRequire(join(folder, 'index.js'))('onnxruntime-node') as Runtime;
  }

  const compare = async (path: string, ...more: string[]) => {
    const { code, lines } = await run([path, '--runs', '0', '--compare', ...more]);
    return [code, ...lines.slice(lines.indexOf('Compared') + 1)];
  };
  const path = negate('compared', FLOAT, [3]);

  it('that agrees', async () => {
    const used = runtime(`{ type: 'float32', dims: x.dims, data: x.data.map((e) => -e) }`);
    expect(await compare(path)).toEqual([0, 'ok    onnxruntime-node, y: the largest difference is 0.0 (at most 0.0001)']);
    expect(used().open).toBe(0);
    expect(used().created).toEqual([[path, { executionProviders: ['cpu'], logSeverityLevel: 4 }]]);
    const { progress } = await run([path, '--runs', '0', '--compare']);
    expect(progress).toEqual(['loading the model', 'first run', 'comparing', null, null]);
  });

  it('that differs, which is asked for the values of all nodes', async () => {
    const used = runtime(`{ type: 'float32', dims: [3], data: x.data.map((e, i) => (i === 1 ? -2 * e : -e)) }`);
    const text = 'the largest difference is 0.50 (at most 0.0001), element 1: 1.9890570640563965 there, 0.9945285320281982 here';
    expect(await compare(path)).toEqual([
      1,
      `WRONG onnxruntime-node, y: ${text}`,
      `WRONG the first node that differs is Neg 'negate', y: ${text}`,
    ]);
    expect(used().open).toBe(0);
    expect(used().created[1]).toEqual([path, { executionProviders: ['cpu'], logSeverityLevel: 4 }]);
    expect(await compare(path, '--tolerance', '0.5')).toEqual([0, `ok    onnxruntime-node, y: ${text.replace('0.0001', '0.5')}`]);
  });

  it('that differs in a node without a name', async () => {
    runtime(`{ type: 'float32', dims: [3], data: x.data }`);
    const [, , first] = await compare(negate('no name', FLOAT, [3], ''));
    expect(first).toMatch(/^WRONG the first node that differs is Neg, y: the largest difference is 2\.0 /);
  });

  it('that gives other sizes', async () => {
    runtime(`{ type: 'float32', dims: [1, 3], data: x.data.map((e) => -e) }`);
    const text = 'the largest difference is infinite (at most 0.0001), the sizes differ';
    expect((await compare(path)).slice(0, 2)).toEqual([1, `WRONG onnxruntime-node, y: ${text}`]);
  });

  it('that gives NaN', async () => {
    runtime(`{ type: 'float32', dims: [3], data: x.data.map(() => NaN) }`);
    const text = 'the largest difference is infinite (at most 0.0001), element 0: NaN there, -0.25414788722991943 here';
    expect((await compare(path)).slice(0, 2)).toEqual([1, `WRONG onnxruntime-node, y: ${text}`]);
  });

  it('that fails', async () => {
    const used = runtime('null', `throw new Error('no\\nmodel');`);
    expect(await compare(path)).toEqual([1, 'WRONG onnxruntime-node fails: no\\nmodel']);
    expect(used().created).toHaveLength(1);
    const { code, lines } = await run([path, '--runs', '0', '--compare', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(lines.join('\n')).compared).toEqual([
      { runtime: 'onnxruntime-node', outputs: [], error: 'no\nmodel', first: null },
    ]);
  });

  it('that fails in a run, and is released', async () => {
    const used = runtime(`(() => { throw 'a text'; })()`);
    expect(await compare(path)).toEqual([1, 'WRONG onnxruntime-node fails: a text']);
    expect(used().open).toBe(0);
  });

  it('that gets a model in memory for values that are no outputs, with the folder of its files', async () => {
    const two = modelFile('two nodes', {
      node: [
        { opType: 'Abs', input: ['x'], output: ['a'], name: 'first' },
        { opType: 'Neg', input: ['a'], output: ['y'], name: 'second' },
      ],
      input: [value('x', FLOAT, [3])],
      output: [value('y', FLOAT, [3])],
    });
    const used = runtime(`{ type: 'float32', dims: [3], data: x.data }`);
    const lines = await compare(two);
    expect(lines[2]).toMatch(/^WRONG the first node that differs is Neg 'second', y: /);
    const [, [model, options] = ['', {}]] = used().created;
    // Readers join the graphs of the model. That of protobufjs takes the last one.
    expect(onnx.ModelProto.decode(Buffer.from(model)).graph?.output?.map(({ name }) => name)).toEqual(['a']);
    expect(Buffer.from(model).subarray(0, -7)).toEqual(readFileSync(two));
    expect(options).toEqual({
      ...{ executionProviders: ['cpu'], logSeverityLevel: 4 },
      extra: { session: { model_external_initializers_file_folder_path: root } },
    });
  });

  it('of another package under its name is not taken', async () => {
    const used = runtime(`null`, '', `{}`);
    const [code, line] = await compare(path);
    expect([code, line]).toEqual([0, 'ok    onnxruntime-web, y: the largest difference is 0.0 (at most 0.0001)']);
    expect(used().created).toEqual([]);
  });

  it('with bigints in JSON', async () => {
    runtime(`{ type: 'int64', dims: [2], data: BigInt64Array.of(0n, 5n) }`);
    const { code, lines } = await run([negate('bigints', INT64, [2]), '--runs', '0', '--compare', '--json']);
    expect(code).toBe(1);
    const [{ outputs }] = JSON.parse(lines.join('\n')).compared as [{ outputs: object[] }];
    expect(outputs).toEqual([
      {
        ...{ name: 'y', count: 2, equal: 1, largest: null, tolerance: 0, isNear: false },
        worst: { element: 1, expected: '5n', given: '-1n' },
      },
    ]);
  });
});
