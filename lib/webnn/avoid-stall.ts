/** Sets V8's flag that onnxruntime-web needs. */
import { setFlagsFromString } from 'node:v8';

/** Node.js 20 optimizes onnxruntime's wasm in the middle of a run, which then takes a minute or more. */
export function avoidStall(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--liftoff-only');
}
