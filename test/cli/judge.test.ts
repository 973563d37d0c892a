/** The doctor's judgements of machines with faults, and how it reads driver and file versions from Windows. */
import { describe, expect, it, test } from 'vitest';
import type { AdapterInfo } from 'node-directml';
import { driverVersionOf } from '#lib/cli/doctor/drivers.js';
import type { AdapterDiagnosis, Diagnosis } from '#lib/cli/doctor/gather.js';
import { conclusion, judge } from '#lib/cli/doctor/judge.js';
import { versionIn } from '#lib/cli/doctor/system-files.js';

const scatterNd = { name: 'scatterNd', milliseconds: 1, values: [1, 11, 3, 10, 9, 6, 7, 12] };
const computed = [scatterNd];
const dll = { directmlPath: 'C:\\app\\DirectML.dll', directmlVersion: '1.15.4.0' };
const trial = { featureLevel: '6.4', ...dll, computed, fusesWeights: true };

const info: AdapterInfo = {
  name: 'GPU',
  luid: '00000000-0000e4f1',
  vendorId: 0x10de,
  deviceId: 0x2484,
  dedicatedVideoMemory: 8 * 2 ** 30,
  dedicatedSystemMemory: 0,
  sharedSystemMemory: 16 * 2 ** 30,
  isSoftware: false,
  d3d12FeatureLevel: '12_1',
};
const adapter: AdapterDiagnosis = { ...info, driverVersion: '31.0.15.5222', trial };

const well: Diagnosis = {
  package: '1.0.0',
  node: 'v22.1.0',
  platform: 'win32',
  arch: 'x64',
  system: { name: 'Windows 11 Pro', version: '10.0.22631' },
  files: [
    { name: 'node-directml.node', path: 'C:\\app\\node-directml.node', version: null },
    { name: 'd3d12.dll', path: 'C:\\Windows\\System32\\d3d12.dll', version: '10.0.22621.1' },
  ],
  error: null,
  adapters: [adapter],
  debugLayer: null,
  reference: { ...trial, directmlPath: null, directmlVersion: null },
};

/** The findings that are not ok, as `verdict: text -> remedy`. */
function complaints(diagnosis: Diagnosis): string[] {
  return judge(diagnosis).flatMap(({ findings }) =>
    findings.flatMap(({ verdict, text, remedy }) => (verdict === 'ok' ? [] : [`${verdict}: ${text} -> ${remedy}`])),
  );
}

const failing = (code: string, message = 'it failed') => ({ ...adapter, trial: { error: { code, message } } });
const wrongNumbers = { ...adapter, trial: { ...trial, computed: [{ ...scatterNd, values: [1, 11, 3, 10, 9, 6, 7, 0] }] } };
const unusable = { ...adapter, d3d12FeatureLevel: null, trial: null };

test('a machine without faults has no complaints', () => {
  expect(complaints(well)).toEqual([]);
  expect(conclusion(judge(well), true)).toBe('All is well: DirectML works here.');
  const found = judge(well).flatMap(({ findings }) => findings);
  expect(found.find(({ text }) => text.startsWith('d3d12.dll'))).toMatchObject({ verdict: 'ok', path: well.files[1]?.path });
});

describe('says what is wrong, and what to do', () => {
  it.each<[string, Partial<Diagnosis>, RegExp[]]>([
    ['an old Node.js', { node: 'v18.20.0' }, [/^wrong: Node.js 18.* -> Install Node.js 20/]],
    ['another processor', { arch: 'ia32' }, [/^wrong: .*ia32 -> Install Node.js for x64 or arm64/]],
    ['an old Windows', { system: { name: 'W', version: '10.0.17134' } }, [/^wrong: W, 10.0.17134 -> Update/]],
    ['Windows 8', { system: { name: 'W', version: '6.3.9600' } }, [/^wrong: W, 6.3.9600 -> Update/]],
    [
      'no addon',
      { error: { code: 'ERR_ADDON_NOT_FOUND', message: 'there is no addon\n- do this' }, adapters: [], files: [] },
      [/^wrong: there is no addon -> Install the package again/],
    ],
    [
      'a file of Windows that is missing',
      { files: [{ name: 'dxgi.dll', path: null, version: null }] },
      [/^wrong: dxgi.dll: not found -> Repair Windows/],
    ],
    [
      "Windows' own DirectML.dll",
      { adapters: [{ ...adapter, trial: { ...trial, directmlPath: 'C:\\Windows\\System32\\DirectML.dll' } }] },
      [/^wrong: DirectML.dll .*not the one of the package -> Install the package again/],
    ],
    ['no adapter', { adapters: [] }, [/^wrong: Windows lists no adapter -> Install the latest driver/]],
    ['an adapter without Direct3D 12', { adapters: [unusable] }, [/^wrong: Direct3D 12 cannot use it -> Install/]],
    ['such an adapter beside a good one', { adapters: [adapter, unusable] }, [/^note: Direct3D 12 cannot use it -> Install/]],
    ['a driver that crashes', { adapters: [failing('crash')] }, [/^wrong: crash: it failed -> The driver probably crashed/]],
    ['a lost device', { adapters: [failing('ERR_DEVICE_LOST')] }, [/^wrong: ERR_DEVICE_LOST: it failed -> The driver gave up/]],
    ['any other error', { adapters: [failing('ERR_NEW')] }, [/^wrong: ERR_NEW: it failed -> Install the package again/]],
    [
      'wrong numbers on the second adapter',
      { adapters: [adapter, wrongNumbers] },
      [/^wrong: other numbers than the reference: scatterNd, element 7: expected 12, given 0 -> .*conformance/],
    ],
    [
      'only a software adapter',
      { adapters: [{ ...adapter, isSoftware: true }] },
      [/^note: only a software adapter can be used -> It computes on the CPU/],
    ],
    [
      'no debug layer',
      { debugLayer: { code: 'ERR_NATIVE_CALL', message: 'not installed' } },
      [/^note: not installed -> .*Graphics Tools/],
    ],
    [
      'a reference backend that fails',
      { reference: { error: { code: 'ERR', message: 'broken' } } },
      [/^note: scatterNd: computed, with nothing to compare/, /^wrong: broken -> Install/],
    ],
    ['Linux', { platform: 'linux', files: [], adapters: [] }, [/^note: .*DirectML is part of Windows -> Use the reference/]],
  ])('%s', (_, change, expected) => {
    const diagnosis = { ...well, ...change };
    const found = complaints(diagnosis);
    expect(found).toHaveLength(expected.length);
    for (const [i, pattern] of expected.entries()) expect(found[i]).toMatch(pattern);
    const count = expected.filter(({ source }) => source.startsWith('^wrong')).length;
    expect(conclusion(judge(diagnosis), true)).toMatch(count === 0 ? /^All is well/ : /^1 thing is wrong/);
  });
});

describe('driver versions', () => {
  const keyOf = (luid: string, lastSeen: string, version: string, device = '0x2484') => `
HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\DirectX\\{${luid}}
    Description    REG_SZ    GPU 0x1
    VendorId    REG_DWORD    0x10de
    DeviceId    REG_DWORD    ${device}
    AdapterLuid    REG_QWORD    ${luid}
    DriverVersion    REG_QWORD    ${version}
    LastSeen    REG_QWORD    ${lastSeen}
`;
  const one = keyOf('0xe4f1', '0x2', '0x1f0000000f1466');

  it('is found by the LUID', () => {
    expect(driverVersionOf(info, one)).toBe('31.0.15.5222');
    const newer = keyOf('0x1', '0x9', '0x1');
    expect(driverVersionOf(info, newer + one.replaceAll('\n', '\r\n'))).toBe('31.0.15.5222');
  });

  it('is that of the entry seen last if no entry has the LUID', () => {
    expect(driverVersionOf({ ...info, luid: '00000000-00000007' }, one + keyOf('0x1', '0x9', '0x1000200030004'))).toBe('1.2.3.4');
  });

  it('is unknown if all entries are of other devices, or there is none', () => {
    expect(driverVersionOf(info, keyOf('0xe4f1', '0x2', '0x1', '0x2485'))).toBeNull();
    expect(driverVersionOf(info, '')).toBeNull();
  });
});

test('reads the version of a DLL from its resources', () => {
  const resource = Buffer.alloc(52);
  resource.writeUInt32LE(0xfeef04bd, 0);
  resource.writeUInt32LE(0x10000, 4);
  [0, 10, 0x0afe, 0x585d].forEach((part, i) => resource.writeUInt16LE(part, 8 + 2 * i));
  expect(versionIn(Buffer.concat([Buffer.alloc(100), resource]))).toBe('10.0.22621.2814');
  expect(versionIn(Buffer.alloc(100))).toBeNull();
  expect(versionIn(Buffer.concat([Buffer.alloc(100), resource.subarray(0, 12)]))).toBeNull();
});

test.each([
  [true, 'dequantize and gemm are one operation in graphs'],
  [false, 'dequantize writes floats for gemm, since this driver does not take both as one operation'],
  [null, undefined],
])('4-bit weights: %s', (fusesWeights, fact) => {
  const found = judge({ ...well, adapters: [{ ...adapter, trial: { ...trial, fusesWeights } }] });
  const [text] = found.flatMap(({ findings }) =>
    findings.flatMap((finding) => /^4-bit weights: (.*)/.exec(finding.text)?.[1] ?? []),
  );
  expect(text).toBe(fact);
});
