/** Textures of other code. */
import type { BackendTexture, Rectangle } from '../../backends/backend.js';
import type { TextureFormat } from '../../backends/texture-formats.js';
import { DirectMLError, fieldError, named } from '../../values/errors.js';
import { nameKind } from '../../values/given.js';
import { printAsText, titled, withState } from '../../values/printed.js';
import { markUncloneable } from '../../values/uncloneable.js';
import { argumentError } from '../../values/arguments.js';
import { fromCaller } from '../call-site.js';
import type { DeviceContext } from '../device-context.js';
import { makeConstant } from '../make-constant.js';
import { DirectMLBuffer } from '../memory/buffer.js';
import { Tensor } from '../memory/tensor.js';
import { outsideScopes } from '../scope.js';
import { conversionFor } from './conversions.js';
import { keyOf, readPixelOptions, readRowOptions, type PixelOptions, type RowOptions } from './pixel-options.js';
import { PreparedCopy } from './prepared-copy.js';
import { rowsCopy, tensorCopy } from './texture-copies.js';

/** So many prepared copies of a texture are kept for each tensor. */
const maxPrepared = 8;

/**
 * A 2D texture of other code, such as a video frame. {@link Device.importTexture} imports it. Between the commands of both sides
 * it must be in D3D12_RESOURCE_STATE_COMMON.
 */
export class DirectMLTexture implements Disposable {
  /** In texels. */
  readonly width: number;
  /** In texels. */
  readonly height: number;
  readonly format: TextureFormat;
  /** Name of the texture in error messages; `''` if it has none. */
  readonly label: string;
  readonly #context: DeviceContext;
  readonly #native: BackendTexture;
  /** Prepared copies by tensor or buffer, and by options. Users get twins, because disposing of one affects no other. */
  readonly #prepared = new WeakMap<object, Map<string, PreparedCopy>>();
  #isDisposed = false;

  static {
    const is = (value: object) => #native in value;
    nameKind('a texture', 'textures', is);
    printAsText(this.prototype, is);
  }

  /** @internal */
  constructor(context: DeviceContext, native: BackendTexture, label: string) {
    this.#context = context;
    this.#native = native;
    this.width = native.width;
    this.height = native.height;
    this.format = native.format;
    this.label = label;
    makeConstant(this, 'width', 'height', 'format', 'label');
    markUncloneable(this);
  }

  /**
   * Copies the texels of the texture into a tensor, as `texel * scale + offset`: a texel of the unorm formats is a number from 0 to
   * 255. The first call with a tensor and these options compiles what converts them; further calls only record it. The copy runs
   * after all commands recorded before it.
   *
   * @param target A tensor of float32 or float16, or of the texture's own data type (uint8 or float16) without scale and offset.
   * Its sizes are `[1, channels, height, width]`, or `[1, height, width, channels]` with `layout: 'nhwc'`; the 1 can be left
   * out, as can 1 channel.
   * @throws {DirectMLError} (as a rejection) ERR_INVALID_ARGUMENT, ERR_OUT_OF_RANGE for a region outside the texture, ERR_SIZES,
   * ERR_DATA_TYPE, ERR_WRONG_DEVICE, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY; ERR_NOT_RECORDABLE within
   * {@link Device.record}, where {@link prepareCopyTo} helps.
   */
  copyTo(target: Tensor, options?: PixelOptions): Promise<void>;
  /**
   * Copies rows of texels into a buffer, as they are in memory.
   *
   * @throws {DirectMLError} (as a rejection) ERR_OUT_OF_RANGE if the rows do not fit into the buffer, and those of the other form.
   */
  copyTo(target: DirectMLBuffer, options?: RowOptions): Promise<void>;
  copyTo(target: Tensor | DirectMLBuffer, options?: PixelOptions | RowOptions): Promise<void> {
    return this.#copy('texture.copyTo', target, options, true);
  }

  /**
   * Copies a tensor into the texture, as `element * scale + offset`. For the unorm formats, the result is rounded to the nearest
   * whole number, halves up, and limited to 0 to 255: -Infinity becomes 0, Infinity and NaN become 255. rgba16float keeps them.
   * Channels that the tensor lacks become 0, and alpha becomes 255 (1 in rgba16float). Otherwise like {@link copyTo}.
   *
   * @throws {DirectMLError} (as a rejection) The errors of {@link copyTo}.
   */
  copyFrom(source: Tensor, options?: PixelOptions): Promise<void>;
  /** Copies rows of texels from a buffer, as they are in memory. */
  copyFrom(source: DirectMLBuffer, options?: RowOptions): Promise<void>;
  copyFrom(source: Tensor | DirectMLBuffer, options?: PixelOptions | RowOptions): Promise<void> {
    return this.#copy('texture.copyFrom', source, options, false);
  }

  /**
   * Prepares a copy like {@link copyTo} without running it. {@link PreparedCopy.dispatch} runs it, also within
   * {@link Device.record}.
   *
   * @throws {DirectMLError} (as a rejection) The errors of {@link copyTo}.
   */
  prepareCopyTo(target: Tensor, options?: PixelOptions): Promise<PreparedCopy>;
  prepareCopyTo(target: DirectMLBuffer, options?: RowOptions): Promise<PreparedCopy>;
  prepareCopyTo(target: Tensor | DirectMLBuffer, options?: PixelOptions | RowOptions): Promise<PreparedCopy> {
    this.#context.refuseWhileRecording('texture.prepareCopyTo');
    return fromCaller(async () => (await this.#prepare('texture.prepareCopyTo', target, options, true)).twin());
  }

  /**
   * Prepares a copy like {@link copyFrom} without running it.
   *
   * @throws {DirectMLError} (as a rejection) The errors of {@link copyTo}.
   */
  prepareCopyFrom(source: Tensor, options?: PixelOptions): Promise<PreparedCopy>;
  prepareCopyFrom(source: DirectMLBuffer, options?: RowOptions): Promise<PreparedCopy>;
  prepareCopyFrom(source: Tensor | DirectMLBuffer, options?: PixelOptions | RowOptions): Promise<PreparedCopy> {
    this.#context.refuseWhileRecording('texture.prepareCopyFrom');
    return fromCaller(async () => (await this.#prepare('texture.prepareCopyFrom', source, options, false)).twin());
  }

  /** Releases the texture as soon as no recorded command needs it. Its memory belongs to the other code. May be called again. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#context.changes++;
    if (!this.#context.isDisposed) this.#native.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** A line with the label, the format and the size. `console.log` shows it too. */
  toString(): string {
    const title = `${titled('DirectMLTexture', this.label)} ${this.format} ${this.width} × ${this.height}`;
    return withState(title, this.#isDisposed ? 'disposed' : this.#context.state);
  }

  /** @internal */
  check(method: string): void {
    if (this.#isDisposed) throw new DirectMLError('ERR_DISPOSED', `${method}: ${named('texture', this.label)} is disposed`);
    this.#context.check(method);
  }

  #copy(method: string, other: Tensor | DirectMLBuffer, options: unknown, toBuffer: boolean): Promise<void> {
    this.#context.refuseWhileRecording(method);
    return fromCaller(async () => {
      const prepared = await this.#prepare(method, other, options, toBuffer);
      prepared.dispatch();
      const wait = this.#context.pace.addStep();
      if (wait !== null) await wait;
    });
  }

  /** A promise only if something has to be compiled. */
  #prepare(method: string, other: unknown, options: unknown, toBuffer: boolean): PreparedCopy | Promise<PreparedCopy> {
    this.check(method);
    const isTensor = Tensor.is(other);
    if (!isTensor && !DirectMLBuffer.is(other)) throw argumentError(method, 'target', 'a tensor or a buffer', other);
    const buffer = isTensor ? other.buffer : other;
    const read = isTensor ? readPixelOptions(method, options) : readRowOptions(method, options);
    if (!buffer.belongsTo(this.#context)) {
      throw argumentError(method, 'target', `one of the texture's device`, other, 'ERR_WRONG_DEVICE');
    }
    buffer.check(method);
    const key = `${toBuffer ? 'to' : 'from'} ${keyOf(read)}`;
    const known = this.#prepared.get(other)?.get(key);
    if (known !== undefined) return known;
    const rectangle = this.#rectangle(method, read.region);
    const place = { context: this.#context, texture: this, native: this.#native, rectangle, toBuffer };
    if (read.kind === 'rows') return this.#keep(other, key, new PreparedCopy(place, rowsCopy(method, place, buffer, read), null));
    if (!isTensor) throw new TypeError('only tensors have channels');
    const { pixels, layout } = tensorCopy(method, place, other, read);
    return outsideScopes(async () => {
      const conversion = await conversionFor(this.#context, layout, pixels);
      this.check(method);
      other.buffer.check(method);
      return this.#keep(other, key, new PreparedCopy(place, conversion.copyOf(place), conversion.bound(other)));
    });
  }

  #keep(other: object, key: string, prepared: PreparedCopy): PreparedCopy {
    let copies = this.#prepared.get(other);
    if (copies === undefined) {
      copies = new Map<string, PreparedCopy>();
      this.#prepared.set(other, copies);
    }
    const [oldest] = copies.keys();
    if (copies.size >= maxPrepared && oldest !== undefined) copies.delete(oldest);
    copies.set(key, prepared);
    return prepared;
  }

  #rectangle(method: string, region: Rectangle | undefined): Rectangle {
    const { width, height } = this;
    if (region === undefined) return { x: 0, y: 0, width, height };
    if (region.x + region.width <= width && region.y + region.height <= height) return region;
    const given = `${region.width} × ${region.height} at ${region.x}, ${region.y}`;
    const expected = `a rectangle within the ${width} × ${height} texels of ${named('texture', this.label)}`;
    throw fieldError('ERR_OUT_OF_RANGE', { operator: method, field: 'options.region' }, expected, given);
  }
}
