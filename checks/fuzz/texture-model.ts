/** What textures contain, and what copies transfer, computed in JavaScript. All numbers are such that no copy rounds them. */
import { fromFloat16Bits, toFloat16Bits, type PixelOptions, type RowOptions, type TextureFormat } from 'node-directml';
import { textureFormats } from '#lib/backends/texture-formats.js';
import type { Random } from '../harness/random.js';
import { WrongResult } from './wrong-result.js';

/** The engine's own, saved now because the fuzzer replaces the globals. */
const { Float32Array, Float64Array, Uint8Array } = globalThis;

export interface TextureSize {
  readonly format: TextureFormat;
  readonly width: number;
  readonly height: number;
}

/** A copy between a region of a texture and the elements of a tensor or a buffer. */
export interface Plan {
  readonly toTarget: boolean;
  readonly options: PixelOptions | RowOptions;
  readonly dataType: 'float32' | 'float16' | 'uint8';
  /** The tensor. Null for a buffer, which has the texture's data type here. */
  readonly tensor: { readonly sizes: readonly number[]; readonly strides: readonly number[] } | null;
  /** The number of elements in memory, with those that the copy leaves out. */
  readonly span: number;
  readonly region: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly channels: string;
  /** By channel. */
  readonly scale: readonly number[];
  readonly offset: readonly number[];
  /** The first element, and the steps from one channel, row and column to the next. */
  readonly steps: { readonly first: number; readonly channel: number; readonly row: number; readonly column: number };
}

const LARGEST = 24;
/** The rows of some formats have exactly 256 bytes, or few more. */
const WIDTHS = [32, 33, 64, 65, 256, 257];
const SCALES = [1, 2, 0.5, 0.25];
const OFFSETS = [0, 1, 0.5];

export function randomSize(random: Random): TextureSize {
  return {
    format: random.pick(['bgra8unorm', 'rgba8unorm', 'rgba16float', 'r8unorm']),
    width: random.chance(0.2) ? random.pick(WIDTHS) : random.int(1, LARGEST),
    height: random.int(1, LARGEST),
  };
}

const isFloat = (format: TextureFormat) => textureFormats[format].dataType === 'float16';

/** The channels of all texels in memory order: whole numbers from 0 to 255, or halves. */
export function randomTexels(random: Random, { format, width, height }: TextureSize): Float64Array {
  const texels = new Float64Array(width * height * textureFormats[format].channels.length);
  for (let i = 0; i < texels.length; i++) texels[i] = isFloat(format) ? random.int(-32, 32) / 2 : random.int(0, 255);
  return texels;
}

export function bytesOfTexels({ format }: TextureSize, texels: Float64Array): Uint8Array {
  return isFloat(format) ? new Uint8Array(toFloat16Bits(texels).buffer) : new Uint8Array(texels);
}

export function texelsOfBytes({ format }: TextureSize, bytes: Uint8Array): ArrayLike<number> {
  return isFloat(format) ? fromFloat16Bits(new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)) : bytes;
}

export function randomPlan(random: Random, size: TextureSize): Plan {
  const isWhole = random.chance(0.4);
  const [x, y] = isWhole ? [0, 0] : [random.int(0, size.width - 1), random.int(0, size.height - 1)];
  const region = isWhole
    ? { x, y, width: size.width, height: size.height }
    : { x, y, width: random.int(1, size.width - x), height: random.int(1, size.height - y) };
  return (random.chance(0.25) ? rowPlan : pixelPlan)(random, size, region, isWhole && random.chance(0.5));
}

function rowPlan(random: Random, { format }: TextureSize, region: Plan['region'], isDefault: boolean): Plan {
  const { channels, dataType, bytesPerTexel } = textureFormats[format];
  const bytes = bytesPerTexel / channels.length;
  const rowBytes = region.width * bytesPerTexel;
  const least = Math.ceil(rowBytes / 256) * 256;
  const bytesPerRow = isDefault ? least : least + 256 * random.int(0, 2);
  const offset = isDefault ? 0 : 512 * random.int(0, 2);
  const behind = 16 * random.int(0, 2);
  return {
    toTarget: random.chance(0.5),
    options: isDefault ? {} : { offset, bytesPerRow, region },
    dataType,
    tensor: null,
    span: (offset + bytesPerRow * (region.height - 1) + rowBytes + behind) / bytes,
    region,
    channels,
    scale: [],
    offset: [],
    steps: { first: offset / bytes, channel: 1, row: bytesPerRow / bytes, column: channels.length },
  };
}

function pixelPlan(random: Random, { format }: TextureSize, region: Plan['region'], isDefault: boolean): Plan {
  const inMemory = textureFormats[format].channels;
  const count = random.int(1, inMemory.length);
  const isOrdered = random.chance(0.3);
  const channels = isOrdered
    ? 'rgba'.slice(0, count)
    : random.distinct(count, inMemory.length).reduce((text, index) => text + inMemory.charAt(index), '');
  const dataType = random.pick(isFloat(format) ? (['float32', 'float16'] as const) : (['float32', 'float16', 'uint8'] as const));
  const isScaled = dataType !== 'uint8' && random.chance(0.5);
  const draw = (values: readonly number[]) =>
    random.chance(0.5) ? random.pick(values) : Array.from({ length: count }, () => random.pick(values));
  const [scale, offset] = isScaled ? [draw(SCALES), draw(OFFSETS)] : [1, 0];
  const layout = random.pick(['nchw', 'nhwc'] as const);
  const gap = random.chance(0.2) ? random.int(1, 3) : 0;
  const { width, height } = region;
  const order = layout === 'nchw' ? [count, height, width] : [height, width, count];
  const [a = 0, b = 0, c = 0] = order;
  const middle = c + gap;
  const strides = [b * middle, middle, 1];
  const [channel = 0, row = 0, column = 0] = layout === 'nchw' ? strides : [1, b * middle, middle];
  const isFlat = count === 1 && random.chance(0.3);
  const flat = layout === 'nchw' ? [1, 2] : [0, 1];
  const isBatch = !isFlat && random.chance(0.5);
  const chosen = (all: readonly number[], first: number) =>
    isFlat ? flat.map((i) => all[i] ?? 0) : isBatch ? [first, ...all] : all;
  return {
    toTarget: random.chance(0.5),
    options: {
      ...((!isOrdered || random.chance(0.5)) && { channels }),
      ...(isScaled && { scale, offset }),
      ...((layout === 'nhwc' || random.chance(0.3)) && { layout }),
      ...(!isDefault && { region }),
    },
    dataType,
    tensor: { sizes: chosen(order, 1), strides: chosen(strides, a * b * middle) },
    span: (a - 1) * b * middle + (b - 1) * middle + c,
    region,
    channels,
    scale: typeof scale === 'number' ? Array.from(channels, () => scale) : scale,
    offset: typeof offset === 'number' ? Array.from(channels, () => offset) : offset,
    steps: { first: 0, channel, row, column },
  };
}

/** Elements to copy into a texture. */
export function randomElements(random: Random, { format }: TextureSize, { dataType, span, tensor }: Plan): Float64Array {
  const elements = new Float64Array(span);
  for (let i = 0; i < span; i++) {
    if (isFloat(format)) elements[i] = random.int(-32, 32) / 2;
    else if (tensor === null || dataType === 'uint8') elements[i] = random.int(0, 255);
    else elements[i] = random.chance(0.02) ? random.pick([NaN, Infinity, -Infinity]) : random.int(-40, 600) / 2;
  }
  return elements;
}

/** In the memory of a tensor or a buffer. */
export function encoded(dataType: Plan['dataType'], elements: Float64Array): Float32Array | Uint16Array | Uint8Array {
  if (dataType === 'float16') return toFloat16Bits(elements);
  return dataType === 'float32' ? new Float32Array(elements) : new Uint8Array(elements);
}

export function decoded(dataType: Plan['dataType'], read: ArrayBuffer | ArrayBufferView): ArrayLike<number> {
  const { buffer, byteOffset, byteLength } = new Uint8Array('buffer' in read ? read.buffer : read);
  if (dataType === 'float16') return fromFloat16Bits(new Uint16Array(buffer, byteOffset, byteLength / 2));
  return dataType === 'float32' ? new Float32Array(buffer, byteOffset, byteLength / 4) : new Uint8Array(buffer);
}

/** What a copy leaves in a target of zeros. */
export function elementsAfter({ format, width }: TextureSize, plan: Plan, texels: Float64Array): Float64Array {
  const elements = new Float64Array(plan.span);
  const inMemory = textureFormats[format].channels;
  eachTexel(plan, width, (texel, element) => {
    for (let c = 0; c < plan.channels.length; c++) {
      const value = texels[texel * inMemory.length + inMemory.indexOf(plan.channels.charAt(c))] ?? NaN;
      elements[element + c * plan.steps.channel] = scaled(plan, c, value);
    }
  });
  return elements;
}

/** What a copy leaves in the texture; null if the texels around the region are unknown. */
export function texelsAfter(
  size: TextureSize,
  plan: Plan,
  before: Float64Array | null,
  elements: Float64Array,
): Float64Array | null {
  const { format, width, height } = size;
  const inMemory = textureFormats[format].channels;
  if (before === null && (plan.region.width < width || plan.region.height < height)) return null;
  const texels = new Float64Array(width * height * inMemory.length);
  for (let i = 0; i < texels.length; i++) texels[i] = before?.[i] ?? 0;
  eachTexel(plan, width, (texel, element) => {
    for (let m = 0; m < inMemory.length; m++) {
      const c = plan.channels.indexOf(inMemory.charAt(m));
      const value =
        c < 0 ? empty(format, inMemory.charAt(m)) : scaled(plan, c, elements[element + c * plan.steps.channel] ?? NaN);
      texels[texel * inMemory.length + m] = isFloat(format) ? value : toByte(value);
    }
  });
  return texels;
}

/** Calls `visit` with the index of each texel of the region, and with that of its first element. */
function eachTexel({ region, steps }: Plan, width: number, visit: (texel: number, element: number) => void): void {
  for (let y = 0; y < region.height; y++) {
    for (let x = 0; x < region.width; x++) {
      visit((region.y + y) * width + region.x + x, steps.first + y * steps.row + x * steps.column);
    }
  }
}

function scaled({ scale, offset }: Plan, channel: number, value: number): number {
  return value * (scale[channel] ?? 1) + (offset[channel] ?? 0);
}

function empty(format: TextureFormat, channel: string): number {
  if (channel !== 'a') return 0;
  return isFloat(format) ? 1 : 255;
}

function toByte(value: number): number {
  return Number.isNaN(value) ? 255 : Math.max(0, Math.min(255, Math.floor(value + 0.5)));
}

/** @throws {WrongResult} with the first difference. */
export function expectSame(what: string, given: ArrayLike<number>, expected: ArrayLike<number>): void {
  // Hostile surroundings may take the memory away.
  if (given.length !== expected.length) throw new TypeError(`${what}: ${given.length} of ${expected.length} numbers arrived`);
  for (let i = 0; i < expected.length; i++) {
    const [a = NaN, b = NaN] = [given[i], expected[i]];
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    throw new WrongResult(`${what}: ${a} in place of ${b} at ${i} of ${expected.length}`);
  }
}
