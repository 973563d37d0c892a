/** Examples of casts, of identity with a scale and a bias, and of additions with a fused activation. */
import { binary, floats, integers, unary } from '../../cases/own-example.js';

export const ours = [
  unary('cast', floats(1.75, -2.5, 300), integers(1, -2, 300)),
  unary('elementWiseIdentity', floats(1, 2, 3), floats(3, 5, 7), { scaleBias: { scale: 2, bias: 1 } }),
  binary('elementWiseAdd1', floats(1, 2, 3), floats(-2, 0, 2), floats(0, 2, 5), {
    fusedActivation: { type: 'activationRelu' },
  }),
];
