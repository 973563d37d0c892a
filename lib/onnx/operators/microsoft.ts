/** Operators of onnxruntime, which its tools write into models. */
import type { Lowerings } from './lowering.js';
import { microsoftAttention } from './microsoft-attention.js';
import { fusedOperators } from './microsoft-fused.js';
import { quantizedOperators } from './microsoft-quantized.js';

export const microsoftOperators: Lowerings = {
  ...microsoftAttention,
  ...fusedOperators,
  ...quantizedOperators,
};
