/** Tolerances of operators that can apply an activation to their results before they are rounded. */
import type { FusedActivation } from 'node-directml';
import { activationTolerances } from './activation.js';
import { isExact, type ComputedRow, type Dependent, type ToleranceRow, type Variants } from './row.js';

type Fused = FusedActivation['type'] | 'activationSoftmax' | 'activationSoftmax1' | 'elementWiseClip';

/** The operator's own row, and one for each activation behind it. */
export function fusable(own: ComputedRow): Variants {
  const behind = Object.entries(SLOPES).map(([type, slope]) => [type, fused(own, rowOf(type), slope)] as const);
  return {
    pick: (descriptor) => ('fusedActivation' in descriptor && descriptor.fusedActivation?.type) || 'alone',
    rows: { alone: own, ...Object.fromEntries(behind) },
  };
}

function fused(row: ComputedRow, activation: ToleranceRow, slope: Dependent): ToleranceRow {
  const host = { row, slope };
  const reason = `${row.reason}, which the activation makes ${slope.text} of`;
  if (isExact(activation)) return { ulp: 0, host, reason };
  return { ...activation, host, reason: `${activation.reason}; ${reason}` };
}

function rowOf(type: string): ToleranceRow {
  return Object.entries(activationTolerances).find(([name]) => name === type)?.[1] ?? { ulp: 0 };
}

const at = (text: string, value: (...fields: number[]) => number, ...names: readonly string[]): Dependent => ({
  text,
  at: ({ field }) => value(...names.map((name) => Math.abs(field(name)))),
});
const ONE = at('once', () => 1);
const ALPHA = at('|alpha| times', (alpha = 0) => alpha, 'alpha');
const ALPHA_OR_ONE = at('max(1, |alpha|) times', (alpha = 0) => Math.max(1, alpha), 'alpha');
const ALPHA_BETA = at('|alpha·beta| times', (alpha = 0, beta = 0) => alpha * beta, 'alpha', 'beta');

/** Bounds of the derivatives. Where a function has a step, cases are to stay away from it. */
const SLOPES: Readonly<Record<Fused, Dependent>> = {
  activationCelu: ONE,
  activationElu: ALPHA_OR_ONE,
  activationGelu: at('1.13 times', () => 1.13),
  activationHardSigmoid: ALPHA,
  activationHardSwish: at('2 + |beta| times', (beta = 0) => 2 + beta, 'beta'),
  activationIdentity: ONE,
  activationLeakyRelu: ALPHA_OR_ONE,
  activationLinear: ALPHA,
  activationParametricSoftplus: ALPHA_BETA,
  activationRelu: ONE,
  activationScaledElu: at('|gamma|·max(1, |alpha|) times', (gamma = 0, alpha = 0) => gamma * Math.max(1, alpha), 'gamma', 'alpha'),
  activationScaledTanh: ALPHA_BETA,
  activationShrink: ONE,
  activationSigmoid: at('a quarter', () => 0.25),
  activationSoftmax: at('twice', () => 2),
  activationSoftmax1: at('twice', () => 2),
  activationSoftplus: ONE,
  activationSoftsign: ONE,
  activationSwish: at('1.1 times', () => 1.1),
  activationTanh: ONE,
  activationThresholdedRelu: ONE,
  elementWiseClip: ONE,
};
