/** The parts of the doctor: its judgements in full, what it computes, its programs, and its report. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDevice, type AdapterInfo, type Device, type FeatureLevel } from 'node-directml';
import { adapterFacts, memoryFact } from '#lib/cli/doctor/adapter-text.js';
import { runProgram } from '#lib/cli/doctor/child-process.js';
import { driverVersionOf, driverVersions } from '#lib/cli/doctor/drivers.js';
import type { AdapterDiagnosis, Diagnosis } from '#lib/cli/doctor/gather.js';
import { conclusion, judge } from '#lib/cli/doctor/judge.js';
import { writeReport } from '#lib/cli/doctor/report.js';
import { systemFile, versionIn } from '#lib/cli/doctor/system-files.js';
import { errorFacts, tryDevice } from '#lib/cli/doctor/trial.js';
import { compute, difference, fusesWeights, known } from '#lib/cli/doctor/workloads.js';
import { describeMachine } from '#lib/cli/machine.js';
import { caught } from '../support/errors.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'node-directml-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const info: AdapterInfo = {
  ...{ name: 'GPU', luid: '00000000-0000e4f1', vendorId: 0x10de, deviceId: 0x84 },
  ...{ dedicatedVideoMemory: 8 * 2 ** 30, dedicatedSystemMemory: 0, sharedSystemMemory: 16 * 2 ** 30 },
  ...{ isSoftware: false, d3d12FeatureLevel: '12_1' },
};
const scatterNd = { ...known, milliseconds: 1.4 };
const trial = {
  ...{ featureLevel: '6.4', directmlPath: 'C:\\app\\DirectML.dll', directmlVersion: '1.15.4.0' },
  computed: [scatterNd, { name: 'other', milliseconds: 2.4, values: [] }],
  fusesWeights: null,
};
const adapter: AdapterDiagnosis = { ...info, driverVersion: '31.0.15.5222', trial };
const well: Diagnosis = {
  ...{ package: '1.0.0', node: 'v22.1.0', platform: 'win32', arch: 'x64' },
  system: { name: 'Windows 11 Pro', version: '10.0.22631' },
  files: [
    { name: 'node_directml.node', path: 'C:\\app\\node_directml.node', version: null },
    { name: 'd3d12.dll', path: 'C:\\Windows\\System32\\d3d12.dll', version: '10.0.22621.1' },
  ],
  ...{ error: null, adapters: [adapter], debugLayer: null },
  reference: { ...trial, directmlPath: null, directmlVersion: null },
};

/** `title: verdict text` of each finding; the file and the beginning of the remedy behind it. */
function linesOf(change: Partial<Diagnosis>): string[] {
  return judge({ ...well, ...change }).flatMap(({ title, findings }) =>
    findings.map(({ verdict, text, path, remedy }) => {
      const more = `${path === undefined ? '' : ` at ${path}`}${remedy === undefined ? '' : ` -> ${remedy.split('.')[0] ?? ''}`}`;
      return `${title}: ${verdict} ${text}${more}`;
    }),
  );
}
/** Those lines that a change brings. */
const changed = (change: Partial<Diagnosis>) => {
  const usual = new Set(linesOf({}));
  return linesOf(change).filter((line) => !usual.has(line));
};

const driver = "Install the latest driver of the adapter from its vendor's site or from Windows Update, and restart";

describe('the judgements', () => {
  it('of a machine without faults name all that was found', () => {
    expect(linesOf({})).toEqual([
      'System: ok Node.js 22.1.0 for win32-x64',
      'System: ok Windows 11 Pro, 10.0.22631',
      'Files: ok node_directml.node at C:\\app\\node_directml.node',
      'Files: ok d3d12.dll 10.0.22621.1 at C:\\Windows\\System32\\d3d12.dll',
      'Files: ok DirectML.dll 1.15.4.0 at C:\\app\\DirectML.dll',
      'Adapter 1: GPU: ok hardware adapter, LUID 00000000-0000e4f1, driver 31.0.15.5222',
      'Adapter 1: GPU: ok memory: 8.0 GiB of its own, 16.0 GiB shared with the system',
      'Adapter 1: GPU: ok Direct3D feature level 12.1',
      'Adapter 1: GPU: ok DirectML feature level 6.4',
      'Adapter 1: GPU: ok scatterNd, other: equal to the reference (4 ms)',
      'Debug layers: ok Direct3D and DirectML have theirs: createDevice({ debug: true }) explains errors',
      'Reference backend: ok scatterNd, other: computed on the CPU',
    ]);
  });

  const software = { ...adapter, isSoftware: true };
  const unusable = { ...adapter, d3d12FeatureLevel: null, trial: null };
  const failing = { ...adapter, trial: { error: { code: 'ERR_NATIVE_CALL', message: 'it failed\nin a call' } } };
  const withDll = (change: object) => ({ adapters: [failing, { ...adapter, trial: { ...trial, ...change } }] });
  const speed = `Speed: note only a software adapter can be used -> It computes on the CPU`;
  const second = [
    'Adapter 2: GPU: ok hardware adapter, LUID 00000000-0000e4f1, driver 31.0.15.5222',
    'Adapter 2: GPU: ok memory: 8.0 GiB of its own, 16.0 GiB shared with the system',
  ];

  it.each<[string, Partial<Diagnosis>, string[]]>([
    ['Node.js 20', { node: 'v20.0.0' }, ['System: ok Node.js 20.0.0 for win32-x64']],
    ['Node.js 19', { node: 'v19.9.0' }, ['System: wrong Node.js 19.9.0 for win32-x64 -> Install Node']],
    ['arm64', { arch: 'arm64' }, ['System: ok Node.js 22.1.0 for win32-arm64']],
    ['Windows 10, version 1903', { system: { name: 'W', version: '10.0.18362' } }, ['System: ok W, 10.0.18362']],
    [
      'Windows 10, version 1809',
      { system: { name: 'W', version: '10.0.18361' } },
      ['System: wrong W, 10.0.18361 -> Update to Windows 10, version 1903, or later'],
    ],
    ['a later Windows', { system: { name: 'W', version: '11.0.1' } }, ['System: ok W, 11.0.1']],
    [
      'an older one with a large build',
      { system: { name: 'W', version: '6.1.99999' } },
      ['System: wrong W, 6.1.99999 -> Update to Windows 10, version 1903, or later'],
    ],
    [
      'a list of adapters that fails',
      { error: { code: 'ERR_NATIVE_CALL', message: 'no DXGI\nat all' }, adapters: [] },
      [`Adapters: wrong no DXGI -> ${driver}`],
    ],
    [
      'a driver without a version',
      { adapters: [{ ...adapter, driverVersion: null }] },
      ['Adapter 1: GPU: ok hardware adapter, LUID 00000000-0000e4f1, driver (version unknown)'],
    ],
    [
      'only a software adapter',
      { adapters: [software] },
      ['Adapter 1: GPU: ok software adapter, LUID 00000000-0000e4f1, driver 31.0.15.5222', speed],
    ],
    [
      'an adapter that cannot be used',
      { adapters: [unusable] },
      [`Adapter 1: GPU: wrong Direct3D 12 cannot use it -> ${driver}`],
    ],
    [
      'a second one that cannot be used',
      { adapters: [adapter, unusable] },
      [...second, `Adapter 2: GPU: note Direct3D 12 cannot use it -> ${driver}`],
    ],
    [
      'a software adapter beside one that cannot be used',
      { adapters: [software, unusable] },
      [
        'Adapter 1: GPU: ok software adapter, LUID 00000000-0000e4f1, driver 31.0.15.5222',
        ...second,
        `Adapter 2: GPU: note Direct3D 12 cannot use it -> ${driver}`,
        speed,
      ],
    ],
    ['an adapter that fails', { adapters: [failing] }, [`Adapter 1: GPU: wrong ERR_NATIVE_CALL: it failed -> ${driver}`]],
    ['a file without an addon', { files: [] }, []],
    [
      'wrong numbers of the reference',
      { reference: { ...trial, computed: [{ ...scatterNd, values: [1, 2] }] } },
      [
        'Adapter 1: GPU: wrong other numbers than the reference: scatterNd, element 1: expected 2, given 11 -> ' + driver,
        'Reference backend: wrong wrong numbers: scatterNd, element 1: expected 11, given 2 -> Install the package again on this machine: npm install node-directml',
      ],
    ],
    [
      'a debug layer that is missing',
      { debugLayer: { code: 'X', message: 'none\nhere' } },
      [
        'Debug layers: note none -> Only needed to look into errors: Settings, System, Optional features, Graphics Tools; the debug DLL of DirectML (DirectML',
      ],
    ],
  ])('of %s', (_, change, lines) => expect(changed(change)).toEqual(lines));

  it('know a software adapter beside a hardware one', () => {
    expect(changed({ adapters: [adapter, software] }).join('\n')).not.toContain('Speed');
  });

  it.each<[object, string]>([
    [{ directmlPath: 'c:\\APP\\directml.dll' }, 'ok DirectML.dll 1.15.4.0 at c:\\APP\\directml.dll'],
    [{ directmlVersion: null }, 'ok DirectML.dll  at C:\\app\\DirectML.dll'],
    [
      { directmlPath: 'C:\\app2\\DirectML.dll' },
      'wrong DirectML.dll 1.15.4.0, not the one of the package at C:\\app2\\DirectML.dll -> Install the package again: its own DirectML',
    ],
    [
      { directmlPath: null },
      'wrong DirectML.dll 1.15.4.0, not the one of the package at  -> Install the package again: its own DirectML',
    ],
  ])('of the DLL %j that the second adapter loaded', (change, line) => {
    expect(linesOf(withDll(change)).filter((each) => each.startsWith('Files:'))[2]).toBe(`Files: ${line}`);
  });

  it('of other systems know neither files nor adapters', () => {
    const lines = linesOf({ platform: 'linux', arch: 'riscv64', system: { name: 'Linux', version: '6.1' } });
    expect(lines).toEqual([
      'System: ok Node.js 22.1.0 for linux-riscv64',
      'System: note Linux, 6.1: DirectML is part of Windows -> Use the reference backend, which is the default here',
      'Reference backend: ok scatterNd, other: computed on the CPU',
    ]);
  });

  it('are concluded', () => {
    const sections = (...verdicts: ('ok' | 'note' | 'wrong')[]) => [
      { title: '', findings: verdicts.map((verdict) => ({ verdict, text: '' })) },
    ];
    expect(conclusion(sections('ok', 'note'), true)).toBe('All is well: DirectML works here.');
    expect(conclusion(sections('ok'), false)).toBe('All is well: the reference backend works here. DirectML needs Windows.');
    expect(conclusion(sections('wrong', 'ok'), true)).toBe('1 thing is wrong.');
    expect(conclusion([...sections('wrong'), ...sections('wrong')], true)).toBe('2 things are wrong.');
  });
});

describe('adapters', () => {
  it.each<[Partial<AdapterInfo> & { driverVersion: string | null }, string[]]>([
    [
      { driverVersion: '1.2.3.4' },
      [
        'LUID 00000000-0000e4f1, vendor 0x10de (NVIDIA), device 0x0084',
        'memory: 8.0 GiB of its own, 16.0 GiB shared with the system',
        'driver 1.2.3.4',
        'Direct3D feature level 12.1',
      ],
    ],
    [
      {
        vendorId: 0x12,
        dedicatedSystemMemory: 64 * 2 ** 20,
        sharedSystemMemory: 0,
        isSoftware: true,
        d3d12FeatureLevel: null,
        driverVersion: null,
      },
      [
        'LUID 00000000-0000e4f1, vendor 0x0012, device 0x0084',
        'memory: 8.0 GiB of its own, 64 MiB of system memory reserved',
        'driver (version unknown), software: it computes on the CPU',
        'Direct3D 12 cannot use it',
      ],
    ],
  ])('are described: %j', (change, facts) => expect(adapterFacts({ ...info, ...change })).toEqual(facts));

  it('may have no memory', () =>
    expect(memoryFact({ ...info, dedicatedVideoMemory: 0, sharedSystemMemory: 0 })).toBe('memory: '));

  it('have drivers of which the one seen last counts, in any order', () => {
    const entry = (seen: string, version: string) =>
      `HKEY_LOCAL_MACHINE\\x\n    VendorId    REG_DWORD    0x10de\n    DeviceId    REG_DWORD    0x84\n    DriverVersion    REG_QWORD    ${version}\n${seen}`;
    const entries = [
      entry('    LastSeen    REG_QWORD    0x2\n', '0x2'),
      entry('    LastSeen    REG_QWORD    0x9\n', '0x9'),
      entry('', '0x1'),
    ];
    for (const [a = '', b = '', c = ''] of [entries, entries.toReversed(), [entries[1], entries[2], entries[0]]]) {
      expect(driverVersionOf(info, a + b + c)).toBe('0.0.0.9');
    }
    expect(driverVersionOf(info, entry('', '0x1'))).toBe('0.0.0.1');
  });

  it('have no version of a driver on other systems', async () => {
    expect(await driverVersions([])).toEqual([]);
    expect(await driverVersions([info, info])).toEqual([null, null]);
  });
});

describe('files of the system', () => {
  const resource = Buffer.alloc(16);
  Buffer.from([0xbd, 0x04, 0xef, 0xfe, 0, 0, 1, 0]).copy(resource);
  [2, 1, 4, 3].forEach((part, i) => resource.writeUInt16LE(part, 8 + 2 * i));

  it('have a version in their resources, in the last ones', () => {
    expect(versionIn(resource)).toBe('1.2.3.4');
    expect(versionIn(Buffer.concat([resource, Buffer.alloc(9), resource.fill(7, 8, 10)]))).toBe('1.1799.3.4');
    expect(versionIn(resource.subarray(0, 15))).toBeNull();
    expect(versionIn(Buffer.alloc(0))).toBeNull();
  });

  it('are in the folder of Windows', () => {
    mkdirSync(join(folder, 'System32'));
    const path = join(folder, 'System32', 'x.dll');
    writeFileSync(path, Buffer.alloc(3));
    vi.stubEnv('SystemRoot', folder);
    try {
      expect(systemFile('x.dll')).toEqual({ name: 'x.dll', path, version: null });
      expect(systemFile('y.dll')).toEqual({ name: 'y.dll', path: null, version: null });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('a program of its own', () => {
  const runCode = (code: string, timeout = 20_000, success?: number[]) => runProgram(['-e', code], timeout, success);

  it.each<[string, string, object]>([
    ['prints its output', 'console.log(1)', { output: '1\n', failure: null }],
    ['is Node.js also in Electron', 'console.log(process.env.ELECTRON_RUN_AS_NODE)', { output: '1\n', failure: null }],
    ['ends with a code', 'console.log(1); process.exitCode = 3', { output: '1\n', failure: 'ended with exit code 3' }],
    ['ends with the largest code', 'process.exit(255)', { output: '', failure: 'ended with exit code 255' }],
  ])('%s', async (_, code, ended) => expect(await runCode(code)).toEqual(ended));

  it('may end with some codes', async () => {
    expect(await runCode('console.log(2); process.exitCode = 1', 20_000, [0, 1])).toEqual({ output: '2\n', failure: null });
    expect((await runCode('process.exit(1)')).failure).toBe('ended with exit code 1');
  });

  it('may take too long', async () => {
    expect((await runCode('setInterval(() => {}, 1000)', 300)).failure).toBe('had not ended after 0.3 s');
  });

  it('may crash', async () => {
    expect((await runCode('process.kill(process.pid, "SIGABRT")')).failure).toMatch(
      process.platform === 'win32' ? /^ended with exit code / : /^failed: Command failed: /,
    );
  });
});

describe('what it computes', () => {
  let device: Device;
  beforeEach(async () => void (device = await createDevice({ backend: 'reference', thread: 'caller' })));
  afterEach(() => device.dispose());

  it('is known', async () => {
    const computed = await compute(device);
    expect(computed.map(({ name }) => name)).toEqual(['gemm in float32', 'gemm in float16', 'scatterNd']);
    const small = (factor: number, i: number) => ((i * factor) % 5) - 2;
    const product = Array.from({ length: 1024 }, (_, i) => {
      const [row, column] = [i >> 5, i & 31];
      return Array.from({ length: 32 }, (_each, k) => small(7, 32 * row + k) * small(3, 32 * column + k)).reduce((a, b) => a + b);
    });
    for (const { values } of computed.slice(0, 2)) expect(values).toEqual(product);
    expect(computed[2]?.values).toEqual([1, 11, 3, 10, 9, 6, 7, 12]);
    for (const { milliseconds } of computed) expect(milliseconds).toBeLessThan(performance.now() / 2);
    expect(difference([known], computed)).toBeNull();
    expect(difference(computed, [known])).toBe(`gemm in float32, element 0: expected ${product[0] ?? 0}, given nothing`);
    expect(difference([known], [{ ...known, values: [1, 11, 3] }])).toBe('scatterNd, element 3: expected 10, given nothing');
  });

  const as = (change: object) => {
    const createGraph = () => device.createGraph();
    return {
      info: { ...device.info, backend: 'directml', featureLevel: '6.3', tensorDataTypes: ['uint4'], ...change },
      createGraph,
    } as unknown as Device;
  };

  it.each<[object, boolean | null]>([
    [{}, false],
    [{ featureLevel: '6.2' }, null],
    [{ tensorDataTypes: ['uint8'] }, null],
    [{ backend: 'reference' }, null],
  ])('by 4-bit weights, on a device with %j', async (change, fuses) => {
    const createGraph = vi.spyOn(device, 'createGraph');
    expect(await fusesWeights(as(change))).toBe(fuses);
    expect(createGraph).toHaveBeenCalledTimes(fuses === null ? 0 : 1);
  });

  it.each([0, 1, 2])('says whether %i products were fused', async (fused) => {
    const dispose = vi.fn();
    const graph = Object.assign(device.createGraph(), { compile: async () => ({ dispose, dequantizedGemms: { fused } }) });
    vi.spyOn(device, 'createGraph').mockReturnValue(graph);
    expect(await fusesWeights(as({}))).toBe(fused === 1);
    expect(dispose).toHaveBeenCalledTimes(1);
  });

  it('is tried on a device that is then gone, or gives the error', async () => {
    const dispose = vi.spyOn(Object.getPrototypeOf(device) as Device, 'dispose');
    try {
      expect(await tryDevice({ backend: 'reference' })).toMatchObject({
        directmlPath: null,
        fusesWeights: null,
        computed: [{}, {}, {}],
      });
      expect(dispose).toHaveBeenCalledTimes(1);
    } finally {
      dispose.mockRestore();
    }
    const wrong = { backend: 'reference', featureLevel: '9.9' as FeatureLevel } as const;
    expect(await tryDevice(wrong)).toMatchObject({ error: { code: 'ERR_INVALID_ARGUMENT' } });
    const error = caught(() => device.createTensor({ dataType: 'float32', sizes: [0] }));
    expect(errorFacts(error)).toEqual({ code: error.code, message: error.message, hresultName: undefined });
    expect(errorFacts(new RangeError('text'))).toEqual({ code: 'unknown', message: 'text' });
    expect(errorFacts('text')).toEqual({ code: 'unknown', message: 'text' });
  });

  it('runs on a machine that is described', async () => {
    const { lines, facts } = await describeMachine(device);
    expect(facts).toMatchObject({ backend: 'reference', directmlVersion: null, adapter: null, driverVersion: null });
    const { cpu, cores, system, featureLevel } = facts as Record<string, string>;
    expect(system).toMatch(process.platform === 'win32' ? /^Windows / : /^Linux \S+ \w+$/);
    expect(lines[0]).toMatch(new RegExp(`^node-directml [\\d.]+, Node\\.js ${process.version.slice(1)}, ${system ?? ''}`));
    expect(lines[1]).toBe(
      `DirectML (none), feature level ${featureLevel ?? ''}, ${cpu ?? ''} with ${cores ?? ''} core${Number(cores) === 1 ? '' : 's'}, reference backend`,
    );
    const gpu = { info: { ...device.info, adapter: info, directmlVersion: '1.15.4.0' } } as Device;
    expect((await describeMachine(gpu)).lines[1]).toBe(
      `DirectML 1.15.4.0, feature level ${featureLevel ?? ''}, GPU, driver (version unknown)`,
    );
  });
});

describe('its report', () => {
  const file = () => join(folder, 'report.json');

  it('has what it found, also without an adapter that works', async () => {
    const progress: string[] = [];
    const failed = { ...adapter, trial: { error: { code: 'X', message: 'x' } } };
    const adapters = [failed, { ...adapter, trial: null }];
    await writeReport({ file: file(), findings: ['one', 'two'], adapters }, (text) => progress.push(text));
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
      report: 'node-directml',
      version: 1,
      findings: ['one', 'two'],
      adapters: [],
    });
    expect(progress).toEqual([]);
  });

  it('says which parts failed on an adapter', async () => {
    vi.stubEnv('TMPDIR', folder);
    const progress: string[] = [];
    const written: unknown[] = [];
    const note = (text: string) => {
      progress.push(text);
      written.push(JSON.parse(readFileSync(file(), 'utf8')).adapters);
    };
    try {
      // There is no DirectML here.
      await writeReport({ file: file(), findings: [], adapters: [adapter] }, note);
    } finally {
      vi.unstubAllEnvs();
    }
    const failures = ['bench', 'conformance'].map((part) => `${part}: the process wrote nothing. It had printed: `);
    expect(progress).toEqual(['bench of GPU', 'conformance of GPU']);
    expect(written).toEqual([[], [{ adapter: 'GPU', failures: ['bench was begun and has not ended'] }]]);
    expect(JSON.parse(readFileSync(file(), 'utf8')).adapters).toEqual([{ adapter: 'GPU', failures }]);
  });
});
