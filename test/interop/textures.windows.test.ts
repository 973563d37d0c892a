/** Copies between textures of another addon and tensors or buffers, compared with the same computed in JavaScript. */
import { createDevice, fromFloat16Bits, toFloat16Bits, type PixelOptions, type Tensor, type TextureFormat } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { describe, expect, test } from 'vitest';
import { Random } from '../../checks/harness/random.js';
import { collected } from '../support/collected.js';
import { deviceOn } from '../support/devices.js';
import { caught, gist, rejected } from '../support/errors.js';
import { polluted } from '../../checks/malformed/objects.js';
import { interop, makeTexture } from '../../checks/interop/addon.js';

const device = deviceOn('directml');
const channelsOf: Readonly<Record<TextureFormat, string>> = {
  bgra8unorm: 'bgra',
  rgba8unorm: 'rgba',
  rgba16float: 'rgba',
  r8unorm: 'r',
};
const formats = ['bgra8unorm', 'rgba8unorm', 'rgba16float', 'r8unorm'] as const;

/** Random texels: bytes, or float16 bits of small numbers. */
function texelsOf(format: TextureFormat, width: number, height: number, seed = 1): Uint8Array {
  const random = new Random(seed);
  const count = width * height * channelsOf[format].length;
  if (format !== 'rgba16float') return Uint8Array.from({ length: count }, () => random.int(0, 255));
  const numbers = Float32Array.from({ length: count }, () => random.int(-512, 512) / 8);
  return new Uint8Array(toFloat16Bits(numbers).buffer);
}

/** The channels of texels as numbers. */
function numbersOf(format: TextureFormat, texels: Uint8Array): number[] {
  if (format !== 'rgba16float') return [...texels];
  return [...fromFloat16Bits(new Uint16Array(texels.slice().buffer))];
}

async function elementsOf(tensor: Tensor): Promise<number[]> {
  const elements: ArrayLike<number | bigint> = await tensor.read();
  return [...(elements instanceof Uint16Array ? fromFloat16Bits(elements) : Array.from(elements, Number))];
}

function eachElement(width: number, height: number, count: number, visit: (x: number, y: number, c: number) => void): void {
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) for (let c = 0; c < count; c += 1) visit(x, y, c);
}

describe('a texture', () => {
  test('has the size and the format of the other addon', () => {
    const { texture } = makeTexture(device(), 'rgba16float', 37, 5);
    expect([texture.width, texture.height, texture.format, texture.label]).toEqual([37, 5, 'rgba16float', 'rgba16float']);
    expect(String(texture)).toBe(`DirectMLTexture 'rgba16float' rgba16float 37 × 5`);
  });

  test('cannot be used once it is disposed', async () => {
    const { texture } = makeTexture(device(), 'r8unorm', 4, 4);
    const tensor = device().createTensor({ dataType: 'float32', sizes: [4, 4] });
    const copy = await texture.prepareCopyTo(tensor);
    texture.dispose();
    texture.dispose();
    expect(caught(() => copy.dispatch()).code).toBe('ERR_DISPOSED');
    expect((await rejected(texture.copyTo(tensor))).code).toBe('ERR_DISPOSED');
    expect(String(texture)).toContain('disposed');
  });

  test('is not copied to what is disposed, though the same copy ran before', async () => {
    const { texture } = makeTexture(device(), 'r8unorm', 4, 4);
    const tensor = device().createTensor({ dataType: 'float32', sizes: [4, 4] });
    await texture.copyTo(tensor);
    tensor.dispose();
    expect(await rejected(texture.prepareCopyTo(tensor))).toMatchObject({ code: 'ERR_DISPOSED' });
    expect((await rejected(texture.copyTo(tensor))).message).toMatch(/^texture\.copyTo: /);
  });

  test('is collected with its device if the program forgets both', async () => {
    const count = () => loadAddon().binding.liveObjects().devices;
    const before = count();
    const forget = async () => {
      const own = await createDevice({ backend: 'directml' });
      const { texture } = makeTexture(own, 'bgra8unorm', 8, 8);
      await texture.copyTo(own.createTensor({ dataType: 'float32', sizes: [1, 3, 8, 8] }), { channels: 'rgb' });
      interop.closeQueues();
    };
    await forget();
    expect(count()).toBe(before + 1);
    await collected(() => expect(count()).toBe(before));
  });

  test('that is imported twice is ordered as one', async () => {
    const texels = texelsOf('bgra8unorm', 33, 7);
    const { external, texture } = makeTexture(device(), 'bgra8unorm', 33, 7, texels);
    const again = device().importTexture({ external });
    const tensor = device().createTensor({ dataType: 'uint8', sizes: [7, 33, 4] });
    const black = device().createTensor({ dataType: 'uint8', sizes: [7, 33, 4] });
    await texture.copyTo(tensor, { layout: 'nhwc', channels: 'bgra' });
    await again.copyFrom(black, { layout: 'nhwc', channels: 'bgra' });
    await texture.copyFrom(tensor, { layout: 'nhwc', channels: 'bgra' });
    await device().idle();
    expect(interop.readTexture(external)).toEqual(texels);
  });
});

describe.each(formats)('%s', (format) => {
  const inMemory = channelsOf[format];
  const orders = inMemory === 'r' ? ['r'] : ['rgba', 'bgra', 'rgb', 'bgr', 'r', 'b', 'ga', 'abgr'];

  test.each(orders)('copies the channels %s to a tensor, in every layout and size', async (channels) => {
    for (const [width, height] of [
      [1, 1],
      [37, 21],
      [64, 3],
      [65, 2],
    ] as const) {
      const texels = texelsOf(format, width, height, width);
      const numbers = numbersOf(format, texels);
      const { texture } = makeTexture(device(), format, width, height, texels);
      for (const layout of ['nchw', 'nhwc'] as const) {
        for (const dataType of ['float32', 'float16'] as const) {
          const count = channels.length;
          const sizes = layout === 'nchw' ? [1, count, height, width] : [height, width, count];
          const tensor = device().createTensor({ dataType, sizes });
          await texture.copyTo(tensor, { channels, layout });
          const expected = new Array<number>(width * height * count);
          eachElement(width, height, count, (x, y, c) => {
            const at = layout === 'nchw' ? (c * height + y) * width + x : (y * width + x) * count + c;
            expected[at] = numbers[(y * width + x) * inMemory.length + inMemory.indexOf(channels[c] ?? '')] ?? NaN;
          });
          expect(await elementsOf(tensor)).toEqual(expected);
          tensor.dispose();
        }
      }
      texture.dispose();
    }
  });

  test.each(orders)('copies a tensor to the channels %s, and fills the others', async (channels) => {
    for (const [width, height] of [
      [1, 1],
      [37, 21],
      [65, 2],
    ] as const) {
      const count = channels.length;
      const random = new Random(width);
      const data = Float32Array.from({ length: width * height * count }, () => random.int(0, 255));
      const tensor = device().createTensor({ dataType: 'float32', sizes: [1, count, height, width] }, data);
      const { external, texture } = makeTexture(device(), format, width, height, texelsOf(format, width, height));
      await texture.copyFrom(tensor, { channels });
      await device().idle();
      const highest = format === 'rgba16float' ? 1 : 255;
      const expected = new Array<number>(width * height * inMemory.length);
      eachElement(width, height, inMemory.length, (x, y, m) => {
        const channel = inMemory[m] ?? '';
        const c = channels.indexOf(channel);
        const empty = channel === 'a' ? highest : 0;
        expected[(y * width + x) * inMemory.length + m] = c < 0 ? empty : (data[(c * height + y) * width + x] ?? NaN);
      });
      expect(numbersOf(format, interop.readTexture(external))).toEqual(expected);
    }
  });

  test('copies rows to a buffer and back, with any pitch', async () => {
    const [width, height] = [37, 21];
    const texels = texelsOf(format, width, height);
    const rowBytes = texels.length / height;
    const { texture } = makeTexture(device(), format, width, height, texels);
    const other = makeTexture(device(), format, width, height);
    for (const options of [{}, { bytesPerRow: 1024, offset: 512 }]) {
      const { bytesPerRow = Math.ceil(rowBytes / 256) * 256, offset = 0 } = options;
      const buffer = device().createBuffer(offset + bytesPerRow * (height - 1) + rowBytes);
      await texture.copyTo(buffer, options);
      const bytes = new Uint8Array(await buffer.read());
      for (let y = 0; y < height; y += 1) {
        const start = offset + y * bytesPerRow;
        expect(bytes.slice(start, start + rowBytes)).toEqual(texels.slice(y * rowBytes, (y + 1) * rowBytes));
      }
      await other.texture.copyFrom(buffer, options);
      await device().idle();
      expect(interop.readTexture(other.external)).toEqual(texels);
    }
  });

  test('copies a region and leaves the rest', async () => {
    const [width, height] = [41, 19];
    const texels = texelsOf(format, width, height);
    const { texture } = makeTexture(device(), format, width, height, texels);
    const other = makeTexture(device(), format, width, height, new Uint8Array(texels.length));
    const region = { x: 7, y: 3, width: 21, height: 11 };
    const dataType = format === 'rgba16float' ? 'float16' : 'uint8';
    const tensor = device().createTensor({ dataType, sizes: [1, inMemory.length, region.height, region.width] });
    await texture.copyTo(tensor, { region, channels: inMemory });
    await other.texture.copyFrom(tensor, { region, channels: inMemory });
    await device().idle();
    const copied = interop.readTexture(other.external);
    const texelBytes = texels.length / width / height;
    const expected = new Uint8Array(texels.length);
    for (let y = region.y; y < region.y + region.height; y += 1) {
      const from = (y * width + region.x) * texelBytes;
      expected.set(texels.subarray(from, from + region.width * texelBytes), from);
    }
    expect(copied).toEqual(expected);
  });
});

describe('scale and offset', () => {
  test('are a factor and a summand, of all channels or of each', async () => {
    const texels = texelsOf('bgra8unorm', 9, 5);
    const { texture } = makeTexture(device(), 'bgra8unorm', 9, 5, texels);
    const tensor = device().createTensor({ dataType: 'float32', sizes: [1, 3, 5, 9] });
    const cases: PixelOptions[] = [
      { scale: 1 / 255 },
      { offset: -128 },
      { scale: 2, offset: 3 },
      { scale: [1, 0.5, 0.25], offset: [-1, -2, -3] },
      { scale: 4, offset: [10, 20, 30] },
      { scale: [1, 0.5, 0.25], offset: 3 },
    ];
    for (const options of cases) {
      await texture.copyTo(tensor, { channels: 'rgb', ...options });
      const given = await elementsOf(tensor);
      const of = (value: number | readonly number[] | undefined, c: number, none: number) =>
        typeof value === 'object' ? (value[c] ?? NaN) : (value ?? none);
      eachElement(9, 5, 3, (x, y, c) => {
        const texel = texels[(y * 9 + x) * 4 + 2 - c] ?? NaN;
        const expected = texel * of(options.scale, c, 1) + of(options.offset, c, 0);
        expect(given[(c * 5 + y) * 9 + x]).toBeCloseTo(expected, 4);
      });
    }
  });

  test('round halves up and limit when they become texels', async () => {
    const values = [-1e10, -1, -0.51, 0, 0.49, 0.5, 1.5, 2.5, 254.49, 254.5, 255, 256, 300, 1e10];
    const expected = [0, 0, 0, 0, 0, 1, 2, 3, 254, 255, 255, 255, 255, 255];
    const { external, texture } = makeTexture(device(), 'r8unorm', values.length, 1);
    const tensor = device().createTensor({ dataType: 'float32', sizes: [1, values.length] }, values);
    await texture.copyFrom(tensor);
    await device().idle();
    expect([...interop.readTexture(external)]).toEqual(expected);
    const fraction = device().createTensor({ dataType: 'float16', sizes: [1, 3] }, [0, 0.5, 1]);
    await texture.copyFrom(fraction, { scale: 255, region: { x: 0, y: 0, width: 3, height: 1 } });
    await device().idle();
    expect([...interop.readTexture(external)].slice(0, 3)).toEqual([0, 128, 255]);
  });

  test.each(['float32', 'float16'] as const)('limit infinities of %s, and make NaN the highest number', async (dataType) => {
    const values = [NaN, Infinity, -Infinity, 7];
    const tensor = device().createTensor({ dataType, sizes: [1, 4] }, values);
    const { external, texture } = makeTexture(device(), 'r8unorm', 4, 1);
    for (const options of [{}, { scale: 2 }, { scale: [1], offset: [1] }]) {
      await texture.copyFrom(tensor, options);
      await device().idle();
      expect([...interop.readTexture(external)].slice(0, 3)).toEqual([255, 255, 0]);
    }
    const wide = makeTexture(device(), 'rgba16float', 4, 1);
    await wide.texture.copyFrom(tensor);
    await device().idle();
    const numbers = numbersOf('rgba16float', interop.readTexture(wide.external));
    expect([0, 1, 2, 3].map((x) => numbers[4 * x])).toEqual(values);
  });

  test('give every byte back', async () => {
    const texels = Uint8Array.from({ length: 256 }, (_, i) => i);
    for (const dataType of ['float32', 'float16'] as const) {
      const { external, texture } = makeTexture(device(), 'r8unorm', 256, 1, texels);
      const tensor = device().createTensor({ dataType, sizes: [1, 256] });
      await texture.copyTo(tensor, { scale: 1 / 255 });
      await device().idle();
      interop.writeTexture(external, new Uint8Array(256));
      await texture.copyFrom(tensor, { scale: 255 });
      await device().idle();
      expect(interop.readTexture(external)).toEqual(texels);
    }
  });
});

describe('a prepared copy', () => {
  test('runs in recordings, between dispatches', async () => {
    const [width, height] = [30, 10];
    const { texture } = makeTexture(device(), 'r8unorm', width, height, texelsOf('r8unorm', width, height));
    const { external, texture: target } = makeTexture(device(), 'r8unorm', width, height);
    const tensor = device().createTensor({ dataType: 'float32', sizes: [1, 1, height, width] });
    const source = interop.createTexture(device().native, { width, height, format: 61 });
    const live = device().importTexture({ external: source });
    for (const reuseCommandLists of [true, false]) {
      const input = await live.prepareCopyTo(tensor);
      const double = await device().prepare({
        type: 'elementWiseIdentity',
        inputTensor: tensor,
        scaleBias: { scale: 0.5, bias: 0 },
      });
      const output = await target.prepareCopyFrom(double.outputs.outputTensor);
      const recording = device().record(
        () => {
          input.dispatch();
          double.dispatch();
          output.dispatch();
        },
        { reuseCommandLists },
      );
      for (const value of [10, 20, 30]) {
        interop.writeTexture(source, new Uint8Array(width * height).fill(value));
        recording.replay();
        await device().idle();
        expect(interop.readTexture(external)).toEqual(new Uint8Array(width * height).fill(value / 2));
      }
      const { dispatches } = await device().profile(() => recording.replay(), { perDispatch: true });
      expect(dispatches.map(({ operator }) => operator)).toEqual(['graph', 'elementWiseIdentity', 'graph']);
      recording.dispose();
    }
    texture.dispose();
  });

  test('keeps a recording from running once the texture is disposed', async () => {
    const { texture } = makeTexture(device(), 'r8unorm', 8, 8);
    const copy = await texture.prepareCopyTo(device().createBuffer(8 * 256));
    const recording = device().record(() => copy.dispatch());
    recording.replay();
    texture.dispose();
    expect(caught(() => recording.replay()).code).toBe('ERR_DISPOSED');
  });

  test('stays usable after the scope in which its conversion was compiled', async () => {
    const { texture } = makeTexture(device(), 'bgra8unorm', 12, 6, texelsOf('bgra8unorm', 12, 6));
    const tensor = device().createTensor({ dataType: 'float32', sizes: [1, 3, 6, 12] });
    await device().scope(() => texture.copyTo(tensor, { channels: 'bgr', scale: 3 }));
    const inScope = await tensor.toArray();
    tensor.write(new Float32Array(3 * 6 * 12));
    await texture.copyTo(tensor, { channels: 'bgr', scale: 3 });
    const expected = device().createTensor({ dataType: 'float32', sizes: [1, 3, 6, 12] });
    await texture.copyTo(expected, { channels: 'bgr' });
    const scaled = (await elementsOf(expected)).map((element) => 3 * element);
    expect(new Set(scaled).size).toBeGreaterThan(50);
    expect([await elementsOf(tensor), inScope.flat(3)]).toEqual([scaled, scaled]);
  });

  test('can be disposed of without an effect on others of the same tensor and options', async () => {
    const texels = texelsOf('r8unorm', 8, 8);
    const { texture } = makeTexture(device(), 'r8unorm', 8, 8, texels);
    const tensor = device().createTensor({ dataType: 'float32', sizes: [8, 8] });
    const [copy, other] = [await texture.prepareCopyTo(tensor), await texture.prepareCopyTo(tensor)];
    copy.dispose();
    expect(caught(() => copy.dispatch()).code).toBe('ERR_DISPOSED');
    other.dispatch();
    expect(await elementsOf(tensor)).toEqual([...texels]);
    await texture.copyTo(tensor);
  });

  test('cannot be made while recording', () => {
    const { texture } = makeTexture(device(), 'r8unorm', 8, 8);
    const tensor = device().createTensor({ dataType: 'float32', sizes: [8, 8] });
    expect(caught(() => device().record(() => void texture.copyTo(tensor))).code).toBe('ERR_NOT_RECORDABLE');
  });
});

test('properties that all objects inherit are no options', async () => {
  const texels = texelsOf('r8unorm', 8, 8);
  const { texture } = makeTexture(device(), 'r8unorm', 8, 8, texels);
  const tensor = device().createTensor({ dataType: 'float32', sizes: [8, 8] });
  const buffer = device().createBuffer(8 * 256);
  const inherited = { channels: 'g', scale: 2, layout: 'x', region: 1, offset: 1, bytesPerRow: 1, kind: 'x' };
  await polluted(inherited, async () => {
    await texture.copyTo(tensor, {});
    await texture.copyTo(buffer, {});
  });
  expect(await elementsOf(tensor)).toEqual([...texels]);
  expect(new Uint8Array(await buffer.read(256, 8))).toEqual(texels.slice(8, 16));
});

describe('wrong arguments', () => {
  const wrong: [name: string, code: string, field: string | undefined, options: object, sizes?: readonly number[]][] = [
    ['another size', 'ERR_SIZES', 'target', {}, [1, 3, 8, 9]],
    ['too many dimensions', 'ERR_SIZES', 'target', {}, [1, 1, 3, 8, 8]],
    ['a batch', 'ERR_SIZES', 'target', {}, [2, 3, 8, 8]],
    ['another number of channels', 'ERR_SIZES', 'target', { channels: 'rg' }],
    ['an unknown channel', 'ERR_INVALID_ARGUMENT', 'options.channels', { channels: 'rgx' }],
    ['a channel twice', 'ERR_INVALID_ARGUMENT', 'options.channels', { channels: 'rrb' }],
    ['scales of another count', 'ERR_SIZES', 'options.scale', { scale: [1, 2] }],
    ['a scale of NaN', 'ERR_INVALID_ARGUMENT', 'options.scale', { scale: NaN }],
    ['an unknown layout', 'ERR_INVALID_ARGUMENT', 'options.layout', { layout: 'chw' }],
    ['an unknown option', 'ERR_INVALID_ARGUMENT', 'options.color', { color: 'rgb' }],
    ['a region outside', 'ERR_OUT_OF_RANGE', 'options.region', { region: { x: 1, y: 0, width: 8, height: 8 } }],
    ['a region without width', 'ERR_INVALID_ARGUMENT', 'options.region.width', { region: { x: 1, y: 0, height: 8 } }],
  ];

  test.each(wrong)('%s', async (_, code, field, options, sizes = [1, 3, 8, 8]) => {
    const { texture } = makeTexture(device(), 'bgra8unorm', 8, 8);
    const tensor = device().createTensor({ dataType: 'float32', sizes: [...sizes] });
    expect(gist(await rejected(texture.copyTo(tensor, options)))).toEqual([code, field]);
  });

  test('a tensor of another data type, or of another device', async () => {
    const { texture } = makeTexture(device(), 'bgra8unorm', 8, 8);
    const int32 = device().createTensor({ dataType: 'int32', sizes: [1, 3, 8, 8] });
    expect(gist(await rejected(texture.copyTo(int32)))).toEqual(['ERR_DATA_TYPE', 'target']);
    const bytes = device().createTensor({ dataType: 'uint8', sizes: [1, 3, 8, 8] });
    expect(gist(await rejected(texture.copyFrom(bytes, { scale: 2 })))).toEqual(['ERR_DATA_TYPE', 'target']);
    using other = await createDevice({ backend: 'reference' });
    const foreign = other.createTensor({ dataType: 'float32', sizes: [1, 3, 8, 8] });
    expect(gist(await rejected(texture.copyTo(foreign)))).toEqual(['ERR_WRONG_DEVICE', 'target']);
  });

  test('rows that do not fit', async () => {
    const { texture } = makeTexture(device(), 'bgra8unorm', 100, 8);
    const fails = async (size: number, options: object) =>
      gist(await rejected(texture.copyTo(device().createBuffer(size), options)));
    expect(await fails(512 * 7 + 399, {})).toEqual(['ERR_OUT_OF_RANGE', 'options.offset']);
    expect(await fails(512 * 8, { offset: 512 })).toEqual(['ERR_OUT_OF_RANGE', 'options.offset']);
    expect(await fails(512 * 8, { offset: 256 })).toEqual(['ERR_INVALID_ARGUMENT', 'options.offset']);
    expect(await fails(512 * 8, { bytesPerRow: 256 })).toEqual(['ERR_OUT_OF_RANGE', 'options.bytesPerRow']);
    expect(await fails(512 * 8, { bytesPerRow: 500 })).toEqual(['ERR_INVALID_ARGUMENT', 'options.bytesPerRow']);
  });
});
