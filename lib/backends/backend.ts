/**
 * The interface between the facade and its two backends: DirectML through the native addon (`directml/`), and pure TypeScript
 * (`reference/`). All arguments have been validated.
 */
import type { DeviceInfo, DeviceLostInfo } from './device-info.js';
import type { ResolvedOperator } from '../validation/resolved.js';

export interface BackendBuffer {
  readonly sizeInBytes: number;
  setLabel(label: string): void;
  dispose(): void;
}

/** The bytes of a buffer from `offset` up to, not including, `offset + sizeInBytes`. */
export interface BufferRange {
  readonly buffer: BackendBuffer;
  readonly offset: number;
  readonly sizeInBytes: number;
}

/** A compiled operator of the backend: whatever `dispatch` can record, as DirectML's IDMLDispatchable. */
export interface BackendDispatchable {
  dispose(): void;
}

export interface CompileFlags {
  readonly allowHalfPrecisionComputation: boolean;
  readonly disableMetacommands: boolean;
  readonly descriptorsVolatile: boolean;
}

export interface Backend {
  readonly info: DeviceInfo;
  readonly lost: Promise<DeviceLostInfo>;
  createBuffer(sizeInBytes: number): BackendBuffer;
  /**
   * `owned` holds the inputs that the operator takes over (`flags: 'ownedByDml'`), by position as in `dispatch`; null for all
   * other inputs.
   */
  compile(operator: ResolvedOperator, flags: CompileFlags, owned: readonly (BufferRange | null)[]): Promise<BackendDispatchable>;
  /**
   * Bindings are in the order of the descriptor's tensor fields, with array fields flattened; null for a tensor that is absent.
   */
  dispatch(
    dispatchable: BackendDispatchable,
    inputs: readonly (BufferRange | null)[],
    outputs: readonly (BufferRange | null)[],
  ): void;
  /** Copies the bytes before it returns. */
  write(buffer: BackendBuffer, offset: number, data: Uint8Array): void;
  read(buffer: BackendBuffer, offset: number, sizeInBytes: number): Promise<ArrayBuffer>;
  submit(): void;
  idle(): Promise<void>;
  dispose(): void;
}
