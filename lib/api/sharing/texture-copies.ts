/** What a copy of a texture does: its rows in a buffer, and how a tensor's elements correspond to its texels. */
import type { BackendTexture, Rectangle, TextureCopy } from '../../backends/backend.js';
import { textureFormats, type TextureFormat } from '../../backends/texture-formats.js';
import { fieldError, list, type Place } from '../../values/errors.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { stridesOf } from '../../tensors/tensor-size.js';
import type { DeviceContext } from '../device-context.js';
import type { DirectMLBuffer } from '../memory/buffer.js';
import type { Tensor } from '../memory/tensor.js';
import type { ReadPixelOptions, ReadRowOptions } from './pixel-options.js';

/** A part of a texture, and the direction of a copy. */
export interface CopyPlace {
  readonly context: DeviceContext;
  readonly texture: { check(method: string): void };
  readonly native: BackendTexture;
  readonly rectangle: Rectangle;
  readonly toBuffer: boolean;
}

/** The layout of a tensor, with its dimensions in the order [1, channels, height, width]. */
export interface PixelLayout {
  readonly dataType: DataType;
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
}

/** How elements are made of texels, or the other way round. */
export interface Pixels {
  readonly format: TextureFormat;
  readonly channels: string;
  readonly scale: number | readonly number[];
  readonly offset: number | readonly number[];
  readonly toTensor: boolean;
}

/** Direct3D's alignment of rows, in bytes. */
const rowAlignment = 256;

export function bytesPerRowOf(bytes: number): number {
  return Math.ceil(bytes / rowAlignment) * rowAlignment;
}

/** A copy between the texture and rows in a buffer of the user. */
export function rowsCopy(
  method: string,
  { native, rectangle, toBuffer }: CopyPlace,
  buffer: DirectMLBuffer,
  { offset, bytesPerRow: given }: ReadRowOptions,
): TextureCopy & { readonly owner: DirectMLBuffer } {
  const rowBytes = rectangle.width * textureFormats[native.format].bytesPerTexel;
  const bytesPerRow = given ?? bytesPerRowOf(rowBytes);
  const place = (field: string): Place => ({ operator: method, field });
  if (bytesPerRow < rowBytes) {
    throw fieldError('ERR_OUT_OF_RANGE', place('options.bytesPerRow'), `at least ${rowBytes}`, `${bytesPerRow}`);
  }
  const end = offset + bytesPerRow * (rectangle.height - 1) + rowBytes;
  if (end > buffer.sizeInBytes) {
    const expected = `rows within the ${buffer.sizeInBytes} bytes of ${buffer.name}`;
    throw fieldError('ERR_OUT_OF_RANGE', place('options.offset'), expected, `bytes ${offset} to ${end}`);
  }
  return { texture: native, rectangle, buffer: buffer.memory, offset, bytesPerRow, toBuffer, owner: buffer };
}

/** How a tensor's elements correspond to the texels of a texture. */
export function tensorCopy(
  method: string,
  { native, rectangle, toBuffer }: CopyPlace,
  tensor: Tensor,
  options: ReadPixelOptions,
): { readonly pixels: Pixels; readonly layout: PixelLayout } {
  const format = textureFormats[native.format];
  const target = { operator: method, field: 'target' };
  const { sizes, strides, count } = planes(target, tensor, options.layout, rectangle);
  const channels = options.channels ?? 'rgba'.slice(0, count);
  const missing = Array.from(channels).find((channel) => !format.channels.includes(channel));
  if (missing !== undefined) {
    const place = { operator: method, field: 'options.channels' };
    throw fieldError('ERR_OUT_OF_RANGE', place, `channels of ${native.format}, ${format.channels}`, `'${channels}'`);
  }
  if (channels.length !== count) {
    const expected = `${channels.length} channel${channels.length === 1 ? '' : 's'}, '${channels}'`;
    throw fieldError('ERR_SIZES', target, expected, `${count}`);
  }
  for (const name of ['scale', 'offset'] as const) {
    const values = options[name];
    if (typeof values === 'number' || values.length === count) continue;
    throw fieldError('ERR_SIZES', { operator: method, field: `options.${name}` }, `${count} numbers`, `${values.length}`);
  }
  const isScaled = options.scale !== 1 || options.offset !== 0;
  const { dataType } = tensor;
  if (dataType !== 'float32' && dataType !== 'float16' && (dataType !== format.dataType || isScaled)) {
    const own = format.dataType === 'float16' ? '' : `, or ${format.dataType} without scale and offset`;
    throw fieldError('ERR_DATA_TYPE', target, `a tensor of float32 or float16${own}`, dataType);
  }
  const { scale, offset } = options;
  return {
    pixels: { format: native.format, channels, scale, offset, toTensor: toBuffer },
    layout: { dataType, sizes, strides },
  };
}

/** The tensor with its dimensions in the order [1, channels, height, width]. */
function planes(place: Place, tensor: Tensor, layout: 'nchw' | 'nhwc', { width, height }: Rectangle) {
  const span = tensor.elementSpan;
  const strides = stridesOf(tensor);
  // The stride along one element has no effect, but DirectML refuses 0 for outputs.
  const dimensions = tensor.sizes.map((size, i) => ({ size, stride: size === 1 ? span : (strides[i] ?? 0) }));
  const first = dimensions.length === 4 ? dimensions.shift() : undefined;
  if (dimensions.length === 2) dimensions.splice(layout === 'nchw' ? 0 : 2, 0, { size: 1, stride: span });
  const [a, b, c] = dimensions;
  const [channel, row, column] = layout === 'nchw' ? [a, b, c] : [c, a, b];
  const isRight = dimensions.length === 3 && (first?.size ?? 1) === 1 && row?.size === height && column?.size === width;
  if (!isRight || channel === undefined) {
    const expected = layout === 'nchw' ? `[1, channels, ${height}, ${width}]` : `[1, ${height}, ${width}, channels]`;
    throw fieldError('ERR_SIZES', place, `a tensor of sizes ${expected}`, list(tensor.sizes));
  }
  return {
    sizes: [1, channel.size, height, width],
    strides: [first?.stride ?? span, channel.stride, row.stride, column.stride],
    count: channel.size,
  };
}
