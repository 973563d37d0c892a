/** The options of copies of textures. */
import type { Rectangle } from '../../backends/backend.js';
import { argumentError, argumentObject, byteCount, readArguments, readOptions } from '../../values/arguments.js';
import { isArray, readOwn } from '../../values/input.js';

/** Options of copies between a texture and a tensor. */
export interface PixelOptions {
  /**
   * The channels of the tensor in its order, such as `'rgb'` or `'bgr'`. Default: the first ones of `'rgba'`, as many as the tensor
   * has.
   */
  readonly channels?: string | undefined;
  /** A factor: a number for all channels, or an array with one for each. Default: 1. */
  readonly scale?: number | readonly number[] | undefined;
  /** What is added after that: a number for all channels, or an array with one for each. Default: 0. */
  readonly offset?: number | readonly number[] | undefined;
  /** The order of the tensor's dimensions: channels before rows, or behind columns. Default: `'nchw'`. */
  readonly layout?: 'nchw' | 'nhwc' | undefined;
  /** The part of the texture. Default: all of it. */
  readonly region?: Rectangle | undefined;
}

/** Options of copies between a texture and rows of texels in a buffer. */
export interface RowOptions {
  /** The first byte in the buffer, a multiple of 512. Default: 0. */
  readonly offset?: number | undefined;
  /** From one row to the next, a multiple of 256. Default: the lowest that a row fits into. */
  readonly bytesPerRow?: number | undefined;
  /** The part of the texture. Default: all of it. */
  readonly region?: Rectangle | undefined;
}

export interface ReadPixelOptions {
  readonly kind: 'pixels';
  readonly channels: string | undefined;
  readonly scale: number | readonly number[];
  readonly offset: number | readonly number[];
  readonly layout: 'nchw' | 'nhwc';
  readonly region: Rectangle | undefined;
}

export interface ReadRowOptions {
  readonly kind: 'rows';
  readonly offset: number;
  readonly bytesPerRow: number | undefined;
  readonly region: Rectangle | undefined;
}

const maxChannels = 4;

export function readPixelOptions(method: string, options: unknown): ReadPixelOptions {
  const read = readOptions(method, options, ['channels', 'scale', 'offset', 'layout', 'region']);
  const channels = read.get('channels');
  if (channels !== undefined && (typeof channels !== 'string' || !isChannels(channels))) {
    throw argumentError(method, 'options.channels', `1 to 4 different letters of 'rgba'`, channels);
  }
  const layout = read.get('layout') ?? 'nchw';
  if (layout !== 'nchw' && layout !== 'nhwc') throw argumentError(method, 'options.layout', `'nchw' or 'nhwc'`, layout);
  return {
    kind: 'pixels',
    channels,
    scale: numbers(method, 'scale', read.get('scale') ?? 1),
    offset: numbers(method, 'offset', read.get('offset') ?? 0),
    layout,
    region: regionOption(method, read.get('region')),
  };
}

export function readRowOptions(method: string, options: unknown): ReadRowOptions {
  const read = readOptions(method, options, ['offset', 'bytesPerRow', 'region']);
  const multiple = (name: 'offset' | 'bytesPerRow', value: unknown, of: number, minimum: number) => {
    const bytes = byteCount(method, `options.${name}`, value, minimum);
    if (bytes % of === 0) return bytes;
    throw argumentError(method, `options.${name}`, `a multiple of ${of}`, bytes);
  };
  const bytesPerRow = read.get('bytesPerRow');
  return {
    kind: 'rows',
    offset: multiple('offset', read.get('offset') ?? 0, 512, 0),
    bytesPerRow: bytesPerRow === undefined ? undefined : multiple('bytesPerRow', bytesPerRow, 256, 256),
    region: regionOption(method, read.get('region')),
  };
}

/** Options that mean the same have the same text. */
export function keyOf(options: ReadPixelOptions | ReadRowOptions): string {
  const { region } = options;
  const where = region === undefined ? '' : `${region.x} ${region.y} ${region.width} ${region.height}`;
  if (options.kind === 'rows') return `${options.offset} ${options.bytesPerRow ?? ''} at ${where}`;
  const { channels, scale, offset, layout } = options;
  return `${layout} ${channels ?? ''} * ${String(scale)} + ${String(offset)} at ${where}`;
}

function isChannels(text: string): boolean {
  return text.length >= 1 && text.length <= maxChannels && new Set(text).size === text.length && /^[rgba]+$/.test(text);
}

/** A finite number, or a copy of an array of them. */
function numbers(method: string, name: string, value: unknown): number | readonly number[] {
  const place = { operator: method, field: `options.${name}` };
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'object' && value !== null && isArray(value, place, 'ERR_INVALID_ARGUMENT')) {
    const length = Number(readOwn(value, 'length', place, 'ERR_INVALID_ARGUMENT'));
    if (length >= 1 && length <= maxChannels) {
      return Array.from({ length }, (_, i) => {
        const element = readOwn(value, i, place, 'ERR_INVALID_ARGUMENT');
        if (typeof element === 'number' && Number.isFinite(element)) return element;
        throw argumentError(method, `options.${name}[${i}]`, 'a finite number', element);
      });
    }
  }
  throw argumentError(method, `options.${name}`, 'a finite number, or an array with one for each channel', value);
}

function regionOption(method: string, value: unknown): Rectangle | undefined {
  if (value === undefined) return undefined;
  const path = 'options.region';
  const read = readArguments(method, path, argumentObject(method, path, value), ['x', 'y', 'width', 'height']);
  return {
    x: byteCount(method, `${path}.x`, read.get('x') ?? 0),
    y: byteCount(method, `${path}.y`, read.get('y') ?? 0),
    width: byteCount(method, `${path}.width`, read.get('width'), 1),
    height: byteCount(method, `${path}.height`, read.get('height'), 1),
  };
}
