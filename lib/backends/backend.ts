/**
 * The small interface that both backends implement and the facade speaks: the native one in `directml/`, the
 * pure TypeScript one in `reference/`. Everything that reaches a backend has been validated.
 */
import type { DeviceInfo, DeviceLostInfo } from './device-info.js';
import type { ResolvedOperator } from '../validation/resolved.js';

export interface BackendBuffer {
  readonly sizeInBytes: number;
  setLabel(label: string): void;
  dispose(): void;
}

/** Bytes `offset` to `offset + sizeInBytes` of a buffer. */
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
  /** `owned` are the inputs that the operator takes over, by position as in `dispatch`, null for all others. */
  compile(operator: ResolvedOperator, flags: CompileFlags, owned: readonly (BufferRange | null)[]): Promise<BackendDispatchable>;
  /** Bindings in the order of the descriptor's tensor fields, arrays flattened, null where there is none. */
  dispatch(
    dispatchable: BackendDispatchable,
    inputs: readonly (BufferRange | null)[],
    outputs: readonly (BufferRange | null)[],
  ): void;
  /** Takes a copy of the bytes before it returns. */
  write(buffer: BackendBuffer, offset: number, data: Uint8Array): void;
  read(buffer: BackendBuffer, offset: number, sizeInBytes: number): Promise<ArrayBuffer>;
  submit(): void;
  idle(): Promise<void>;
  dispose(): void;
}
