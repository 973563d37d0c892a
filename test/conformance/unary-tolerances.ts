/**
 * What the functions of one element may be off by: what Direct3D 11.3's functional specification allows the
 * instructions, carried through the usual formula, for the arguments that the cases have. To that comes 1.5 ULP: what is
 * expected was rounded to the nearest, what is given to float16 may be cut off.
 */
const SAME_VALUE = { ulp: 0, byValue: true } as const;

export const unaryTolerances = {
  elementWiseAbs: SAME_VALUE,
  elementWiseBitCount: { ulp: 0 },
  elementWiseBitNot: { ulp: 0 },
  elementWiseCeil: SAME_VALUE,
  elementWiseClip: SAME_VALUE,
  elementWiseClip1: SAME_VALUE,
  elementWiseClipGrad: SAME_VALUE,
  elementWiseClipGrad1: SAME_VALUE,
  elementWiseFloor: SAME_VALUE,
  elementWiseIsInfinity: { ulp: 0 },
  elementWiseIsNan: { ulp: 0 },
  elementWiseLogicalNot: { ulp: 0 },
  elementWiseNegate: SAME_VALUE,
  elementWiseRound: SAME_VALUE,
  elementWiseSign: SAME_VALUE,
  elementWiseThreshold: SAME_VALUE,
  // Division and square root: 1 ULP.
  elementWiseRecip: { ulp: 1 },
  elementWiseSqrt: { ulp: 1 },
  // sincos: 0.0008 for arguments up to 100 pi.
  elementWiseCos: { ulp: 1.5, absolute: 0.0008 },
  elementWiseSin: { ulp: 1.5, absolute: 0.0008 },
  // 0.0008 * (1 + tan) / cos at 1.25.
  elementWiseTan: { ulp: 1.5, absolute: 0.01 },
  // log: 2^-21 absolute from 0.5 to 2, else relative.
  elementWiseLog: { ulp: 1.5, absolute: 2 ** -21, relative: 2 ** -21 },
  // exp: 2^-21 relative, and its argument x * log2(e), rounded twice, is up to 24 * 2^-23 off.
  elementWiseExp: { ulp: 1.5, relative: 2 ** -18 },
  // exp2(y * log2(x)), the product up to 12 in magnitude and as exact as the logarithm: 12 * 2^-21 * ln(2), and more.
  elementWiseConstantPow: { ulp: 1.5, relative: 2 ** -17 },
  // Sums of two exponentials, which cancel about 0 in sinh.
  elementWiseCosh: { ulp: 1.5, relative: 2 ** -18 },
  elementWiseSinh: { ulp: 1.5, absolute: 2 ** -18, relative: 2 ** -18 },
  elementWiseTanh: { ulp: 1.5, absolute: 2 ** -18 },
  // Logarithms of sums; x + sqrt(x * x + 1) cancels for negative x: 2^-20 / 0.03 at -16.
  elementWiseAcosh: { ulp: 1.5, absolute: 2 ** -18 },
  elementWiseAsinh: { ulp: 1.5, absolute: 2 ** -14 },
  elementWiseAtanh: { ulp: 1.5, absolute: 2 ** -18 },
  // The shader compiler's polynomials: 6.8e-5 for arcus sine and cosine (Abramowitz and Stegun 4.4.45), 1e-5 for
  // arcus tangent (4.4.47).
  elementWiseAcos: { ulp: 1.5, absolute: 1e-4 },
  elementWiseAsin: { ulp: 1.5, absolute: 1e-4 },
  elementWiseAtan: { ulp: 1.5, absolute: 2e-5 },
  elementWiseErf: { ulp: 1.5, absolute: 2 ** -18 },
};
