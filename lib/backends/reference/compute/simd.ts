/**
 * The module simd.wat, which computes by WebAssembly SIMD: an instance with its memory, if the engine can run it. Whoever uses it
 * copies numbers in and out, and has the whole memory until then. The bits of its results are those of the kernels in TypeScript.
 */
import { moduleInBase64 } from '../generated/simd.js';

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

/** What the module exports. Places in its memory, and steps from one to the next, are in bytes. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
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
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** Undefined before the first use; null if the engine cannot or may not run the module. */
let compiled: object | null | undefined;
let kept: Simd | null = null;

/** Returns an instance with at least so much memory, or null if there is none. */
export function simdWith(sizeInBytes: number): Simd | null {
  if (kept !== null && kept.float64.byteLength >= sizeInBytes) return kept;
  if (compiled === undefined) compiled = compile();
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

function newInstance(module: object): Exports {
  // What the module exports is known from its text only.
  return new WebAssembly.Instance(module).exports as Exports;
}

/** Returns null if the engine has no WebAssembly or no SIMD, or if a content security policy forbids it. */
function compile(): object | null {
  try {
    return new WebAssembly.Module(Buffer.from(moduleInBase64, 'base64'));
  } catch {
    return null;
  }
}
