/** The values of a graph: inputs, constants, and the outputs of nodes. */
import { at, DirectMLError, fieldError } from '../values/errors.js';
import { nameKind } from '../values/given.js';
import { layoutLine } from '../tensors/layout-line.js';
import { printAsText, titled } from '../values/printed.js';
import { markUncloneable } from '../values/uncloneable.js';
import { highestFeatureLevel } from '../descriptors/feature-level.js';
import type { DataType } from '../tensors/generated/enums.js';
import { argumentObject, readArguments } from '../values/arguments.js';
import type { ResolvedTensor } from '../descriptors/resolved.js';
import { strict } from '../descriptors/strict.js';
import { resolveTensor } from '../descriptors/tensor.js';
import { minimumTensorSizeInBytes } from '../tensors/tensor-size.js';
import { broadcasted, reshaped, transposed, type TensorLayout } from '../tensors/views.js';
import type { ValueSource } from './value-source.js';

/**
 * The layout of a view of a value. Default sizes: those of the value. Default strides: those of the value, but null if sizes
 * are given.
 */
export interface ValueLayout {
  readonly sizes?: readonly number[] | undefined;
  /** Strides in elements, one per dimension; null for a packed view. */
  readonly strides?: readonly number[] | null | undefined;
}

/** A program may have a value where it expects a tensor, in a function that `device.jit` traces. */
function noData(method: string): DirectMLError {
  const message = `${method}: values have no data while tracing or building a graph; return the value, and read the result`;
  return new DirectMLError('ERR_INVALID_GRAPH', message, { operator: method });
}

/** The layouts of tensors as text. */
const layoutTexts = new WeakMap<ResolvedTensor, string>();

/** @internal Where the bytes of a value come from. No property of the value leads there, so a program cannot change it. */
export let sourceOf: (value: Value) => ValueSource;

/**
 * A tensor of a graph: an input, a constant, or the output of an operator. It can be an input of further operators. It has no
 * memory; a compiled graph decides where its elements are.
 */
export class Value<T extends DataType = DataType> {
  readonly dataType: T;
  /** 1 to 8 sizes, the innermost dimension last. */
  readonly sizes: readonly number[];
  /** Strides in elements, one per dimension; null for a packed tensor. */
  readonly strides: readonly number[] | null;
  /** Size in bytes, gaps between elements included. A view has that of its value. */
  readonly totalTensorSizeInBytes: number;
  readonly #source: ValueSource;
  #layoutText: string | null = null;

  static {
    sourceOf = (value) => value.#source;
    const is = (value: object) => #source in value;
    nameKind('a value of a graph', 'values of a graph', is);
    printAsText(this.prototype, is);
  }

  /** @internal */
  constructor(dataType: T, { sizes, strides }: TensorLayout, source: ValueSource) {
    this.dataType = dataType;
    this.sizes = sizes;
    this.strides = strides;
    this.totalTensorSizeInBytes = source.tensor.totalTensorSizeInBytes;
    this.#source = source;
    markUncloneable(this);
    Object.freeze(this);
  }

  /** @internal True if the constructor of this class made the value. */
  static is(value: unknown): value is Value {
    return typeof value === 'object' && value !== null && #source in value;
  }

  /** @internal The layout as text; made once. */
  get layoutText(): string {
    this.#layoutText ??= this.#makeLayoutText();
    return this.#layoutText;
  }

  #makeLayoutText(): string {
    const { tensor } = this.#source;
    // Equal nodes share the tensors of their outputs.
    const isView = this.sizes !== tensor.sizes || this.strides !== tensor.strides;
    const known = isView ? undefined : layoutTexts.get(tensor);
    if (known !== undefined) return known;
    const { guaranteedBaseOffsetAlignment } = tensor;
    const text = `<${this.dataType} ${this.sizes.join()} ${this.strides?.join() ?? ''} ${this.totalTensorSizeInBytes} ${guaranteedBaseOffsetAlignment}>`;
    if (!isView) layoutTexts.set(tensor, text);
    return text;
  }

  /** The name by which a {@link GraphDescriptor} refers to it, such as `image` or `convolution_0.outputTensor`. */
  get name(): string {
    return this.#source.name;
  }

  /**
   * Returns the same elements in another layout. A view needs no node: DirectML reads this layout directly.
   *
   * @param layout `sizes` and `strides` (in elements, null for a packed view). Default sizes: those of the value. Default
   * strides: those of the value, but if sizes are given, the view is packed.
   * @throws {DirectMLError} ERR_TENSOR_SIZE if the view does not span exactly the bytes of the value; use `slice` for a part.
   * ERR_INVALID_ARGUMENT, ERR_INVALID_DESCRIPTOR, ERR_SIZES, ERR_STRIDES and others for a wrong layout.
   */
  view(layout: ValueLayout): Value<T> {
    const method = 'value.view';
    const source = this.#source;
    const read = readArguments(method, 'layout', argumentObject(method, 'layout', layout), ['sizes', 'strides']);
    const sizes = read.get('sizes') ?? this.sizes;
    const strides = read.has('strides') ? read.get('strides') : read.has('sizes') ? null : this.strides;
    const place = { operator: method, field: 'layout' };
    const tensor = resolveTensor({ dataType: this.dataType, sizes, strides }, place, 'any', highestFeatureLevel);
    const needed = minimumTensorSizeInBytes(this.dataType, this.sizes, this.strides);
    if (tensor.totalTensorSizeInBytes !== needed) {
      const given = `${tensor.totalTensorSizeInBytes} bytes`;
      const why = 'a node such as slice takes a part of a value';
      const expected = `a view of all ${needed} bytes of the value`;
      throw strict('graph-view-sizes', fieldError('ERR_TENSOR_SIZE', at(place, 'sizes'), expected, given, { why }));
    }
    return new Value(this.dataType, tensor, source);
  }

  /**
   * Returns a view of the same elements in the same row-major order with other sizes. The value must be packed.
   *
   * @throws {DirectMLError} ERR_SIZES if the sizes have another number of elements, ERR_STRIDES if the value is not packed.
   */
  reshape(sizes: readonly number[]): Value<T> {
    return this.#viewOf('value.reshape', (method) => reshaped(method, this, sizes));
  }

  /**
   * Returns a view of the value with its dimensions in another order.
   *
   * @param axes Dimension `i` of the result is dimension `axes[i]` of the value. Default: the reverse order.
   * @throws {DirectMLError} ERR_SIZES unless `axes` has each dimension exactly once.
   */
  transpose(axes?: readonly number[]): Value<T> {
    return this.#viewOf('value.transpose', (method) => transposed(method, this, axes));
  }

  /**
   * Returns a view that repeats the value by strides of 0: along dimensions of size 1, and along new leading dimensions.
   *
   * @throws {DirectMLError} ERR_SIZES if a size of the value is neither 1 nor that of the result.
   */
  broadcastTo(sizes: readonly number[]): Value<T> {
    return this.#viewOf('value.broadcastTo', (method) => broadcasted(method, this, sizes));
  }

  /** A line with the name, the data type and the sizes. `console.log` shows it too. */
  toString(): string {
    return `${titled('Value', this.name)} ${layoutLine(this)}`;
  }

  /** @internal For functions that are written for tensors. */
  toArray(): never {
    throw noData('value.toArray');
  }

  /** @internal */
  read(): never {
    throw noData('value.read');
  }

  /** @internal */
  readInto(): never {
    throw noData('value.readInto');
  }

  /** @internal */
  write(): never {
    throw noData('value.write');
  }

  #viewOf(method: string, compute: (method: string) => TensorLayout): Value<T> {
    const place = { operator: method, field: '' };
    const tensor = resolveTensor({ ...compute(method) }, place, 'any', highestFeatureLevel);
    return new Value(this.dataType, tensor, this.#source);
  }
}
