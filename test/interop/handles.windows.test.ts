/** Buffers, textures and fences that are shared by handles of Windows. */
import { fileURLToPath } from 'node:url';
import { createDevice, type Device, type SharedSource } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { describe, expect, test, vi } from 'vitest';
import { deviceOn } from '../support/devices.js';
import { caught } from '../support/errors.js';
import { formatNumbers, interop } from '../../checks/interop/addon.js';

const device = deviceOn('directml');
const other = deviceOn('directml');
const bytes = (count: number, first = 0) => Uint8Array.from({ length: count }, (_, i) => (first + i * 7) & 255);
const nameOf = (what: string) => `Local\\node-directml-test-${process.pid}-${what}`;

/** As in Electron's `ntHandle`. */
function bytesOf(handle: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(handle);
  return buffer;
}

/** A texture of the addon with a handle. */
function sharedTexture(texels: Uint8Array) {
  const desc = { width: 16, height: texels.length / 64, format: formatNumbers.bgra8unorm, heapFlags: 1 };
  const external = interop.createTexture(device().native, desc);
  interop.writeTexture(external, texels);
  return { external, handle: interop.createHandle(external) };
}

describe('buffers', () => {
  test('two devices exchange a buffer, and a fence orders their work', async () => {
    const buffer = device().createBuffer(1000, { shared: true, label: 'shared' });
    const fence = device().createFence({ label: 'ready' });
    const theirs = other().importBuffer({ handle: buffer.exportHandle() });
    const theirFence = other().importFence({ handle: fence.exportHandle() });
    expect([buffer.sizeInBytes, theirs.sizeInBytes, fence.value, theirFence.value]).toEqual([1000, 1000, 0n, 0n]);
    // New memory is all zeros for the other device, too.
    expect(new Uint8Array(await theirs.read())).toEqual(new Uint8Array(1000));
    for (let turn = 1n; turn <= 10n; turn += 1n) {
      other().waitFor(theirFence, turn);
      const reading = theirs.read();
      buffer.write(bytes(1000, Number(turn)));
      device().signal(fence, turn);
      expect(new Uint8Array(await reading)).toEqual(bytes(1000, Number(turn)));
    }
  });

  test('operators compute in an imported buffer', async () => {
    const buffer = device().createBuffer(1024, { shared: true });
    buffer.write(Float32Array.from({ length: 128 }, (_, i) => i));
    await device().idle();
    const memory = other().importBuffer({ handle: buffer.exportHandle(), offset: 0, sizeInBytes: 1024 });
    const x = other().createTensor({ dataType: 'float32', sizes: [128] }, { buffer: memory });
    const y = other().createTensor({ dataType: 'float32', sizes: [128] }, { buffer: memory, offset: 512 });
    await other().run({ type: 'elementWiseAdd', aTensor: x, bTensor: x, outputTensor: y });
    await other().idle();
    expect([...new Float32Array(await buffer.read(512))]).toEqual(Array.from({ length: 128 }, (_, i) => 2 * i));
  });

  test('a handle is a bigint, its bytes, or a name', async () => {
    const buffer = device().createBuffer(64, { shared: { name: nameOf('buffer') } });
    buffer.write(bytes(64));
    await device().idle();
    const handle = buffer.exportHandle();
    const within = new Uint8Array([9, ...bytesOf(handle), 9]).subarray(1, 9);
    const sources: SharedSource[] = [{ handle }, { handle: bytesOf(handle) }, { handle: within }, { name: nameOf('buffer') }];
    for (const source of sources) {
      using imported = other().importBuffer(source);
      expect(new Uint8Array(await imported.read())).toEqual(bytes(64));
    }
    using part = other().importBuffer({ name: nameOf('buffer'), offset: 16, sizeInBytes: 8 });
    expect(new Uint8Array(await part.read())).toEqual(bytes(64).slice(16, 24));
  });

  test('two imports of one handle are ordered as one buffer', async () => {
    const handle = device().createBuffer(4096, { shared: true }).exportHandle();
    const [first, second] = [other().importBuffer({ handle }), other().importBuffer({ handle })];
    const a = other().createTensor({ dataType: 'float32', sizes: [1024] }, { buffer: first });
    const b = other().createTensor({ dataType: 'float32', sizes: [1024] }, { buffer: second });
    const sum = other().createTensor({ dataType: 'float32', sizes: [1024] });
    for (let i = 1; i <= 20; i += 1) {
      await other().run({ type: 'fillValueConstant', value: i, valueDataType: 'float32', outputTensor: a });
      await other().run({ type: 'elementWiseAdd', aTensor: b, bTensor: sum, outputTensor: sum });
    }
    expect([...new Set(await sum.read())]).toEqual([210]);
  });

  test('an imported buffer can be exported again', async () => {
    const buffer = device().createBuffer(64, { shared: true });
    buffer.write(bytes(64));
    await device().idle();
    const imported = other().importBuffer({ handle: buffer.exportHandle() });
    expect(imported.exportHandle()).not.toBe(buffer.exportHandle());
    buffer.dispose();
    await device().idle();
    const again = device().importBuffer({ handle: imported.exportHandle() });
    expect(new Uint8Array(await again.read())).toEqual(bytes(64));
  });

  test('other code opens the handle', async () => {
    const external = interop.createBuffer(device().native, { size: 256, heapFlags: 1 });
    interop.writeBuffer(external, 0, bytes(256));
    const handle = interop.createHandle(external);
    const buffer = device().importBuffer({ handle });
    interop.closeHandle(handle);
    expect(new Uint8Array(await buffer.read())).toEqual(bytes(256));
  });
});

describe('textures', () => {
  test.each(['bigint', 'bytes', 'duplicate'])('a texture is imported by a %s', async (kind) => {
    const { handle } = sharedTexture(bytes(16 * 8 * 4));
    const given = kind === 'bytes' ? bytesOf(handle) : kind === 'duplicate' ? interop.duplicateHandle(handle) : handle;
    if (kind === 'duplicate') interop.closeHandle(handle);
    const texture = device().importTexture({ handle: given, label: 'frame' });
    expect([texture.width, texture.height, texture.format]).toEqual([16, 8, 'bgra8unorm']);
    const tensor = device().createTensor({ dataType: 'uint8', sizes: [1, 8, 16, 4] });
    await texture.copyTo(tensor, { channels: 'bgra', layout: 'nhwc' });
    expect([...(await tensor.read())]).toEqual([...bytes(16 * 8 * 4)]);
  });

  test('frames go from one device to the texture that another one imported', async () => {
    const { external, handle } = sharedTexture(new Uint8Array(16 * 4 * 4));
    const texture = other().importTexture({ handle });
    const tensor = other().createTensor({ dataType: 'uint8', sizes: [1, 4, 16, 4] }, bytes(256));
    await texture.copyFrom(tensor, { channels: 'bgra', layout: 'nhwc' });
    await other().idle();
    expect(interop.readTexture(external)).toEqual(bytes(256));
  });
});

describe('fences', () => {
  test('a fence is imported by a handle of other code, and by a name', async () => {
    const external = interop.createFence(device().native);
    const byHandle = device().importFence({ handle: interop.createHandle(external) });
    device().signal(byHandle, 3n);
    await vi.waitFor(() => expect(interop.fenceValue(external)).toBe(3n));
    const own = device().createFence({ name: nameOf('fence') });
    const byName = other().importFence({ name: nameOf('fence') });
    other().signal(byName, 2n ** 64n - 2n);
    await vi.waitFor(() => expect(own.value).toBe(2n ** 64n - 2n));
  });

  test('two imports of one handle know the values that the other one signals', () => {
    const handle = device().createFence().exportHandle();
    const [first, second] = [other().importFence({ handle }), other().importFence({ handle })];
    other().signal(first, 5n);
    expect(caught(() => other().signal(second, 5n))).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'value' });
  });
});

describe('lifetimes', () => {
  test('the importer keeps the memory when the exporter is disposed of, lost or collected', async () => {
    const own = await createDevice({ backend: 'directml' });
    const buffer = own.createBuffer(1 << 16, { shared: true });
    const fence = own.createFence();
    buffer.write(bytes(1 << 16));
    own.signal(fence, 1n);
    const imported = other().importBuffer({ handle: buffer.exportHandle() });
    const importedFence = other().importFence({ handle: fence.exportHandle() });
    other().waitFor(importedFence, 1n);
    const first = imported.read();
    own.dispose();
    expect(new Uint8Array(await first)).toEqual(bytes(1 << 16));
    expect(new Uint8Array(await imported.read())).toEqual(bytes(1 << 16));
    expect(caught(() => buffer.exportHandle()).code).toBe('ERR_DISPOSED');
    expect(caught(() => fence.exportHandle()).code).toBe('ERR_DISPOSED');
  });

  test('a handle ends with its buffer, and a name with the last handle', async () => {
    const name = nameOf('short');
    const buffer = device().createBuffer(64, { shared: { name } });
    const handle = buffer.exportHandle();
    expect(buffer.exportHandle()).toBe(handle);
    expect(caught(() => device().createBuffer(64, { shared: { name } }))).toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      field: 'name',
    });
    const duplicate = interop.duplicateHandle(handle);
    expect(interop.isSameObject(handle, duplicate)).toBe(true);
    buffer.dispose();
    await device().idle();
    // The value may stand for a handle of another thread by now, which must stay open.
    expect(interop.isSameObject(handle, duplicate)).toBe(false);
    expect(caught(() => other().importBuffer({ handle }))).toMatchObject({ code: 'ERR_NOT_SHAREABLE', field: 'handle' });
    expect(other().importBuffer({ name }).sizeInBytes).toBe(64);
    other().importBuffer({ handle: duplicate }).dispose();
    interop.closeHandle(duplicate);
  });

  test('a value that is used again is the new handle', () => {
    const [small, large] = [64, 128].map((size) => interop.createBuffer(device().native, { size, heapFlags: 1 }));
    const isUsedAgain = () => {
      const old = interop.createHandle(small);
      interop.closeHandle(old);
      const handle = interop.createHandle(large);
      if (handle === old) expect(device().importBuffer({ handle }).sizeInBytes).toBe(128);
      interop.closeHandle(handle);
      return handle === old;
    };
    // Another thread may get the value first.
    expect(Array.from({ length: 100 }, isUsedAgain)).toContain(true);
  });

  test('nothing is left open', async () => {
    const { liveObjects } = loadAddon().binding;
    const before = liveObjects();
    const made = Array.from({ length: 50 }, () => {
      const buffer = device().createBuffer(4096, { shared: true });
      const fence = device().createFence();
      const handles = [buffer.exportHandle(), fence.exportHandle()] as const;
      return {
        handles,
        all: [buffer, fence, other().importBuffer({ handle: handles[0] }), other().importFence({ handle: handles[1] })],
      };
    });
    for (const { all } of made) for (const object of all) object.dispose();
    await Promise.all([device().idle(), other().idle()]);
    // Fewer if objects of other tests are collected meanwhile.
    const after = liveObjects();
    expect(after.buffers).toBeLessThanOrEqual(before.buffers);
    expect(after.fences).toBeLessThanOrEqual(before.fences);
    expect(after.bufferBytes).toBeLessThanOrEqual(before.bufferBytes);
    const open = made
      .flatMap(({ handles }) => handles)
      .filter((handle) => {
        try {
          interop.closeHandle(interop.duplicateHandle(handle));
          return true;
        } catch {
          return false;
        }
      });
    // Another handle of the process may have got one of the values.
    expect(open.length).toBeLessThan(10);
  });
});

describe('what is refused', () => {
  const imports = ['importBuffer', 'importTexture', 'importFence'] as const;
  const refused = (method: keyof Device & (typeof imports)[number], source: object) => caught(() => device()[method](source));

  describe.each(imports)('%s', (method) => {
    test.each([
      [{}, 'source'],
      [{ handle: 4n, name: 'x' }, 'source'],
      [{ external: null, handle: 4n }, 'source'],
      [{ handle: 0n }, 'source.handle'],
      [{ handle: -4n }, 'source.handle'],
      [{ handle: 2n ** 64n - 1n }, 'source.handle'],
      [{ handle: 2n ** 64n + 4n }, 'source.handle'],
      [{ handle: 4 }, 'source.handle'],
      [{ handle: null }, 'source.handle'],
      [{ handle: '4' }, 'source.handle'],
      [{ handle: Buffer.alloc(8) }, 'source.handle'],
      [{ handle: Buffer.alloc(8, 255) }, 'source.handle'],
      [{ handle: Buffer.alloc(4, 1) }, 'source.handle'],
      [{ handle: new Uint16Array(4).fill(1) }, 'source.handle'],
      [{ handle: new ArrayBuffer(8) }, 'source.handle'],
      [{ name: '' }, 'source.name'],
      [{ name: 'Local\\a\0b' }, 'source.name'],
      [{ name: 'a'.repeat(261) }, 'source.name'],
      [{ name: Buffer.from('a') }, 'source.name'],
    ])('%o', (source, field) => {
      expect(refused(method, source)).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field });
    });

    test('handles of other objects, and closed ones', () => {
      const [event, file, closed] = [
        interop.createEvent(),
        interop.openFile(fileURLToPath(import.meta.url)),
        interop.duplicateHandle(device().createFence().exportHandle()),
      ];
      interop.closeHandle(closed);
      const found: [bigint, string][] = [
        [event, 'Event'],
        [file, 'File'],
        // Another object of the process may have got the value.
        [closed, 'given 0x'],
        [2n ** 64n - 2n, 'Thread'],
        [0x7fff_fff0n, 'not open in this process'],
        [2n ** 40n, 'not open in this process'],
      ];
      for (const [handle, text] of found) {
        const error = refused(method, { handle });
        expect(error).toMatchObject({ code: 'ERR_NOT_SHAREABLE', field: 'handle' });
        expect(error.message).toContain(text);
      }
      for (const handle of [event, file]) interop.closeHandle(handle);
    });

    test('names of nothing, and of other objects', () => {
      const name = nameOf('event');
      const event = interop.createEvent(name);
      for (const wrong of [name, nameOf('nothing'), 'Local\\', '\\', 'a\\b\\c', '\ud800']) {
        expect(refused(method, { name: wrong })).toMatchObject({ code: 'ERR_NOT_SHAREABLE', field: 'name' });
      }
      interop.closeHandle(event);
    });
  });

  test('the handle of another kind, with the method that imports it', () => {
    const buffer = device().createBuffer(64, { shared: true }).exportHandle();
    const fence = device().createFence().exportHandle();
    const { handle: texture } = sharedTexture(new Uint8Array(256));
    const found = [
      ['importTexture', buffer, 'importBuffer'],
      ['importFence', buffer, 'importBuffer'],
      ['importBuffer', texture, 'importTexture'],
      ['importFence', texture, 'importTexture'],
      ['importBuffer', fence, 'importFence'],
      ['importTexture', fence, 'importFence'],
    ] as const;
    for (const [method, handle, advice] of found) {
      const error = refused(method, { handle });
      expect(error).toMatchObject({ code: 'ERR_NOT_SHAREABLE', field: 'handle' });
      expect(error.message).toContain(advice);
    }
  });

  test('exports of what has no handle', () => {
    const external = interop.createFence(device().native);
    for (const call of [
      () => device().createBuffer(64).exportHandle(),
      () => device().createBuffer(64, { shared: false }).exportHandle(),
      () => device().importFence({ external }).exportHandle(),
    ]) {
      expect(caught(call).code).toBe('ERR_NOT_SHAREABLE');
    }
  });

  test('wrong options', () => {
    const create = (options: object) => caught(() => device().createBuffer(64, options));
    for (const shared of [null, 1, 'name', []]) expect(create({ shared }).code).toBe('ERR_INVALID_ARGUMENT');
    for (const name of [undefined, '', 1, 'a\0', 'a'.repeat(261)]) {
      expect(create({ shared: { name } })).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'options.shared.name' });
    }
    expect(create({ shared: { name: 'a\\b\\c' } })).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'name' });
    expect(caught(() => device().createFence({ name: '' }))).toMatchObject({ field: 'options.name' });
  });
});
