/** Prepared copies of textures: compiled, with bound tensors, so that running one needs no arguments. */
import type { TextureCopy } from '../../backends/backend.js';
import { DirectMLError } from '../../values/errors.js';
import { nameKind } from '../../values/given.js';
import { printAsText, withState } from '../../values/printed.js';
import { markUncloneable } from '../../values/uncloneable.js';
import type { BoundWork } from '../graphs/compiled-graph.js';
import { refuseDisposed } from '../operators/dispatch.js';
import type { DirectMLBuffer } from '../memory/buffer.js';
import { sharingOf } from './sharing-of.js';
import type { CopyPlace } from './texture-copies.js';

const method = 'dispatch';

/**
 * A copy between a texture and a tensor or a buffer, made by {@link DirectMLTexture.prepareCopyTo} and
 * {@link DirectMLTexture.prepareCopyFrom}. You can dispatch it any number of times.
 */
export class PreparedCopy implements Disposable {
  readonly #place: CopyPlace;
  readonly #copy: TextureCopy & { readonly owner: DirectMLBuffer };
  /** Converts between the rows and the tensor. Null for a copy of rows. */
  readonly #conversion: BoundWork | null;
  #isDisposed = false;

  static {
    const is = (value: object) => #place in value;
    nameKind('a prepared copy', 'prepared copies', is);
    printAsText(this.prototype, is);
  }

  /** @internal */
  constructor(place: CopyPlace, copy: TextureCopy & { readonly owner: DirectMLBuffer }, conversion: BoundWork | null) {
    this.#place = place;
    this.#copy = copy;
    this.#conversion = conversion;
    markUncloneable(this);
  }

  /**
   * Records the copy, which runs after all commands recorded before it. Does not wait. In {@link Device.record}, the recording
   * gets the copy.
   *
   * @throws {DirectMLError} ERR_DISPOSED if the copy, the texture, the tensor, the buffer or the device is disposed;
   * ERR_DEVICE_LOST; ERR_OUT_OF_MEMORY.
   */
  dispatch(): void {
    const { texture, toBuffer } = this.#place;
    const conversion = this.#conversion;
    if (this.#isDisposed) throw new DirectMLError('ERR_DISPOSED', `${method}: the prepared copy is disposed`);
    texture.check(method);
    this.#copy.owner.check(method);
    conversion?.work.check(method);
    if (conversion !== null) refuseDisposed(conversion.dispatch);
    if (toBuffer) this.#recordCopy();
    conversion?.work.record(method, conversion.dispatch);
    if (!toBuffer) this.#recordCopy();
  }

  /** @internal The same copy as another object, which can be disposed of by itself. */
  twin(): PreparedCopy {
    return new PreparedCopy(this.#place, this.#copy, this.#conversion);
  }

  /** The copy can no longer be dispatched. Its memory is shared with other copies of the device. May be called again. */
  dispose(): void {
    this.#isDisposed = true;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** A line with the texture and the direction. `console.log` shows it too. */
  toString(): string {
    const { native, context, toBuffer } = this.#place;
    const title = `PreparedCopy ${toBuffer ? 'from' : 'to'} a texture ${native.format} ${native.width} × ${native.height}`;
    return withState(title, this.#isDisposed ? 'disposed' : context.state);
  }

  #recordCopy(): void {
    const { context, texture } = this.#place;
    if (context.recording !== null) context.recording.addCopy(this.#copy, [texture, this.#copy.owner]);
    else sharingOf(context, method).copyTexture(this.#copy);
  }
}
