/**
 * The module simd.wat, which computes by WebAssembly SIMD: an instance with its memory, if the engine can run it. Whoever uses it
 * copies numbers in and out, and has the whole memory until then. The bits of its results are those of the kernels in TypeScript.
 * A second variant of the module has a memory that threads share.
 */
import { moduleInBase64, sharedModuleInBase64 } from './generated/simd.js';

/** In bytes. Beyond it, memory is given back after use. */
const KEPT_MEMORY = 2 ** 23;

/** In bytes. What needs more is left to TypeScript. */
const LARGEST_MEMORY = 2 ** 30;

const PAGE = 2 ** 16;

/** An instance, and its whole memory as numbers. */
export interface Simd {
  readonly exports: Exports;
  readonly float64: Float64Array;
  readonly float32: Float32Array;
}

/** The variant on a memory that threads share, and that memory. Both can be sent to threads. */
export interface SharedSimd {
  readonly module: object;
  readonly memory: { readonly buffer: SharedArrayBuffer };
}

/** An instance with a memory of its own. */
interface OwnExports extends Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
}

/** What the module exports. Places in its memory, and steps from one to the next, are in bytes. */
export interface Exports {
  readonly packFloat64: Pack;
  readonly packFloat32: Pack;
  readonly multiply: (
    tiles: number,
    tileCount: number,
    panels: number,
    panelCount: number,
    length: number,
    sums: number,
    isInFloat32: boolean,
  ) => void;
  readonly keepLarger: CombineRuns;
  readonly add: CombineRuns;
  readonly sumFloat32: (from: number, count: number) => number;
  readonly addFloats: Arithmetic;
  readonly subtractFloats: Arithmetic;
  readonly multiplyFloats: Arithmetic;
  readonly divideFloats: Arithmetic;
}

type Arithmetic = (a: number, b: number, count: number) => void;

type Pack = (block: number, length: number, panelCount: number, panels: number) => void;

type CombineRuns = (to: number, toStep: number, from: number, fromStep: number, count: number, inner: number) => void;

/** The part of the global object that is used here. TypeScript declares it only together with browsers' objects. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports?: object) => { readonly exports: unknown };
  readonly Memory: new (description: { __proto__: null; initial: number; maximum: number; shared: true }) => SharedSimd['memory'];
};

/** Undefined before the first use; null if the engine cannot or may not run the module. */
let compiled: object | null | undefined;
let kept: (Simd & { readonly exports: OwnExports }) | null = null;

/** Returns an instance with at least so much memory, or null if there is none. */
export function simdWith(sizeInBytes: number): Simd | null {
  if (kept !== null && kept.float64.byteLength >= sizeInBytes) return kept;
  if (compiled === undefined) compiled = compile(moduleInBase64);
  if (compiled === null || sizeInBytes > LARGEST_MEMORY) return null;
  try {
    const exports = kept?.exports ?? newInstance(compiled);
    const { memory } = exports;
    memory.grow(Math.max(0, Math.ceil((sizeInBytes - memory.buffer.byteLength) / PAGE)));
    const { buffer } = memory;
    const simd = { exports, float64: new Float64Array(buffer), float32: new Float32Array(buffer) };
    kept = buffer.byteLength > KEPT_MEMORY ? null : simd;
    return simd;
  } catch {
    // There is not enough memory.
    return null;
  }
}

/** Returns the variant for several threads with so much memory, or null if the engine has none. */
export function sharedSimdWith(sizeInBytes: number): SharedSimd | null {
  const module = compile(sharedModuleInBase64);
  if (module === null) return null;
  const pages = Math.ceil(sizeInBytes / PAGE);
  try {
    // Of its full size from the beginning: the pages that nothing writes to take no memory.
    return { module, memory: new WebAssembly.Memory({ __proto__: null, initial: pages, maximum: pages, shared: true }) };
  } catch {
    return null;
  }
}

/** An instance for this thread. */
export function instanceOf({ module, memory }: SharedSimd): Exports {
  return new WebAssembly.Instance(module, { shared: { memory } }).exports as Exports;
}

function newInstance(module: object): OwnExports {
  // What the module exports is known from its text only.
  return new WebAssembly.Instance(module).exports as OwnExports;
}

/** Returns null if the engine has no WebAssembly or no SIMD, or if a content security policy forbids it. */
function compile(inBase64: string): object | null {
  try {
    return new WebAssembly.Module(Buffer.from(inBase64, 'base64'));
  } catch {
    return null;
  }
}
