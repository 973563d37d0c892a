/** Gradients of resampled tensors. */
import { productOf, type Expression, type GradientRules, type InputGradients, type Operations } from '../../descriptors/gradient.js';

interface Resampling {
  readonly interpolationMode: string;
  readonly scales: readonly number[];
  readonly inputPixelOffsets: readonly number[];
  readonly outputPixelOffsets: readonly number[];
}

const fieldsOf = ({ interpolationMode, scales, inputPixelOffsets, outputPixelOffsets }: Resampling) => ({
  ...{ interpolationMode, scales, inputPixelOffsets, outputPixelOffsets },
});

interface Rounded extends Resampling {
  readonly inputTensor: Expression;
  readonly roundingDirection: string;
  readonly antialiased?: boolean;
}

function rounded(node: Rounded, g: Expression, o: Operations): InputGradients | string {
  if (node.antialiased === true) return 'DirectML has no gradient of antialiased windows';
  const { inputTensor, roundingDirection } = node;
  const outputGradientTensor = { sizes: inputTensor.sizes };
  return { inputTensor: () => o.resampleGrad1(g, { ...fieldsOf(node), roundingDirection, outputGradientTensor }) };
}

/** Pixels have their centers in their middle. */
function centered(inputTensor: Expression, interpolationMode: string, scales: readonly number[], g: Expression, o: Operations) {
  const outputGradientTensor = { sizes: inputTensor.sizes };
  const [inputPixelOffsets, outputPixelOffsets] = [scales.map(() => 0.5), scales.map(() => -0.5)];
  return o.resampleGrad(g, { interpolationMode, scales, inputPixelOffsets, outputPixelOffsets, outputGradientTensor });
}

export const gradients: GradientRules<'upsample2d' | `resample${'' | '1' | '2' | '3'}` | `resampleGrad${'' | '1'}`> = {
  upsample2d: ({ inputTensor, scaleSize: { width, height }, interpolationMode }, g, o) => ({
    inputTensor: () => {
      if (interpolationMode === 'linear') {
        const scales = inputTensor.sizes.map((_, axis, { length }) => [height, width][axis - length + 2] ?? 1);
        return centered(inputTensor, interpolationMode, scales, g, o);
      }
      const images = productOf(g.sizes.slice(0, -2));
      const [rows = 1, columns = 1] = inputTensor.sizes.slice(-2);
      const apart = o.identity(g).reshape([images * rows, height, columns, width]);
      return o.reduce(apart, { function: 'sum', axes: [1, 3] }).reshape(inputTensor.sizes);
    },
  }),
  resample: ({ inputTensor, interpolationMode, scales }, g, o) => ({
    inputTensor: () => centered(inputTensor, interpolationMode, scales, g, o),
  }),
  resample1: (node, g, o) => ({
    inputTensor: () => o.resampleGrad(g, { ...fieldsOf(node), outputGradientTensor: { sizes: node.inputTensor.sizes } }),
  }),
  resample2: rounded,
  resample3: rounded,
  resampleGrad: (node, g, o) => ({
    inputGradientTensor: () =>
      o.resample1(g, { ...fieldsOf(node), outputTensor: { sizes: node.inputGradientTensor.sizes } }),
  }),
  resampleGrad1: (node, g, o) => ({
    inputGradientTensor: () =>
      o.resample2(g, {
        ...{ ...fieldsOf(node), roundingDirection: node.roundingDirection },
        outputTensor: { sizes: node.inputGradientTensor.sizes },
      }),
  }),
};
