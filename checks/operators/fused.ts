/** Tolerances of operators that can apply a fused activation to their results before these are rounded. */
import type { FusedActivation } from 'node-directml';
import { tolerances as activation } from './activation/cases.js';
import { tolerances as softmax } from './softmax/cases.js';
import { isExact, type ComputedRow, type Dependent, type ToleranceRow, type Variants } from '../tolerance/row.js';

type Fused = FusedActivation['type'] | 'activationSoftmax' | 'activationSoftmax1' | 'elementWiseClip';

/** The operator's own row, and one for each fused activation. `activations` are those that it takes, by default all. */
export function fusable(own: ComputedRow, activations: readonly string[] = Object.keys(SLOPES)): Variants {
  const behind = Object.entries(SLOPES)
    .filter(([type]) => activations.includes(type))
    .map(([type, slope]) => [type, fused(own, type, slope)] as const);
  return {
    pick: (descriptor) => ('fusedActivation' in descriptor ? descriptor.fusedActivation?.type : null) ?? 'alone',
    rows: { alone: own, ...Object.fromEntries(behind) },
  };
}

function fused(row: ComputedRow, type: string, slope: Dependent): ToleranceRow {
  const activation = rowOf(type);
  const host = { row, slope, acrossElements: type.startsWith('activationSoftmax') };
  const reason = `${row.reason}; the activation multiplies this error by at most ${slope.text}`;
  // Even a correctly rounded activation has an error of 0.5 ULP, because its argument differs from the reference's.
  if (!isExact(activation))
    return { ...activation, ulp: Math.max(activation.ulp, 0.5), host, reason: `${activation.reason}; ${reason}` };
  // A correctly rounded argument stays the same number, and an exact activation adds no error.
  return row.ulp === 0 && row.perTerm === undefined ? row : { ulp: 0, host, reason };
}

function rowOf(type: string): ToleranceRow {
  return Object.entries({ ...activation, ...softmax }).find(([name]) => name === type)?.[1] ?? { ulp: 0 };
}

const at = (text: string, value: (...fields: number[]) => number, ...names: readonly string[]): Dependent => ({
  text,
  at: ({ field }) => value(...names.map((name) => Math.abs(field(name)))),
});
const ONE = at('1', () => 1);
const ALPHA = at('|alpha|', (alpha = 0) => alpha, 'alpha');
const ALPHA_OR_ONE = at('max(1, |alpha|)', (alpha = 0) => Math.max(1, alpha), 'alpha');
const ALPHA_BETA = at('|alpha·beta|', (alpha = 0, beta = 0) => alpha * beta, 'alpha', 'beta');

/** The derivative is at most sigmoid(s·x) · (1 + |s·x|). For large negative s·x it is as small as the result. */
const SWISH: Dependent = {
  text: 'sigmoid(scale·x)·(1 + |scale·x|)',
  at: ({ x: [x = 0], field }) => {
    const argument = field('sigmoidInputScale') * x;
    return (1 + Math.abs(argument)) / (1 + Math.exp(-argument));
  },
};

/** Upper bounds of the derivatives. Cases must stay away from the steps of functions that have steps. */
const SLOPES: Readonly<Record<Fused, Dependent>> = {
  activationCelu: ONE,
  activationElu: ALPHA_OR_ONE,
  activationGelu: at('1.13', () => 1.13),
  activationHardSigmoid: ALPHA,
  activationHardSwish: at('2 + |beta|', (beta = 0) => 2 + beta, 'beta'),
  activationIdentity: ONE,
  activationLeakyRelu: ALPHA_OR_ONE,
  activationLinear: ALPHA,
  activationParametricSoftplus: ALPHA_BETA,
  activationRelu: ONE,
  activationScaledElu: at('|gamma|·max(1, |alpha|)', (gamma = 0, alpha = 0) => gamma * Math.max(1, alpha), 'gamma', 'alpha'),
  activationScaledTanh: ALPHA_BETA,
  activationShrink: ONE,
  activationSigmoid: { text: 'y', at: ({ y }) => Math.abs(y) },
  activationSoftmax: at('2', () => 2),
  activationSoftmax1: at('2', () => 2),
  activationSoftplus: ONE,
  activationSoftsign: ONE,
  activationSwish: SWISH,
  activationTanh: ONE,
  activationThresholdedRelu: ONE,
  elementWiseClip: ONE,
};
