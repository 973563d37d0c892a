/** Gradients of operators of two or three tensors, element by element. */
import type { Expression, GradientRule, GradientRules, Operations } from '../../descriptors/gradient.js';

const comparison = 'its output says whether something is true';
const bits = 'its inputs and its output are integers';

/** Equal elements get a half each. */
function shareOfLarger(g: Expression, a: Expression, b: Expression, o: Operations): Expression {
  return o.if(o.logicalEquals(a, b), o.multiply(g, 0.5), o.if(o.logicalGreaterThan(a, b), g, 0));
}

/** `a - b * quotient`, where the quotient is a whole number. */
const modulus: GradientRule<'elementWiseModulusTruncate' | 'elementWiseModulusFloor'> = (node, g, o) => ({
  aTensor: () => g,
  bTensor: () => {
    const quotient = o.divide(o.subtract(node.outputTensor, node.aTensor), node.bTensor);
    return o.multiply(g, o.round(quotient, { roundingMode: 'halvesToNearestEven' }));
  },
});

export const gradients: GradientRules<
  | `elementWise${'Add' | 'Subtract' | 'Multiply' | 'Divide' | 'ModulusTruncate' | 'ModulusFloor' | 'Max' | 'Min' | 'Mean'}`
  | `elementWise${'DifferenceSquare' | 'Pow' | 'AtanYx' | 'LogicalAnd' | 'LogicalOr' | 'LogicalXor' | 'LogicalEquals' | 'If'}`
  | `elementWiseLogical${'GreaterThan' | 'LessThan'}${'' | 'OrEqual'}`
  | `elementWiseBit${'And' | 'Or' | 'Xor' | 'ShiftLeft' | 'ShiftRight'}`
> = {
  elementWiseAdd: (_, g) => ({ aTensor: () => g, bTensor: () => g }),
  elementWiseSubtract: (_, g, o) => ({ aTensor: () => g, bTensor: () => o.negate(g) }),
  elementWiseMultiply: ({ aTensor, bTensor }, g, o) => ({
    aTensor: () => o.multiply(g, bTensor),
    bTensor: () => o.multiply(g, aTensor),
  }),
  elementWiseDivide: ({ bTensor, outputTensor }, g, o) => ({
    aTensor: () => o.divide(g, bTensor),
    bTensor: () => o.negate(o.divide(o.multiply(g, outputTensor), bTensor)),
  }),
  elementWiseModulusTruncate: modulus,
  elementWiseModulusFloor: modulus,
  elementWiseMax: ({ aTensor: a, bTensor: b }, g, o) => ({
    aTensor: () => shareOfLarger(g, a, b, o),
    bTensor: () => shareOfLarger(g, b, a, o),
  }),
  elementWiseMin: ({ aTensor: a, bTensor: b }, g, o) => ({
    aTensor: () => shareOfLarger(g, b, a, o),
    bTensor: () => shareOfLarger(g, a, b, o),
  }),
  elementWiseMean: (_, g, o) => ({ aTensor: () => o.multiply(g, 0.5), bTensor: () => o.multiply(g, 0.5) }),
  elementWiseDifferenceSquare: ({ aTensor: a, bTensor: b }, g, o) => ({
    aTensor: () => o.multiply(o.multiply(g, 2), o.subtract(a, b)),
    bTensor: () => o.multiply(o.multiply(g, 2), o.subtract(b, a)),
  }),
  elementWisePow: ({ inputTensor: x, exponentTensor: exponent, outputTensor: y }, g, o) => ({
    inputTensor: () => {
      const float = o.cast(exponent, { outputTensor: { dataType: x.dataType } });
      // By the power itself, which knows what DirectML makes of negative numbers; but not for 0, whose power 0 is 0 there.
      const ofZero = o.if(o.logicalEquals(float, 1), 1, o.pow(x, o.subtract(float, 1)));
      const share = o.if(o.logicalEquals(x, 0), ofZero, o.divide(y, x));
      return o.if(o.logicalEquals(float, 0), 0, o.multiply(g, o.multiply(float, share)));
    },
    // The logarithm of 0 does not matter where the power is 0, too.
    exponentTensor: () => o.if(o.logicalEquals(y, 0), 0, o.multiply(o.multiply(g, y), o.log(x))),
  }),
  elementWiseAtanYx: ({ aTensor: y, bTensor: x }, g, o) => {
    const share = () => o.divide(g, o.add(o.multiply(x, x), o.multiply(y, y)));
    return { aTensor: () => o.multiply(share(), x), bTensor: () => o.negate(o.multiply(share(), y)) };
  },
  elementWiseIf: ({ conditionTensor }, g, o) => ({
    aTensor: () => o.if(conditionTensor, g, 0),
    bTensor: () => o.if(conditionTensor, 0, g),
  }),
  elementWiseLogicalAnd: comparison,
  elementWiseLogicalOr: comparison,
  elementWiseLogicalXor: comparison,
  elementWiseLogicalEquals: comparison,
  elementWiseLogicalGreaterThan: comparison,
  elementWiseLogicalLessThan: comparison,
  elementWiseLogicalGreaterThanOrEqual: comparison,
  elementWiseLogicalLessThanOrEqual: comparison,
  elementWiseBitAnd: bits,
  elementWiseBitOr: bits,
  elementWiseBitXor: bits,
  elementWiseBitShiftLeft: bits,
  elementWiseBitShiftRight: bits,
};
