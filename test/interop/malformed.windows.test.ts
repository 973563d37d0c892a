/** Memory and fences that cannot be shared: each is refused with a typed error that says what was found. */
import { DirectMLError, type Device } from 'node-directml';
import { beforeAll, describe, expect, test } from 'vitest';
import { deviceOn } from '../support/devices.js';
import { caught } from '../support/errors.js';
import { formatNumbers, interop } from '../../checks/interop/addon.js';

const device = deviceOn('directml');
let foreign: unknown;
beforeAll(() => {
  foreign = interop.createDevice();
});

const imports: readonly (keyof Device & ('importBuffer' | 'importTexture' | 'importFence'))[] = [
  'importBuffer',
  'importTexture',
  'importFence',
];

/** Calls an import with a value that may be of any type. */
function refused(method: (typeof imports)[number], external: unknown, options: object = {}): DirectMLError {
  return caught(() => device()[method]({ external, ...options }));
}

describe.each(imports)('%s', (method) => {
  test.each([null, 7, 'handle', {}, [], Buffer.alloc(8), 8n])('refuses %s', (value) => {
    expect(refused(method, value)).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'source.external' });
  });

  test.each(['untagged', 'tag', 'version', 'size', 'null'] as const)('refuses an external of another %s', (kind) => {
    const error = refused(method, interop.malformed(kind));
    expect(error).toMatchObject({ code: 'ERR_NOT_SHAREABLE', field: 'external' });
    expect(error.message).toContain('node_directml_wrap_com_object');
  });

  test('refuses the device itself', () => {
    expect(refused(method, device().native).code).toBe('ERR_NOT_SHAREABLE');
    expect(refused(method, foreign).code).toBe('ERR_NOT_SHAREABLE');
  });

  test('refuses unknown options', () => {
    const external = interop.createFence(device().native);
    expect(refused(method, external, { handle: 1 })).toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
});

test('objects of another ID3D12Device are refused with both adapters', ({ skip }) => {
  skip(interop.isSameDevice(device().native, foreign), 'this process has one ID3D12Device for the adapter');
  const { luid } = device().info.adapter ?? { luid: 'none' };
  const objects = {
    importBuffer: interop.createBuffer(foreign, { size: 64 }),
    importTexture: interop.createTexture(foreign, { width: 4, height: 4 }),
    importFence: interop.createFence(foreign),
  };
  for (const method of imports) {
    const error = refused(method, objects[method]);
    expect(error.code).toBe('ERR_NOT_SHAREABLE');
    expect(error.message.split(luid)).toHaveLength(3);
  }
});

describe('buffers', () => {
  const wrong: [found: string, desc: { size?: number; heap?: number; unordered?: 0 | 1 }][] = [
    ['upload heap', { heap: 2, unordered: 0 }],
    ['readback heap', { heap: 3, unordered: 0 }],
    ['without it', { unordered: 0 }],
    ['3 bytes', { size: 3 }],
  ];
  test.each(wrong)('a buffer: %s', (found, desc) => {
    const error = refused('importBuffer', interop.createBuffer(device().native, { size: 64, ...desc }));
    expect(error.code).toBe('ERR_NOT_SHAREABLE');
    if (desc.heap === undefined) expect(error.message).toContain(found);
  });

  test.each([
    ['source.offset', { offset: -1 }],
    ['source.offset', { offset: 1.5 }],
    ['source.sizeInBytes', { sizeInBytes: 0 }],
    ['offset', { offset: 8 }],
    ['sizeInBytes', { offset: 64 }],
    ['sizeInBytes', { offset: 2 ** 40 }],
    ['sizeInBytes', { sizeInBytes: 6 }],
    ['sizeInBytes', { sizeInBytes: 68 }],
    ['sizeInBytes', { offset: 48, sizeInBytes: 20 }],
  ])('%s of %o', (field, options) => {
    const external = interop.createBuffer(device().native, { size: 64 });
    expect(refused('importBuffer', external, options)).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field });
  });

  test('the numbers of the struct may lie', () => {
    const { native } = device().createBuffer(64);
    const lies: [bigint, bigint][] = [
      [0n, 65n],
      [16n, 64n],
      [64n, 4n],
      [2n ** 64n - 16n, 64n],
      [2n ** 63n, 2n ** 63n],
      [0n, 2n ** 64n - 2n],
    ];
    for (const [offset, size] of lies) {
      const error = refused('importBuffer', interop.malformedBuffer(native, offset, size));
      expect(error).toBeInstanceOf(DirectMLError);
      expect(['ERR_NOT_SHAREABLE', 'ERR_INVALID_ARGUMENT']).toContain(error.code);
    }
    const inner = interop.malformedBuffer(native, 16n, 32n);
    expect(device().importBuffer({ external: inner }).sizeInBytes).toBe(32);
    expect(refused('importBuffer', inner, { offset: 16, sizeInBytes: 20 }).field).toBe('sizeInBytes');
  });
});

describe('textures', () => {
  test.each([
    ['a buffer', null],
    ['a 1D texture', { dimension: 1, height: 1 }],
    ['a 3D texture', { dimension: 3, slices: 4 }],
    ['DXGI_FORMAT 2', { format: 2 }],
    ['DXGI_FORMAT 24', { format: 24 }],
    ['4 samples', { samples: 4, flags: 1 }],
    ['3 mip levels', { mips: 3 }],
    ['2 array slices', { slices: 2 }],
  ] as const)('%s', (found, desc) => {
    const { native } = device();
    const size = { width: 16, height: 16, format: formatNumbers.bgra8unorm };
    const external =
      desc === null ? interop.createBuffer(native, { size: 64 }) : interop.createTexture(native, { ...size, ...desc });
    const error = refused('importTexture', external);
    expect(error.code).toBe('ERR_NOT_SHAREABLE');
    expect(error.message).toContain(found);
  });

  test('a texture is no buffer and no fence', () => {
    const external = interop.createTexture(device().native, { width: 4, height: 4 });
    expect(refused('importBuffer', external)).toMatchObject({ code: 'ERR_NOT_SHAREABLE' });
    expect(refused('importFence', external)).toMatchObject({ code: 'ERR_NOT_SHAREABLE' });
  });
});
