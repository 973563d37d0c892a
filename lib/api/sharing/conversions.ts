/**
 * Conversions between rows of texels and tensors. A device keeps the ones it used last, for any texture and tensor of the same
 * layout: a program may import a texture for each frame.
 */
import type { TextureCopy } from '../../backends/backend.js';
import { textureFormats, type TextureFormat } from '../../backends/texture-formats.js';
import type { Value } from '../../graph/value.js';
import { bufferSize } from '../../tensors/tensor-size.js';
import type { DeviceContext } from '../device-context.js';
import { Graph } from '../graphs/graph.js';
import type { BoundWork, CompiledGraph } from '../graphs/compiled-graph.js';
import { DirectMLBuffer } from '../memory/buffer.js';
import type { Tensor } from '../memory/tensor.js';
import { bytesPerRowOf, type CopyPlace, type PixelLayout, type Pixels } from './texture-copies.js';

/** So many conversions of a device are kept, each with memory for the rows. */
const maxKept = 16;

/** In the order of their last use. */
const kept = new WeakMap<DeviceContext, Map<string, Promise<Conversion>>>();

export function conversionFor(context: DeviceContext, layout: PixelLayout, pixels: Pixels): Promise<Conversion> {
  let conversions = kept.get(context);
  if (conversions === undefined) {
    conversions = new Map<string, Promise<Conversion>>();
    kept.set(context, conversions);
  }
  const key = JSON.stringify([layout, pixels]);
  const known = conversions.get(key);
  const conversion = known ?? Conversion.create(context, layout, pixels);
  conversions.delete(key);
  conversions.set(key, conversion);
  const [oldest] = conversions.keys();
  // Not disposed: copies that are prepared still use it. It is collected after them.
  if (conversions.size > maxKept && oldest !== undefined) conversions.delete(oldest);
  if (known === undefined) void forgetIfFailed(conversions, key, conversion);
  return conversion;
}

async function forgetIfFailed(
  conversions: Map<string, Promise<Conversion>>,
  key: string,
  conversion: Promise<Conversion>,
): Promise<void> {
  try {
    await conversion;
  } catch {
    if (conversions.get(key) === conversion) conversions.delete(key);
  }
}

class Conversion {
  readonly #rows: DirectMLBuffer;
  readonly #bytesPerRow: number;
  readonly #graph: CompiledGraph;
  readonly #bound = new WeakMap<Tensor, BoundWork>();

  private constructor(rows: DirectMLBuffer, bytesPerRow: number, graph: CompiledGraph) {
    this.#rows = rows;
    this.#bytesPerRow = bytesPerRow;
    this.#graph = graph;
  }

  static async create(context: DeviceContext, layout: PixelLayout, pixels: Pixels): Promise<Conversion> {
    const [, , height = 0, width = 0] = layout.sizes;
    const { bytesPerTexel } = textureFormats[pixels.format];
    const bytesPerRow = bytesPerRowOf(width * bytesPerTexel);
    const graph = await graphOfPixels(context, layout, pixels, bytesPerRow);
    const rows = new DirectMLBuffer(context, bytesPerRow * height, '');
    // The graph leaves the channels that the tensor lacks as they are.
    if (!pixels.toTensor) rows.write(emptyRows(pixels.format, rows.sizeInBytes));
    return new Conversion(rows, bytesPerRow, graph);
  }

  /** The copy between the texture and the rows. */
  copyOf({ native, rectangle, toBuffer }: CopyPlace): TextureCopy & { readonly owner: DirectMLBuffer } {
    const rows = this.#rows;
    return { texture: native, rectangle, buffer: rows.memory, offset: 0, bytesPerRow: this.#bytesPerRow, toBuffer, owner: rows };
  }

  /** The conversion between the rows and a tensor. */
  bound(tensor: Tensor): BoundWork {
    let bound = this.#bound.get(tensor);
    if (bound !== undefined) return bound;
    const { buffer, offset } = tensor;
    const size = Math.min(bufferSize(tensor.totalTensorSizeInBytes), buffer.sizeInBytes - offset);
    bound = this.#graph.bound({ rows: this.#rows, tensor: { buffer, offset, size } });
    this.#bound.set(tensor, bound);
    return bound;
  }
}

/** The highest alpha. */
function highestAlpha(format: TextureFormat): number {
  return textureFormats[format].dataType === 'float16' ? 1 : 255;
}

/** Rows of black texels, with the highest alpha. */
function emptyRows(format: TextureFormat, sizeInBytes: number): Uint8Array {
  const { channels, dataType } = textureFormats[format];
  const alpha = dataType === 'float16' ? 0x3c00 : 255;
  const texel = Array.from(channels, (channel) => (channel === 'a' ? alpha : 0));
  const array = dataType === 'float16' ? new Uint16Array(sizeInBytes / 2) : new Uint8Array(sizeInBytes);
  for (let i = 0; i < array.length; i += 1) array[i] = texel[i % texel.length] ?? 0;
  return new Uint8Array(array.buffer);
}

/** Compiles the conversion as a graph of `rows` and `tensor`, one of them its input, the other one its output. */
function graphOfPixels(context: DeviceContext, layout: PixelLayout, pixels: Pixels, bytesPerRow: number): Promise<CompiledGraph> {
  const { channels: inMemory, dataType, bytesPerTexel } = textureFormats[pixels.format];
  const [, count = 0, height = 0, width = 0] = layout.sizes;
  const elementsPerRow = (bytesPerRow / bytesPerTexel) * inMemory.length;
  const rowsOf = (channels: number): PixelLayout => ({
    dataType,
    sizes: [1, channels, height, width],
    strides: [elementsPerRow * height, 1, elementsPerRow, inMemory.length],
  });
  const positions = Array.from(pixels.channels, (channel) => inMemory.indexOf(channel));
  const isInOrder = positions.every((position, i) => position === i);
  const graph = new Graph(context);
  const steps: Step[] = [];
  if (pixels.toTensor) {
    if (!isInOrder) steps.push(choose(graph, positions));
    if (dataType !== layout.dataType) steps.push(cast);
    steps.push(...scaled(graph, pixels, 0, identity));
    const rows = graph.inputOf('rows', rowsOf(isInOrder ? count : inMemory.length));
    return graph.compile({ tensor: run(graph, rows, steps, layout) });
  }
  const isRounded = dataType === 'uint8' && layout.dataType !== 'uint8';
  // A cast to an integer cuts off what is behind the point.
  steps.push(...scaled(graph, pixels, isRounded ? 0.5 : 0, isRounded ? clip : identity));
  if (dataType !== layout.dataType) steps.push(cast);
  const isDense = positions.every((position) => position < count);
  const written = isDense ? count : inMemory.length;
  if (!isDense) steps.push(withEmpty(graph, highestAlpha(pixels.format)));
  if (!isInOrder) {
    const missing = (position: number) => count + (inMemory[position] === 'a' ? 1 : 0);
    const sources = Array.from({ length: written }, (_, position) =>
      positions.includes(position) ? positions.indexOf(position) : missing(position),
    );
    steps.push(choose(graph, sources));
  }
  return graph.compile({ rows: run(graph, graph.inputOf('tensor', layout), steps, rowsOf(written)) });
}

/** The fields of an operator, and the value that it gives if it is not the last one. */
type Step = (input: Value, target: PixelLayout) => { readonly type: string; readonly outputTensor?: object };

/** Adds the operators one after the other. The last one writes with the layout of the target. */
function run(graph: Graph, input: Value, steps: readonly Step[], target: PixelLayout): Value {
  const all = steps.length === 0 ? [copy] : steps;
  return all.reduce((value, step, i) => {
    const descriptor = step(value, target);
    const { outputTensor } = graph.addAny(i === all.length - 1 ? { ...descriptor, outputTensor: target } : descriptor);
    if (outputTensor === undefined || !('dataType' in outputTensor)) throw new TypeError('each step has an output');
    return outputTensor;
  }, input);
}

const identity = { type: 'elementWiseIdentity' } as const;
const clip = { type: 'elementWiseClip', min: 0, max: 255 } as const;

const copy: Step = (inputTensor) => ({ ...identity, inputTensor });

const cast: Step = (inputTensor, { dataType }) => ({
  type: 'cast',
  inputTensor,
  outputTensor: { dataType, sizes: inputTensor.sizes },
});

/** Its channels are those of the input at these positions. */
function choose(graph: Graph, positions: readonly number[]): Step {
  const indices = graph.constant({ dataType: 'uint32', sizes: [1, 1, 1, positions.length] }, [...positions]);
  return (inputTensor) => ({ type: 'gather', inputTensor, indicesTensor: indices, axis: 1, indexDimensions: 1 });
}

/** Adds two channels: one of zeros, and one with the highest alpha. */
function withEmpty(graph: Graph, alpha: number): Step {
  return (input) => {
    const { dataType, sizes } = input;
    const [, , height = 0, width = 0] = sizes;
    const values = graph.constant({ dataType, sizes: [1, 2, 1, 1] }, [0, alpha]);
    return { type: 'join', inputTensors: [input, values.broadcastTo([1, 2, height, width])], axis: 1 };
  };
}

/** `element * scale + offset + extra`, as the last operator does it on the way if all channels have the same numbers. */
function scaled(graph: Graph, { scale, offset }: Pixels, extra: number, last: typeof identity | typeof clip): Step[] {
  if (typeof scale === 'number' && typeof offset === 'number') {
    const scaleBias = { scale, bias: offset + extra };
    if (last === identity && scale === 1 && scaleBias.bias === 0) return [];
    return [(inputTensor) => ({ ...last, inputTensor, scaleBias })];
  }
  const constant = ({ dataType, sizes }: Value, values: number | readonly number[], more: number) => {
    const list = (typeof values === 'number' ? [values] : values).map((value) => value + more);
    return graph.constant({ dataType, sizes: [1, list.length, 1, 1] }, list).broadcastTo(sizes);
  };
  const steps: Step[] = [
    (aTensor) => ({ type: 'elementWiseMultiply', aTensor, bTensor: constant(aTensor, scale, 0) }),
    (aTensor) => ({ type: 'elementWiseAdd', aTensor, bTensor: constant(aTensor, offset, extra) }),
  ];
  return last === identity ? steps : [...steps, (inputTensor) => ({ ...last, inputTensor })];
}
