/** onnxruntime's CPU provider, against which other computations are compared. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Loads onnxruntime-node from the place where the addon's build also finds DirectML.dll. */
export function onnxruntime(): typeof import('onnxruntime-common') {
  return createRequire(join(process.cwd(), 'native', 'package.json'))('onnxruntime-node');
}
