/** Gradients of operators of one tensor, element by element. */
import { byDerivative, ofElements, type GradientRules } from '../../descriptors/gradient.js';

const steps = 'it is constant but for steps';
const bits = 'its input and its output are integers';
const query = 'its output says whether something is true';

export const gradients: GradientRules<
  | `elementWise${'Abs' | 'Negate' | 'Sign' | 'Recip' | 'Ceil' | 'Floor' | 'Round' | 'Clip' | 'Clip1' | 'ClipGrad' | 'ClipGrad1'}`
  | `elementWise${'Threshold' | 'Sqrt' | 'Exp' | 'Log' | 'ConstantPow' | 'Erf' | 'Sin' | 'Cos' | 'Tan' | 'Asin' | 'Acos' | 'Atan'}`
  | `elementWise${'Sinh' | 'Cosh' | 'Tanh' | 'Asinh' | 'Acosh' | 'Atanh' | 'LogicalNot' | 'IsNan' | 'IsInfinity'}`
  | `elementWise${'BitNot' | 'BitCount'}`
> = {
  elementWiseAbs: byDerivative((x, o) => o.sign(x)),
  elementWiseNegate: ofElements((g, _, o) => o.negate(g)),
  elementWiseSign: steps,
  elementWiseRecip: byDerivative((_, o, y) => o.negate(o.multiply(y, y))),
  elementWiseCeil: steps,
  elementWiseFloor: steps,
  elementWiseRound: steps,
  // The gradient passes where the input is inside.
  elementWiseClip: ofElements((g, x, o, _, { min, max }) => o.clipGrad(x, g, { min, max })),
  elementWiseClip1: ofElements((g, x, o, _, { minMaxDataType, min, max }) => o.clipGrad1(x, g, { minMaxDataType, min, max })),
  elementWiseClipGrad: ({ inputTensor, min, max }, g, o) => ({
    inputGradientTensor: () => o.clipGrad(inputTensor, g, { min, max }),
  }),
  elementWiseClipGrad1: ({ inputTensor, minMaxDataType, min, max }, g, o) => ({
    inputGradientTensor: () => o.clipGrad1(inputTensor, g, { minMaxDataType, min, max }),
  }),
  elementWiseThreshold: ofElements((g, x, o, _, { min }) => o.if(o.logicalGreaterThan(x, min), g, 0)),
  elementWiseSqrt: ofElements((g, _, o, y) => o.divide(o.multiply(g, 0.5), y)),
  elementWiseExp: byDerivative((_, _o, y) => y),
  elementWiseLog: ofElements((g, x, o) => o.divide(g, x)),
  elementWiseConstantPow: ofElements((g, x, o, _, { exponent }) => {
    if (exponent === 0) return undefined;
    // DirectML's power 0 of 0 is 0.
    if (exponent === 1) return g;
    return o.multiply(o.multiply(g, exponent), o.constantPow(x, { exponent: exponent - 1 }));
  }),
  elementWiseErf: byDerivative((x, o) => o.multiply(o.exp(o.negate(o.multiply(x, x))), 2 / Math.sqrt(Math.PI))),
  elementWiseSin: byDerivative((x, o) => o.cos(x)),
  elementWiseCos: byDerivative((x, o) => o.negate(o.sin(x))),
  elementWiseTan: byDerivative((_, o, y) => o.add(o.multiply(y, y), 1)),
  elementWiseAsin: ofElements((g, x, o) => o.divide(g, o.sqrt(o.subtract(1, o.multiply(x, x))))),
  elementWiseAcos: ofElements((g, x, o) => o.negate(o.divide(g, o.sqrt(o.subtract(1, o.multiply(x, x)))))),
  elementWiseAtan: ofElements((g, x, o) => o.divide(g, o.add(o.multiply(x, x), 1))),
  elementWiseSinh: byDerivative((x, o) => o.cosh(x)),
  elementWiseCosh: byDerivative((x, o) => o.sinh(x)),
  elementWiseTanh: byDerivative((_, o, y) => o.subtract(1, o.multiply(y, y))),
  elementWiseAsinh: ofElements((g, x, o) => o.divide(g, o.sqrt(o.add(o.multiply(x, x), 1)))),
  elementWiseAcosh: ofElements((g, x, o) => o.divide(g, o.sqrt(o.subtract(o.multiply(x, x), 1)))),
  elementWiseAtanh: ofElements((g, x, o) => o.divide(g, o.subtract(1, o.multiply(x, x)))),
  elementWiseLogicalNot: query,
  elementWiseIsNan: query,
  elementWiseIsInfinity: query,
  elementWiseBitNot: bits,
  elementWiseBitCount: bits,
};
