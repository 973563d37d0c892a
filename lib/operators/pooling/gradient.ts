/** Gradients of pooling. */
import {
  noRule,
  packed,
  productOf,
  type Expression,
  type GradientRules,
  type InputGradients,
  type Operations,
} from '../../descriptors/gradient.js';

interface Windows {
  readonly strides: readonly number[];
  readonly windowSize: readonly number[];
  readonly startPadding: readonly number[];
  readonly endPadding: readonly number[];
  readonly dilations?: readonly number[];
}

const dilated = 'DirectML has no gradient of its dilated windows';
const isDilated = ({ dilations = [] }: Windows) => dilations.some((dilation) => dilation !== 1);
const windowsOf = ({ strides, windowSize, startPadding, endPadding }: Windows) => ({
  strides,
  windowSize,
  startPadding,
  endPadding,
});

/** True if a window may lie in the padding as a whole. */
const hasEmptyWindows = ({ windowSize, startPadding, endPadding }: Windows) =>
  windowSize.some((size, i) => Math.max(startPadding[i] ?? 0, endPadding[i] ?? 0) >= size);

function average(
  node: Windows & { readonly inputTensor: Expression; readonly includePadding: boolean },
  g: Expression,
  o: Operations,
): InputGradients | string {
  if (isDilated(node)) return dilated;
  const { inputTensor, includePadding } = node;
  const outputGradientTensor = { sizes: inputTensor.sizes };
  return { inputTensor: () => o.averagePoolingGrad(g, { ...windowsOf(node), includePadding, outputGradientTensor }) };
}

/** Each window's share goes to its elements: as often as an average that counts padding, times the size of the window. */
function norm(
  node: Windows & { readonly inputTensor: Expression; readonly outputTensor: Expression; readonly p: number },
  g: Expression,
  o: Operations,
): InputGradients | string {
  if (isDilated(node)) return dilated;
  const { inputTensor: x, outputTensor: y, p } = node;
  const share = () => (p === 1 ? g : o.if(o.logicalEquals(y, 0), 0, o.multiply(g, o.constantPow(y, { exponent: 1 - p }))));
  const power = () => (p === 1 ? o.sign(x) : o.multiply(o.sign(x), o.constantPow(o.abs(x), { exponent: p - 1 })));
  return {
    inputTensor: () => {
      const whole = { ...windowsOf(node), includePadding: true, outputGradientTensor: { sizes: x.sizes } };
      return o.multiply(o.multiply(o.averagePoolingGrad(share(), whole), productOf(node.windowSize)), power());
    },
  };
}

function maximum(node: Windows & { readonly inputTensor: Expression }, g: Expression, o: Operations): InputGradients {
  const dilations = node.dilations ?? node.strides.map(() => 1);
  return { inputTensor: () => o.maxPoolingGrad(node.inputTensor, g, { ...windowsOf(node), dilations }) };
}

export const gradients: GradientRules<
  | `averagePooling${'' | '1' | 'Grad'}`
  | `lpPooling${'' | '1'}`
  | `maxPooling${'' | '1' | '2' | 'Grad'}`
  | ('maxUnpooling' | 'quantizedLinearAveragePooling')
> = {
  averagePooling: average,
  averagePooling1: average,
  averagePoolingGrad: (node, g, o) => ({
    inputGradientTensor: () => {
      const made = o.averagePooling(g, { ...windowsOf(node), includePadding: node.includePadding });
      // The average of nothing is no number.
      return node.includePadding || !hasEmptyWindows(node) ? made : o.if(o.isNan(made), 0, made);
    },
  }),
  lpPooling: norm,
  lpPooling1: norm,
  maxPooling: maximum,
  maxPooling1: maximum,
  maxPooling2: maximum,
  maxPoolingGrad: noRule,
  maxUnpooling: ({ inputTensor, indicesTensor }, g, o) => ({
    inputTensor: () => {
      const line = (value: Expression) => packed(value, o).reshape([1, productOf(value.sizes)]);
      return o.gatherElements(line(g), line(indicesTensor), { axis: 1 }).reshape(inputTensor.sizes);
    },
  }),
  quantizedLinearAveragePooling: 'its inputs are integers',
};
