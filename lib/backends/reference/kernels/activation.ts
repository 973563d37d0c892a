/** Activations, alone or fused behind another operator. All compute in float64; the result is rounded once. */
import type { OperatorType } from '../../../schema/generated/descriptors.js';
import type { ResolvedOperator, ResolvedValue } from '../../../validation/resolved.js';
import { moveElements, readNumbers, writeNumbers } from '../tensor-view.js';
import { isOperator, numberField, required, type Kernel } from './kernel.js';

type Activation = (operator: ResolvedOperator, values: Float64Array) => void;

const ACTIVATIONS: Readonly<Partial<Record<OperatorType, Activation>>> = {
  activationIdentity: () => undefined,
  activationRelu: (_operator, values) => {
    // A negative value times 0, so that an infinite one gives NaN, as it does in DirectML's fused shaders.
    for (let i = 0; i < values.length; i++) if ((values[i] ?? 0) < 0) values[i] = (values[i] ?? 0) * 0;
  },
  activationLeakyRelu: (operator, values) => {
    const alpha = Math.fround(numberField(operator, 'alpha'));
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0;
      if (value < 0) values[i] = value * alpha;
    }
  },
  activationLinear: (operator, values) => {
    const alpha = Math.fround(numberField(operator, 'alpha'));
    const beta = Math.fround(numberField(operator, 'beta'));
    for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) * alpha + beta;
  },
};

/** Applies a `fusedActivation` field in place; does nothing where there is none. */
export function applyFusedActivation(activation: ResolvedValue | undefined, values: Float64Array): void {
  if (!isOperator(activation)) return;
  const apply = ACTIVATIONS[activation.type];
  if (apply === undefined) throw new TypeError(`${activation.type} is no activation that can be fused`);
  apply(activation, values);
}

const activation: Kernel = (operator, inputs, outputs) => {
  const values = readNumbers(required(inputs, 0));
  applyFusedActivation(operator, values);
  writeNumbers(required(outputs, 0), values);
};

export const activationIdentity: Kernel = (_operator, inputs, outputs) => {
  const input = required(inputs, 0);
  moveElements(input, 0, required(outputs, 0), 0, input.elementCount);
};
/** On its own, ReLU makes NaN 0; fused it keeps NaN. */
export const activationRelu: Kernel = (_operator, inputs, outputs) => {
  const values = readNumbers(required(inputs, 0));
  for (let i = 0; i < values.length; i++) if (!((values[i] ?? 0) > 0)) values[i] = 0;
  writeNumbers(required(outputs, 0), values);
};
export const activationLeakyRelu = activation;
export const activationLinear = activation;
