/** Gradients of activation functions. */
import { byDerivative, ofElements, type Expression, type GradientRules, type Operations } from '../../descriptors/gradient.js';

type Names =
  | ('Identity' | 'Linear' | 'Relu' | 'ReluGrad' | 'LeakyRelu' | 'ParameterizedRelu' | 'ThresholdedRelu' | 'Elu' | 'ScaledElu')
  | ('Celu' | 'Gelu' | 'Sigmoid' | 'HardSigmoid' | 'Swish' | 'HardSwish' | 'Tanh' | 'ScaledTanh' | 'Softplus')
  | ('ParametricSoftplus' | 'Softsign' | 'Shrink');

/** `1 - x²` */
const oneMinusSquare = (x: Expression, o: Operations) => o.subtract(1, o.multiply(x, x));
/** True where `x` is inside of two bounds. */
const isBetween = (low: number, x: Expression, high: number, o: Operations) =>
  o.logicalAnd(o.logicalGreaterThan(x, low), o.logicalLessThan(x, high));

export const gradients: GradientRules<`activation${Names}`> = {
  activationIdentity: (_, g) => ({ inputTensor: () => g }),
  activationLinear: byDerivative((_x, _o, _y, { alpha }) => alpha),
  activationRelu: ({ inputTensor }, g, o) => ({ inputTensor: () => o.activationReluGrad(inputTensor, g) }),
  activationReluGrad: ({ inputTensor }, g, o) => ({ inputGradientTensor: () => o.activationReluGrad(inputTensor, g) }),
  activationLeakyRelu: ofElements((g, x, o, _, { alpha }) => o.if(o.logicalGreaterThan(x, 0), g, o.multiply(g, alpha))),
  activationParameterizedRelu: ({ inputTensor: x, slopeTensor }, g, o) => ({
    inputTensor: () => o.if(o.logicalGreaterThan(x, 0), g, o.multiply(g, slopeTensor)),
    slopeTensor: () => o.if(o.logicalGreaterThan(x, 0), 0, o.multiply(g, x)),
  }),
  activationThresholdedRelu: ofElements((g, x, o, _, { alpha }) => o.if(o.logicalGreaterThan(x, alpha), g, 0)),
  activationElu: ofElements((g, x, o, y, { alpha }) => o.if(o.logicalGreaterThan(x, 0), g, o.multiply(g, o.add(y, alpha)))),
  activationScaledElu: ofElements((g, x, o, y, { alpha, gamma }) =>
    o.if(o.logicalGreaterThan(x, 0), o.multiply(g, gamma), o.multiply(g, o.add(y, alpha * gamma))),
  ),
  activationCelu: ofElements((g, x, o, y, { alpha }) =>
    o.if(o.logicalGreaterThan(x, 0), g, alpha === 0 ? 0 : o.multiply(g, o.add(o.multiply(y, 1 / alpha), 1))),
  ),
  activationGelu: byDerivative((x, o) => {
    const share = o.multiply(o.add(o.erf(o.multiply(x, Math.SQRT1_2)), 1), 0.5);
    const density = o.multiply(o.exp(o.multiply(o.multiply(x, x), -0.5)), 1 / Math.sqrt(2 * Math.PI));
    return o.add(share, o.multiply(x, density));
  }),
  activationSigmoid: byDerivative((_, o, y) => o.multiply(y, o.subtract(1, y))),
  activationHardSigmoid: ofElements((g, _, o, y, { alpha }) => o.if(isBetween(0, y, 1, o), o.multiply(g, alpha), 0)),
  activationSwish: byDerivative((x, o, y, { sigmoidInputScale: scale }) => {
    const share = o.activationSigmoid(o.multiply(x, scale));
    return o.add(share, o.multiply(o.multiply(y, scale), o.subtract(1, share)));
  }),
  activationHardSwish: byDerivative((x, o, _, { alpha, beta }) => {
    const share = o.clip(o.add(o.multiply(x, alpha), beta), { min: 0, max: 1 });
    return o.add(share, o.if(isBetween(0, share, 1, o), o.multiply(x, alpha), 0));
  }),
  activationTanh: byDerivative((_, o, y) => oneMinusSquare(y, o)),
  activationScaledTanh: byDerivative((x, o, _, { alpha, beta }) =>
    o.multiply(oneMinusSquare(o.activationTanh(o.multiply(x, beta)), o), alpha * beta),
  ),
  activationSoftplus: byDerivative((x, o, _, { steepness }) => o.activationSigmoid(o.multiply(x, steepness))),
  activationParametricSoftplus: byDerivative((x, o, _, { alpha, beta }) =>
    o.multiply(o.activationSigmoid(o.multiply(x, beta)), alpha * beta),
  ),
  activationSoftsign: byDerivative((x, o) => {
    const size = o.add(o.abs(x), 1);
    return o.recip(o.multiply(size, size));
  }),
  activationShrink: ofElements((g, x, o, _, { threshold }) => o.if(o.logicalGreaterThan(o.abs(x), threshold), g, 0)),
};
