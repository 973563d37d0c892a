/** The reference backend in the worker. If a kernel runs out of memory, it continues and remembers what was not computed. */
import { DirectMLError } from '../../../values/errors.js';
import type { BackendBuffer, BackendDispatchable, BufferRange, DispatchCommand } from '../../backend.js';
import { ReferenceGraph } from '../graph.js';
import { ReferenceBackend, ReferenceOperator } from '../index.js';
import { LackingRanges } from './lacking-ranges.js';
import type { Lack } from './protocol.js';

export class LastingBackend extends ReferenceBackend {
  readonly lacking = new LackingRanges();
  /** The first lack of memory that was not reported to a request. */
  #untold: Lack | null = null;

  /** A dispatch that reads missing ranges does not run: its outputs are then missing too. */
  override dispatch(command: DispatchCommand): void {
    const { lacking } = this;
    const { dispatchable, inputs, outputs } = command;
    const found = lacking.isEmpty ? null : lacking.find([...inputs, ...ownedBy(dispatchable)]);
    if (found !== null) return lacking.add(outputs, found);
    try {
      super.dispatch(command);
    } catch (error) {
      const lack = lackOf(error);
      this.#untold ??= lack;
      return lacking.add(outputs, lack);
    }
    if (!lacking.isEmpty) lacking.write(outputs);
  }

  override write(buffer: BackendBuffer, offset: number, data: Uint8Array): void {
    super.write(buffer, offset, data);
    if (!this.lacking.isEmpty) this.lacking.write([{ buffer, offset, sizeInBytes: data.byteLength }]);
  }

  override copy(from: BufferRange, to: BufferRange): void {
    const lack = this.lacking.find([from]);
    if (lack !== null) return this.lacking.add([to], lack);
    super.copy(from, to);
    this.lacking.write([to]);
  }

  get isLacking(): boolean {
    return this.#untold !== null || !this.lacking.isEmpty;
  }

  /** The lack of memory to report to a request: that of the range or, without a range, the first unreported one. */
  tellOf(range: BufferRange | null): Lack | null {
    const lack = range === null ? this.#untold : this.lacking.find([range]);
    if (lack !== null) this.#untold = null;
    return lack;
  }
}

/** @throws the error itself, if it is no lack of memory. */
export function lackOf(error: unknown): Lack {
  if (!(error instanceof DirectMLError) || error.code !== 'ERR_OUT_OF_MEMORY') throw error;
  return { message: error.message, operator: error.operator ?? null };
}

function ownedBy(dispatchable: BackendDispatchable): readonly (BufferRange | null)[] {
  if (dispatchable instanceof ReferenceOperator) return dispatchable.owned;
  return dispatchable instanceof ReferenceGraph ? dispatchable.constants : [];
}
