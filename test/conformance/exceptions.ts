/** What Wine's Direct3D 12 cannot do. Such cases are counted with their cause, never left out in silence. */
import { statSync } from 'node:fs';
import { DirectMLError } from 'node-directml';
import type { ConformanceCase } from './case.js';

/** Set by the sandbox; on Windows nothing is excused. */
export const IN_SANDBOX = process.env['NODE_DIRECTML_SANDBOX_RUN'] !== undefined;

/** Why DirectML may refuse this case here, or null where it has no excuse. */
export function refusal({ descriptor }: ConformanceCase, error: unknown): string | null {
  if (!IN_SANDBOX || !(error instanceof DirectMLError)) return null;
  if (error.hresultName !== 'E_FAIL') return null;
  if (descriptor.type !== 'cast') return null;
  const types = [descriptor.inputTensor.dataType, descriptor.outputTensor?.dataType];
  return types.includes('float64') ? 'casts with FLOAT64 are DXIL shaders that vkd3d cannot read' : null;
}

/**
 * Grows whenever DirectML's shader `ElementWiseVectorized` is used, which the sandbox replaces by its own and notes
 * down (sandbox/bridge/shader.cpp). It serves arithmetic on packed float32 tensors whose element count is a multiple of
 * 4: what runs behind it tests DirectML's plumbing and our arithmetic.
 */
export function replacedShaderUses(): number {
  const notes = process.env['NODE_DIRECTML_BRIDGE_LOG'];
  return notes === undefined ? 0 : (statSync(notes, { throwIfNoEntry: false })?.size ?? 0);
}
