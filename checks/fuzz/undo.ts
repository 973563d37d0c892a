/** Makes the surroundings hostile, and harmless again. */
import { nothing, type Patch } from './patches.js';

/** Restores the surroundings. A chain of functions and not an array, because Array.prototype may have setters. */
let undo = nothing;

export function putOn(patches: readonly Patch[]): void {
  for (let i = 0; i < patches.length; i++) {
    const before = undo;
    const off = patches[i]?.put() ?? nothing;
    undo = () => {
      off();
      before();
    };
  }
}

/** Makes the surroundings harmless again. The fuzzer calls it before it looks at a result. */
export function takeOff(): void {
  const all = undo;
  undo = nothing;
  all();
}
