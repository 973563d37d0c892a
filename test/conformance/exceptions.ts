/** What Wine's Direct3D 12 cannot do. Such cases are counted with their cause, never left out in silence. */
import { DirectMLError, type OperatorType } from 'node-directml';
import type { ConformanceCase } from './case.js';

/** Set by the sandbox; on Windows nothing is excused. */
const IN_SANDBOX = process.env['NODE_DIRECTML_SANDBOX_RUN'] !== undefined;

/** Why DirectML may refuse this case here, or null where it has no excuse. */
export function refusal({ descriptor }: ConformanceCase, error: unknown): string | null {
  if (!IN_SANDBOX || !(error instanceof DirectMLError)) return null;
  if (error.hresultName !== 'E_FAIL') return null;
  if (descriptor.type !== 'cast') return null;
  const types = [descriptor.inputTensor.dataType, descriptor.outputTensor.dataType];
  return types.includes('float64') ? 'casts with FLOAT64 are DXIL shaders that vkd3d cannot read' : null;
}

/** What the shader computes. */
const VECTORIZED: ReadonlySet<OperatorType> = new Set<OperatorType>([
  'elementWiseAdd',
  'elementWiseAdd1',
  'elementWiseSubtract',
  'elementWiseMultiply',
  'elementWiseDivide',
  'elementWiseMean',
  'elementWiseDifferenceSquare',
  'elementWiseMin',
  'elementWiseMax',
]);

/**
 * Whether DirectML's `ElementWiseVectorized` shader serves the case, which the sandbox replaces by its own: float32
 * on packed tensors whose element count is a multiple of 4. It tests DirectML's plumbing and our arithmetic.
 */
export function hasReplacedShader({ descriptor }: ConformanceCase): boolean {
  if (!IN_SANDBOX || !VECTORIZED.has(descriptor.type) || !('aTensor' in descriptor)) return false;
  const tensors = [descriptor.aTensor, descriptor.bTensor, descriptor.outputTensor];
  const elements = descriptor.outputTensor.sizes.reduce((count, size) => count * size, 1);
  return (
    elements % 4 === 0 &&
    tensors.every(
      ({ dataType, strides }) => dataType === 'float32' && (strides === undefined || strides === null),
    )
  );
}
