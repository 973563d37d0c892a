/** The output of `node-directml bench`. */
import { onnx } from 'onnx-proto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDevice, type Device, type Profile } from 'node-directml';
import { gemm } from '#lib/cli/bench/gemm.js';
import { gpuTime, measure } from '#lib/cli/bench/measure.js';
import { modelsText } from '#lib/cli/bench/models.js';
import { modelOf } from '#lib/cli/bench/one-node-model.js';
import { limitsOf, rowsText, type Row } from '#lib/cli/bench/report.js';
import { arithmeticText, bandwidthText, shareText, timeText } from '#lib/cli/bench/units.js';
import { filled } from '#lib/cli/bench/workload.js';
import { workloadIds, workloads } from '#lib/cli/bench/workloads.js';
import { runCli } from '../../checks/harness/run-cli.js';

const bench = (...args: string[]) => runCli(['bench', ...args], { width: 120 });

it('describes the machine in its JSON', async () => {
  const { out } = await bench('compile', '--backend', 'reference', '--seconds', '0', '--json');
  const { cpu, cores, limits, rows, ...facts } = JSON.parse(out);
  expect(facts).toEqual({
    package: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.version,
    system: expect.stringContaining(process.arch),
    backend: 'reference',
    ...{ directmlVersion: null, featureLevel: expect.any(String), adapter: null, driverVersion: null },
  });
  expect(cpu).toEqual(expect.any(String));
  expect(cores).toBeGreaterThanOrEqual(1);
  expect(limits).toEqual({ copy: null, upload: null, download: null, float32: null, float16: null });
  const nothing = { bytesPerSecond: null, shareOfCopy: null, operationsPerSecond: null, shareOfGemm: null };
  expect(rows[0]).toMatchObject({ id: 'compile', bytes: null, operations: null, elements: null, dispatches: null, ...nothing });
  expect(rows[0].milliseconds.gpu).toBeNull();
  // The fewest. With the seconds of the default, there are more.
  expect(rows[0].rounds).toBe(3);
});

it('prints the machine and a line for each row', async () => {
  const { code, out } = await bench('dispatches', 'compile', '--backend', 'reference', '--seconds', '0');
  expect(code).toBe(0);
  expect(out).toMatch(/^node-directml .*\nDirectML \(none\), .* reference backend$/m);
  expect(out).toMatch(/^1000 tiny dispatches +[\d.]+ \S+ +[\d.]+ \S+ each +best .*, \d+ rounds/m);
  expect(out).toMatch(/^compile a convolution +[\d.]+ \S+ +best /m);
});

it('lists the valid values for a wrong row, backend or time', async () => {
  const error = async (...args: string[]) => (await bench(...args)).error;
  expect(await error('scatter')).toMatch(`there is no row 'scatter' (did you mean 'scatterNd'?)`);
  expect(await error('fft')).toMatch(`there are: ${workloadIds.slice(0, 3).join(', ')}`);
  expect(await error('--backend', 'cuda')).toMatch("--backend is directml or reference, not 'cuda'");
  expect(await error('--seconds', '0.5')).toMatch("--seconds is a whole number of at least 0, not '0.5'");
});

describe('units', () => {
  it.each([
    [0.0042, '4.20 µs'],
    [0.999, '999 µs'],
    [1, '1.00 ms'],
    [12.34, '12.3 ms'],
    [999, '999 ms'],
    [1000, '1.00 s'],
    [2070, '2.07 s'],
  ])('%d ms are %s', (milliseconds, text) => expect(timeText(milliseconds)).toBe(text));

  it.each([
    [2e11, '200 GB/s'],
    [1e9, '1.00 GB/s'],
    [999e6, '999 MB/s'],
    [43.6e6, '43.6 MB/s'],
  ])('%d bytes per second are %s', (rate, text) => expect(bandwidthText(rate)).toBe(text));

  it.each([
    [2 * 1024 ** 4, '2.20 TFLOP/s'],
    [1e12, '1.00 TFLOP/s'],
    [4.18e9, '4.18 GFLOP/s'],
  ])('%d operations per second are %s', (rate, text) => expect(arithmeticText(rate)).toBe(text));

  it.each([
    [2.3, '230%'],
    [0.5512, '55%'],
    [0.0995, '10%'],
    [0.034, '3.4%'],
    [0.0011, '0.11%'],
  ])('the share %d is %s', (share, text) => expect(shareText(share)).toBe(text));
});

describe('the table', () => {
  const measured = (median: number) => ({ median, least: 0.9 * median, rounds: 9, repeats: 2 });
  const rows: Row[] = [
    { id: 'copy', name: 'identity', amounts: { bytes: 1e9 }, measured: measured(10), gpu: 9 },
    {
      id: 'gemm-float32',
      name: 'gemm',
      amounts: { bytes: 1e7, operations: { count: 1e9, dataType: 'float32' } },
      measured: measured(2),
      gpu: null,
    },
    { id: 'dispatches', name: 'tiny', amounts: { dispatches: 1000 }, measured: measured(20), gpu: null },
  ];

  it('shows rates and their shares', () => {
    expect(rowsText(rows, limitsOf(rows), 110)).toBe(
      [
        '          time     GPU      rate, of copy   rate, of gemm',
        'identity  10.0 ms  9.00 ms  100 GB/s 100%                     best 9.00 ms, 9 rounds of 2',
        'gemm      2.00 ms           5.00 GB/s 5.0%  500 GFLOP/s 100%  best 1.80 ms, 9 rounds of 2',
        'tiny      20.0 ms           20.0 µs each                      best 18.0 ms, 9 rounds of 2',
      ].join('\n'),
    );
  });

  it('omits empty columns, and the last column on a narrow terminal', () => {
    const [, , tiny] = rows;
    expect(rowsText(tiny ? [tiny] : [], limitsOf([]), 80)).toBe(
      ['      time     rate, of copy', 'tiny  20.0 ms  20.0 µs each'].join('\n'),
    );
  });
});

describe('a row is measured', () => {
  afterEach(() => void vi.useRealTimers());

  /** Work that takes these milliseconds in turn, each for one repeat; the last one goes on. */
  const workOf = (...times: number[]) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const repeated: number[] = [];
    const round = (repeats: number) => {
      vi.advanceTimersByTime(repeats * (times[repeated.length] ?? times.at(-1) ?? 0));
      repeated.push(repeats);
      return Promise.resolve();
    };
    return { round, repeated };
  };

  it('in rounds of at least 20 ms, after one that warms up, until the time has passed', async () => {
    const { round, repeated } = workOf(1000, 3);
    expect(await measure(round, 96)).toEqual({ median: 3, least: 3, rounds: 4, repeats: 8 });
    expect(repeated).toEqual([1, 1, 2, 4, 8, 8, 8, 8, 8]);
  });

  it('in at least three rounds, whose median counts', async () => {
    const { round, repeated } = workOf(0, 30, 70, 40, 100);
    expect(await measure(round, 0)).toEqual({ median: 70, least: 40, rounds: 3, repeats: 1 });
    expect(repeated).toHaveLength(5);
  });

  it('by the mean of the two in the middle, if the rounds are even in number', async () => {
    expect(await measure(workOf(0, 30, 70, 30, 50, 100).round, 250)).toMatchObject({ median: 60, least: 30, rounds: 4 });
  });

  it('with no more than 4096 repeats', async () => {
    expect((await measure(workOf(0).round, -1)).repeats).toBe(4096);
  });

  it('also on the GPU, unless that cannot be measured', async () => {
    const times: (number | null)[] = [8, 2, 6];
    const profile = async (work: () => Promise<unknown>) => {
      await work();
      return { gpuMs: times.shift() } as Profile;
    };
    const device = { profile } as unknown as Device;
    const repeated: number[] = [];
    const round = (repeats: number) => Promise.resolve(void repeated.push(repeats));
    expect([await gpuTime(device, round, 2), repeated]).toEqual([3, [2, 2, 2]]);
    times.push(8, null, 6);
    expect(await gpuTime(device, round, 2)).toBeNull();
  });

  /** A device on which a product of matrices takes these milliseconds, by their side. */
  const deviceWith = (times: Readonly<Record<number, number>>) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const compiled: number[] = [];
    let pending = 0;
    const device = {
      createTensor: () => ({ write: () => undefined }),
      compile({ aTensor: { sizes } }: { aTensor: { sizes: readonly [number, number] } }) {
        compiled.push(sizes[0]);
        return Promise.resolve({ dispatch: () => void (pending += times[sizes[0]] ?? 0) });
      },
      idle() {
        vi.advanceTimersByTime(pending);
        pending = 0;
        return Promise.resolve();
      },
    };
    return { device: device as unknown as Device, compiled };
  };

  it('as the product of the size at which the device is fastest', async () => {
    const { device, compiled } = deviceWith({ 512: 1, 1024: 3, 2048: 29, 4096: 400 });
    const { name, amounts } = await gemm('float32').prepare(device);
    expect([name, compiled]).toEqual(['gemm 1024×1024, float32', [512, 1024, 2048, 4096]]);
    expect(amounts).toEqual({ bytes: 3 * 4 * 2 ** 20, operations: { count: 2 ** 31, dataType: 'float32' } });
  });

  it('without larger products, once one takes 30 ms', async () => {
    const { device, compiled } = deviceWith({ 512: 16, 1024: 30, 2048: 31 });
    const { name, amounts } = await gemm('float16').prepare(device);
    expect([name, compiled]).toEqual(['gemm 1024×1024, float16', [512, 1024]]);
    expect(amounts).toMatchObject({ bytes: 3 * 2 * 2 ** 20, operations: { dataType: 'float16' } });
  });
});

it('knows what each row moves and computes', async () => {
  using device = await createDevice({ backend: 'reference' });
  const counted = workloads.filter(({ id }) => !id.startsWith('gemm'));
  const amounts = await Promise.all(counted.map(async ({ id, prepare }) => [id, (await prepare(device)).amounts] as const));
  const [mebi, plane] = [2 ** 20, 56 * 56];
  expect(Object.fromEntries(amounts)).toEqual({
    write: { transferred: 64 * mebi },
    read: { transferred: 64 * mebi },
    readInto: { transferred: 64 * mebi },
    copy: { bytes: 128 * mebi },
    add: { bytes: 192 * mebi },
    softmax: { bytes: 32 * mebi },
    convolution: {
      bytes: 4 * (2 * 64 * plane + 64 * 64 * 9),
      operations: { count: 2 * 64 * 64 * 9 * plane, dataType: 'float32' },
    },
    scatterNd: { bytes: 20 * mebi, elements: mebi },
    dispatches: { dispatches: 1000 },
    ...{ roundTrip: {}, compile: {}, compileGraph: {} },
  });
});

it('fills tensors of both floats with the same numbers, over and over', async () => {
  using device = await createDevice({ backend: 'reference' });
  for (const dataType of ['float16', 'float32'] as const) {
    const numbers = await filled(device, { dataType, sizes: [2, 6] }).toArray();
    expect(numbers).toEqual([
      [-2.5, -0.5, 1.5, -1.5, 0.5, -2.5],
      [-0.5, 1.5, -1.5, 0.5, -2.5, -0.5],
    ]);
  }
});

it('reads whole tensors', async () => {
  const { code, out } = await bench('read', 'readInto', '--backend', 'reference', '--seconds', '0');
  expect([code, out]).toEqual([0, expect.stringMatching(/^read 64 MiB .*\nreadInto 64 MiB /m)]);
});

describe('models of one node', () => {
  it('are ONNX models with the attributes, inputs and outputs of the node', () => {
    const bytes = modelOf({
      opType: 'Conv',
      attributes: { group: 1, pads: [1, 200, 3, 40_000] },
      inputs: { x: { dataType: 'float32', sizes: [1, 127] }, indices: { dataType: 'int64', sizes: [128, 2 ** 20] } },
      output: { dataType: 'float32', sizes: [300] },
    });
    const type = (elemType: number, ...sizes: number[]) => ({
      tensorType: { elemType, shape: { dim: sizes.map((dimValue) => ({ dimValue: String(dimValue) })) } },
    });
    const { INT, INTS } = onnx.AttributeProto.AttributeType;
    const { FLOAT, INT64 } = onnx.TensorProto.DataType;
    expect(onnx.ModelProto.toObject(onnx.ModelProto.decode(bytes), { longs: String })).toEqual({
      irVersion: '8',
      opsetImport: [{ version: '17' }],
      graph: {
        name: 'one node',
        node: [
          {
            ...{ input: ['x', 'indices'], output: ['y'], opType: 'Conv' },
            attribute: [
              { name: 'group', i: '1', type: INT },
              { name: 'pads', ints: ['1', '200', '3', '40000'], type: INTS },
            ],
          },
        ],
        input: [
          { name: 'x', type: type(FLOAT, 1, 127) },
          { name: 'indices', type: type(INT64, 128, 2 ** 20) },
        ],
        output: [{ name: 'y', type: type(FLOAT, 300) }],
      },
    });
  });

  it('have times beside those of onnxruntime-node, or a dash', () => {
    const rows = [
      { name: 'Add', milliseconds: 2, onnxruntime: 3.5 },
      { name: 'MatMul', milliseconds: 12.25, onnxruntime: null },
    ];
    expect(modelsText({ rows, onnxruntime: '1.24.3: no memory' }, 80)).toBe(
      [
        '        node-directml  onnxruntime-node',
        'Add     2.00 ms        3.50 ms',
        'MatMul  12.3 ms        -',
        '',
        'onnxruntime-node: 1.24.3: no memory',
      ].join('\n'),
    );
  });
});
