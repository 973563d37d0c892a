/** `node-directml run` with ONNX models, on both backends. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onnx } from 'onnx-proto';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createDevice } from 'node-directml';
import { loadNpy, saveNpy } from 'node-directml/files';
import { backends } from '../support/devices.js';
import { runCli } from '../../checks/harness/run-cli.js';

const folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const { FLOAT, INT64, BOOL, FLOAT16 } = onnx.TensorProto.DataType;

/** A dynamic dimension may have no name. */
function value(name: string, elemType: number, sizes: readonly (number | string)[]): onnx.IValueInfoProto {
  const dim = sizes.map((size) => (typeof size === 'number' ? { dimValue: size } : size === '' ? {} : { dimParam: size }));
  return { name, type: { tensorType: { elemType, shape: { dim } } } };
}

/** Picks rows, negates, and computes a determinant, for which DirectML has no operator. */
function modelFile(name: string, changes: onnx.IGraphProto = {}): string {
  const graph = {
    name,
    node: [
      { opType: 'Gather', input: ['x', 'ids'], output: ['picked'], name: 'pick' },
      { opType: 'Neg', input: ['picked'], output: ['y'], name: 'negate' },
      { opType: 'Not', input: ['flags'], output: ['out/flags'], name: 'not' },
      { opType: 'Det', input: ['m'], output: ['out.flags'], name: 'determinant' },
      { opType: 'Relu', input: ['half'], output: ['h'], name: 'relu' },
    ],
    input: [
      value('x', FLOAT, ['rows', '']),
      value('ids', INT64, ['ids']),
      value('flags', BOOL, ['ids']),
      value('m', FLOAT, [2, 2]),
      value('half', FLOAT16, [2]),
    ],
    output: [
      value('y', FLOAT, ['ids', '']),
      value('out/flags', BOOL, ['ids']),
      value('out.flags', FLOAT, []),
      value('h', FLOAT16, [2]),
    ],
    ...changes,
  };
  const bytes = onnx.ModelProto.encode({ irVersion: 10, opsetImport: [{ domain: '', version: 21 }], graph }).finish();
  writeFileSync(at(`${name}.onnx`), bytes);
  return at(`${name}.onnx`);
}

const model = modelFile('model');
const negateFile = (name: string, input: onnx.IValueInfoProto) =>
  modelFile(name, { node: [{ opType: 'Neg', input: ['x'], output: ['y'] }], input: [input], output: [{ ...input, name: 'y' }] });
const square = value('x', FLOAT, [2, 2]);
const withSequence = modelFile('with sequence', {
  node: [
    { opType: 'SequenceConstruct', input: ['x', 'x'], output: ['both'], name: 'construct' },
    {
      ...{ opType: 'ConcatFromSequence', input: ['both'], output: ['joined'], name: 'join' },
      attribute: [{ name: 'axis', type: onnx.AttributeProto.AttributeType.INT, i: 0 }],
    },
    { opType: 'Neg', input: ['joined'], output: ['y'], name: 'negate' },
  ],
  input: [square],
  output: [value('y', FLOAT, [4, 2])],
});
const externalData = Object.entries({ location: 'weights.bin', offset: '0', length: '16' }).map(([key, value]) => ({
  key,
  value,
}));
writeFileSync(at('weights.bin'), new Float32Array([1, 2, 3, 4]));
const withFile = modelFile('with file', {
  node: [{ opType: 'MatMul', input: ['x', 'w'], output: ['y'], name: 'multiply' }],
  initializer: [{ name: 'w', dataType: FLOAT, dims: [2, 2], dataLocation: onnx.TensorProto.DataLocation.EXTERNAL, externalData }],
  input: [square],
  output: [value('y', FLOAT, [2, 2])],
});
const device = await createDevice({ backend: 'reference' });
await saveNpy(at('x.npy'), device.createTensor({ dataType: 'float32', sizes: [3, 2] }, [1, 2, 3, 4, 5, 6]));
await saveNpy(at('ids.npy'), device.createTensor({ dataType: 'int64', sizes: [4] }, [2n, 0n, 1n, 2n]));
await saveNpy(at('m.npy'), device.createTensor({ dataType: 'float32', sizes: [2, 2] }, [1, 2, 3, 4]));
writeFileSync(at('short.npy'), readFileSync(at('m.npy')).subarray(0, -4));
afterAll(() => device.dispose());
const otherBytes = at('other.ONNX');
writeFileSync(otherBytes, 'other bytes');
const inputs = ['x', 'ids', 'm'].flatMap((name) => ['--input', `${name}=${at(`${name}.npy`)}`]);

const run = (...args: string[]) => runCli(['run', ...args], { width: 200 });

describe.each(backends)('on %s', (backend) => {
  it('runs a model on files, and saves its outputs', async () => {
    const { code, out, error } = await run(
      model,
      ...inputs,
      '--backend',
      backend,
      '--json',
      '--runs',
      '2',
      '--save',
      at(backend),
    );
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const printed = JSON.parse(out);
    expect(printed).toMatchObject({
      backend,
      placement: { backend, cpu: [{ name: 'determinant', opType: 'Det' }] },
      milliseconds: { count: 2 },
      inputs: { x: { sizes: [3, 2], file: at('x.npy') }, flags: { dataType: 'bool', sizes: [4], file: null } },
      sizesNotGiven: [],
      outputs: {
        y: { dataType: 'float32', sizes: [4, 2], first: [-5, -6, -1, -2, -3, -4, -5, -6] },
        'out.flags': { sizes: [] },
        h: { dataType: 'float16', sizes: [2] },
      },
    });
    const { create, first, median, least } = printed.milliseconds;
    for (const time of [create, first, median, least]) expect(time).toBeGreaterThan(0);
    // Names of outputs that would be names of the same file.
    expect(printed.saved).toEqual(['y', 'out_flags', 'out.flags', 'h'].map((name) => join(at(backend), `${name}.npy`)));
    const saved = await loadNpy(device, join(at(backend), 'y.npy'));
    expect(await saved.toArray()).toEqual([
      [-5, -6],
      [-1, -2],
      [-3, -4],
      [-5, -6],
    ]);
    expect(readFileSync(join(at(backend), 'out_flags.npy'), 'latin1')).toContain(`'descr': '|b1'`);
  });

  it('makes inputs up, the same for the same seed', async () => {
    const args = [
      model,
      '--size',
      'rows=2',
      '--size',
      'x[1]=3',
      '--size',
      'ids=2',
      '--backend',
      backend,
      '--runs',
      '0',
      '--json',
    ];
    const found = async (...more: string[]) => {
      const { inputs, outputs, milliseconds } = JSON.parse((await run(...args, ...more)).out);
      expect(milliseconds).toMatchObject({ count: 0, median: null });
      return { inputs, outputs };
    };
    const first = await found();
    expect(first.inputs).toMatchObject({ x: { sizes: [2, 3] }, ids: { sizes: [2] } });
    for (const id of first.inputs.ids.first) expect(['0n', '1n']).toContain(id);
    expect(await found('--seed', '1')).toEqual(first);
    expect((await found('--seed', '2')).inputs).not.toEqual(first.inputs);
  });

  it('says where the model ran, and which sizes nobody gave', async () => {
    const { code, out } = await run(model, '--size', 'rows=2', '--backend', backend, '--runs', '3');
    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines[0]).toMatch(backend === 'reference' ? /^reference backend$/ : /^DirectML [\d.]+, ./);
    expect(lines[1]).toMatch(/^(?:1 graph|\d graphs) with \d operators, 1 node on the CPU: 1 Det$/);
    expect(lines[2]).toMatch(/^created in [\d.]+ ms, first run [\d.]+ ms, then [\d.]+ ms \(median of 3; best [\d.]+ ms\)$/);
    expect(out).toMatch(/\n\nInputs\n {2}x [^]*\n\nOutputs\n {2}y /);
    expect(out).toContain('  sizes not given, so 1: x[1], ids (--size x[1]=NUMBER)\n');
    expect(out).toMatch(/^ {2}x float32 \[2, 1\]: -?0\.\d+, -?0\.\d+ \(random\)$/m);
    expect(out).toMatch(/^ {2}y float32 \[1, 1\]: -?0\.\d+$/m);
  });
});

it.each([
  [[at('missing.onnx')], 1, /^ERR_INVALID_FILE: run: .*missing\.onnx: .*ENOENT/],
  [[otherBytes], 1, /^ERR_INVALID_FILE: .*expected an ONNX model, given other bytes/],
  [[model, '--input', `ids=${at('x.npy')}`], 1, /^ERR_INVALID_FILE: .*expected an array of int64, given one of float32/],
  [[model, '--input', `m=${at('short.npy')}`], 1, /^ERR_INVALID_FILE: .*short\.npy: expected 144 bytes for its shape, given 140/],
  [[model, '--input', `m=${at('x.npy')}`, '--backend', 'reference'], 1, /^ERR_SIZES: run: inputs\["m"\]/],
  [
    [
      modelFile('wrong', {
        node: [{ opType: 'Rleu', input: ['m'], output: ['y'] }],
        output: [value('y', FLOAT, [2, 2])],
      }),
    ],
    1,
    /^ERR_INVALID_FILE: node \(Rleu\)/,
  ],
  [[model, '--input', 'z=z.npy'], 2, /the model has no input 'z' \(there are: x, ids, flags, m, half\)/],
  [[model, '--input', 'x'], 2, /--input needs a name and a value, such as x=x\.npy, not 'x'/],
  [[model, '--size', 'row=2'], 2, /the model has no dynamic dimension 'row' \(did you mean 'rows'\?\)/],
  [[model, '--size', 'rows=0'], 2, /--size rows is a whole number of at least 1, not '0'/],
  [[model, '--size', 'rows=9', '--input', `x=${at('x.npy')}`], 2, /'rows' is 3 in .*x\.npy, and 9 in another input or in --size/],
  [[model, '--size', 'rows=9000000000'], 2, /input 'x' would have 9000000000 elements/],
  [[negateFile('empty', value('x', FLOAT, [0, 2]))], 2, /input 'x' has no elements: give it with --input/],
  [
    [negateFile('unknown', { name: 'x', type: { tensorType: { elemType: FLOAT } } })],
    2,
    /input 'x' has unknown dimensions: give it with --input/,
  ],
  [[model, '--draw'], 2, /--draw is for JSON files/],
  [[model, '--tolerance', '1'], 2, /--tolerance needs --compare/],
  [['x.json', '--seed', '1'], 2, /--seed is for models, FILE\.onnx/],
])('%j', async (args, code, message) => {
  const printed = await run(...args);
  expect(printed).toMatchObject({ code, out: '', error: expect.stringMatching(message) });
  // An error of the package is one line.
  if (code === 1) expect(printed.error.trim()).not.toContain('\n');
});

it('obeys no name in a model: control characters are escaped, and files are in the folder', async () => {
  const odd = '\x1b[8mx\nsaved';
  const path = modelFile('odd names', {
    node: [
      { opType: 'Neg', input: [odd], output: ['nul'], name: 'negate' },
      { opType: 'Neg', input: [odd], output: ['../y'], name: 'negate again' },
    ],
    input: [value(odd, FLOAT, ['\x1b[8mrows'])],
    output: [value('nul', FLOAT, ['\x1b[8mrows']), value('../y', FLOAT, ['\x1b[8mrows'])],
  });
  const { code, out, error } = await run(path, '--backend', 'reference', '--runs', '0', '--save', at('odd'));
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out).not.toContain('\x1b');
  expect(out).toContain('  \\u001b[8mx\\nsaved float32 [1]: ');
  const saved = out.split('\n').filter((line) => line.startsWith('saved '));
  expect(saved).toEqual(['_nul.npy', '.._y.npy'].map((name) => `saved ${join(at('odd'), name)}`));
});

describe('--compare', () => {
  const folders: string[] = [];
  const cwd = vi.spyOn(process, 'cwd');
  afterEach(() => void cwd.mockReset());
  afterAll(() => cwd.mockRestore());

  /**
   * A folder with an onnxruntime-node whose sessions wrap those of this package's wasm. A wrong one doubles some results;
   * one that is wrong on files takes no model in memory.
   */
  function folderWith(runtime: 'none' | 'right' | 'wrong' | 'wrong on files'): string {
    const root = at(`with ${runtime}`);
    if (folders.includes(root)) return root;
    folders.push(root);
    const own = join(root, 'node_modules', 'onnxruntime-node');
    mkdirSync(own, { recursive: true });
    const web = createRequire(import.meta.url).resolve('onnxruntime-web');
    const code = `const ort = require(${JSON.stringify(web)});
ort.env.wasm.numThreads = 1;
const create = async (model, options) => {
  if (${runtime === 'wrong on files'} && typeof model !== 'string') throw new Error('in memory');
  const bytes = typeof model === 'string' ? require('node:fs').readFileSync(model) : model;
  const session = await ort.InferenceSession.create(bytes, { ...options, executionProviders: ['wasm'] });
  return {
    outputMetadata: session.outputMetadata,
    release: () => session.release(),
    run: async (...args) => {
      const results = await session.run(...args);
      for (const name of ${runtime === 'right' ? '[]' : "['picked', 'joined', 'y']"}) if (results[name]) results[name].data[0] *= 2;
      return results;
    },
  };
};
module.exports = { Tensor: ort.Tensor, env: { versions: { node: '1' } }, InferenceSession: { create } };`;
    writeFileSync(join(own, 'index.js'), runtime === 'none' ? 'throw new Error("none");' : code);
    return root;
  }

  it('says that all runtimes agree', async () => {
    cwd.mockReturnValue(folderWith('right'));
    const { code, out } = await run(model, '--size', 'rows=2', '--backend', 'reference', '--compare');
    expect(out).toMatch(/^ok {4}onnxruntime-node, y: the largest difference is /m);
    expect(out).not.toContain('WRONG');
    expect(code).toBe(0);
  });

  it('names the first node that differs', async () => {
    cwd.mockReturnValue(folderWith('wrong'));
    const { code, out } = await run(model, '--size', 'rows=2', '--backend', 'reference', '--compare');
    expect(code).toBe(1);
    expect(out).toMatch(/^WRONG onnxruntime-node, y: the largest difference is 0\.50 \(at most 0\.0001\)/m);
    expect(out).toMatch(/^WRONG the first node that differs is Gather 'pick', picked: /m);
    const json = JSON.parse(
      (await run(model, '--size', 'rows=2', '--backend', 'reference', '--compare', '--json')).out,
    ) as unknown;
    expect(json).toMatchObject({ compared: [{ runtime: 'onnxruntime-node', first: { node: 'pick', opType: 'Gather' } }] });
    expect((await run(model, '--size', 'rows=2', '--backend', 'reference', '--compare', '--tolerance', '1')).code).toBe(0);
  });

  it('leaves out values that are no tensors', async () => {
    cwd.mockReturnValue(folderWith('wrong'));
    const { code, out } = await run(withSequence, '--backend', 'reference', '--compare');
    expect(out).toMatch(/^WRONG onnxruntime-node, y: the largest difference is /m);
    expect(out).toMatch(/^WRONG the first node that differs is ConcatFromSequence 'join', joined: /m);
    expect(code).toBe(1);
  });

  it('takes onnxruntime-web if there is no onnxruntime-node, also for weights in other files', async () => {
    cwd.mockReturnValue(folderWith('none'));
    const { code, out } = await run(withFile, '--backend', 'reference', '--compare');
    expect(out).toMatch(/^ok {4}onnxruntime-web, y: the largest difference is /m);
    expect(code).toBe(0);
  });

  it('keeps the differences of the outputs if the values of the nodes cannot be had', async () => {
    cwd.mockReturnValue(folderWith('wrong on files'));
    const { code, out } = await run(withSequence, '--backend', 'reference', '--compare');
    expect(out).toMatch(/^WRONG onnxruntime-node, y: the largest difference is /m);
    expect(out).toMatch(/^WRONG onnxruntime-node fails: in memory$/m);
    expect(code).toBe(1);
  });

  it.each(backends)('says that no onnxruntime is installed, on %s', async (backend) => {
    const original = Module.createRequire.bind(Module);
    const spy = vi.spyOn(Module, 'createRequire').mockImplementation((from) => {
      const require = original(from);
      const load = (id: string): unknown => {
        if (id.startsWith('onnxruntime-')) throw new Error('none');
        return require(id);
      };
      return Object.assign(load, require);
    });
    try {
      const args = [model, '--size', 'rows=2', '--backend', backend, '--compare'];
      const { code, out } = await run(...args);
      const what = backend === 'reference' ? 'nothing' : 'the reference only';
      expect(out).toContain(`  with ${what}: neither onnxruntime-node nor onnxruntime-web is installed here\n`);
      expect(code).toBe(0);
      const { compared } = JSON.parse((await run(...args, '--json')).out) as { compared: { runtime: string }[] };
      expect(compared.map(({ runtime }) => runtime)).toEqual(backend === 'reference' ? [] : ['reference']);
    } finally {
      spy.mockRestore();
    }
  });
});
