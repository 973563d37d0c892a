/** The cases that Wine's Direct3D 12 cannot run. They are counted with their cause, never skipped silently. */
import { statSync } from 'node:fs';
import { DirectMLError } from 'node-directml';
import type { ConformanceCase } from '../cases/case.js';

/** True in the sandbox. On Windows no failure is excused. */
export const IN_SANDBOX = process.env['NODE_DIRECTML_SANDBOX_RUN'] !== undefined;

/** The reason why DirectML may refuse this case in the sandbox; null if there is none. */
export function refusal({ descriptor }: ConformanceCase, error: unknown): string | null {
  if (!IN_SANDBOX || !(error instanceof DirectMLError)) return null;
  if (error.hresultName !== 'E_FAIL') return null;
  if (descriptor.type !== 'cast') return null;
  const types = [descriptor.inputTensor.dataType, descriptor.outputTensor?.dataType];
  return types.includes('float64') ? 'casts with FLOAT64 are DXIL shaders that vkd3d cannot read' : null;
}

/**
 * A number that grows with every use of DirectML's shader `ElementWiseVectorized`, which the sandbox replaces by its own and
 * logs (sandbox/bridge/shader.cpp). DirectML uses it for arithmetic on packed float32 tensors whose element count is a
 * multiple of 4. Such cases test DirectML's plumbing, but the arithmetic of our shader.
 */
export function replacedShaderUses(): number {
  const notes = process.env['NODE_DIRECTML_BRIDGE_LOG'];
  return notes === undefined ? 0 : (statSync(notes, { throwIfNoEntry: false })?.size ?? 0);
}
