/** Cases of recurrent networks and their cells. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import * as formulas from '../formulas/recurrent.js';
import { type CheckedOperator, type CheckedOperators, type ShapedCase } from '../operator.js';
import type { PlainTensor, Shape } from '../plain-tensor.js';
import type { Tolerance } from '../compare.js';
import type { Argument, ArgumentOptions, CaseOperand, WebnnCase } from '../webnn-case.js';
import { isFloatType, roundTo } from '../elements.js';
import { drawOperand } from './operands.js';

type Name = 'gru' | 'gruCell' | 'lstm' | 'lstmCell';

const directions = ['forward', 'backward', 'both'] as const;

export const recurrent: CheckedOperators<Name> = {
  gru: network('gru', ['zrn', 'rzn'], { float32: 6 }),
  gruCell: cell('gruCell', ['zrn', 'rzn'], { float32: 3 }),
  lstm: network('lstm', ['iofg', 'ifgo'], { float32: 3, float16: 3 }),
  lstmCell: cell('lstmCell', ['iofg', 'ifgo'], { float32: 1 }),
};

function network(operator: 'gru' | 'lstm', gateLayouts: readonly string[], tolerance: Given): CheckedOperator {
  return {
    layouts: gateLayouts.flatMap((layout) => directions.map((direction) => `${layout} ${direction}`)),
    draw: (random, dataType, layout) => drawNetwork(operator, random, dataType, layout),
    formula: formulas[operator],
    tolerance: (test, output) => toleranceOf(test, output, tolerance),
  };
}

function cell(operator: 'gruCell' | 'lstmCell', gateLayouts: readonly string[], tolerance: Given): CheckedOperator {
  return {
    layouts: gateLayouts.flatMap((layout) => [layout, `${layout} views`]),
    draw: (random, dataType, layout) => drawCell(operator, random, dataType, layout),
    formula: formulas[operator],
    tolerance: (test, output) => toleranceOf(test, output, tolerance),
  };
}

/**
 * The tests' tolerance, where numbers are as theirs: relu is the only function, and one step of quarters needs no rounding. Else
 * the tolerances of the operators that the specification composes a cell of are added: products, ten additions and
 * multiplications, and the gates' functions.
 */
function toleranceOf({ test, operands, args }: ShapedCase, output: PlainTensor, given: Given): Tolerance {
  const { activations } = { ...(args.at(-1) as { readonly activations?: readonly string[] }) };
  const isRelu = activations?.every((name) => name === 'relu') === true;
  const { shape = [] } = operands['input'] ?? {};
  const steps = shape.length === 3 ? (shape[0] ?? 1) : 1;
  const areQuarters = Object.values(test.operands).every(({ data }) => data.every((x) => Number.isInteger(4 * Number(x))));
  const own = isRelu && areQuarters && steps === 1 ? given[output.dataType === 'float16' ? 'float16' : 'float32'] : undefined;
  if (own !== undefined) return { metric: 'ulp', value: own };
  const [hidden = 1, input = 1] = ['recurrentWeight', 'weight'].map((name) => operands[name]?.shape.at(-1));
  const functions = isRelu ? 0 : output.dataType === 'float16' ? 10 : 34;
  return { metric: 'ulp', value: steps * (2 * (input + hidden) + 10 + functions) };
}

/** In ULP. */
interface Given {
  readonly float32: number;
  readonly float16?: number;
}

interface Sizes {
  readonly batch: number;
  readonly input: number;
  readonly hidden: number;
}

function drawSizes(random: Random): Sizes {
  return { batch: random.int(1, 3), input: random.int(1, 4), hidden: random.int(1, 4) };
}

function drawNetwork(operator: 'gru' | 'lstm', random: Random, dataType: MLOperandDataType, kind: string): WebnnCase {
  const [layout = '', direction = ''] = kind.split(' ');
  const { batch, input, hidden } = drawSizes(random);
  const steps = random.int(1, 4);
  const count = direction === 'both' ? 2 : 1;
  const gates = layout.length * hidden;
  const state = [count, batch, hidden];
  const required = { input: [steps, batch, input], weight: [count, gates, input], recurrentWeight: [count, gates, hidden] };
  const optional: Record<string, Shape> = { ...biases([count, gates]), initialHiddenState: state };
  if (operator === 'lstm') Object.assign(optional, { initialCellState: state, peepholeWeight: [count, 3 * hidden] });
  const options = {
    ...withDefault(random, 'direction', direction, 'forward'),
    ...withDefault(random, 'returnSequence', random.chance(0.6), false),
    ...gateOptions(operator, random, layout),
  };
  const shapes = { required, optional, hasViews: random.chance(0.2) };
  return networkCase(operator, random, dataType, shapes, [steps, hidden], options);
}

function drawCell(operator: 'gruCell' | 'lstmCell', random: Random, dataType: MLOperandDataType, kind: string): WebnnCase {
  const [layout = '', views] = kind.split(' ');
  const { batch, input, hidden } = drawSizes(random);
  const gates = layout.length * hidden;
  const state = [batch, hidden];
  const isLstm = operator === 'lstmCell';
  const required = {
    ...{ input: [batch, input], weight: [gates, input], recurrentWeight: [gates, hidden], hiddenState: state },
    ...(isLstm ? { cellState: state } : {}),
  };
  const optional = { ...biases([gates]), ...(isLstm ? { peepholeWeight: [3 * hidden] } : {}) };
  const options = gateOptions(operator, random, layout);
  return networkCase(operator, random, dataType, { required, optional, hasViews: views !== undefined }, [hidden], options);
}

function biases(shape: Shape): Readonly<Record<string, Shape>> {
  return { bias: shape, recurrentBias: shape };
}

function gateOptions(operator: Name, random: Random, layout: string): ArgumentOptions {
  const isGru = operator.startsWith('gru');
  const names = Array.from({ length: isGru ? 2 : 3 }, () => random.pick(['relu', 'sigmoid', 'tanh']));
  const activations = random.pick([{}, { activations: names }, { activations: names.map(() => 'relu') }]);
  return {
    ...withDefault(random, 'layout', layout, isGru ? 'zrn' : 'iofg'),
    ...(isGru ? withDefault(random, 'resetAfter', random.chance(0.5), true) : {}),
    ...activations,
  };
}

/** A member that is absent half of the times where it has its default value. */
function withDefault(random: Random, name: string, value: Argument, usual: Argument): ArgumentOptions {
  return value === usual && random.chance(0.5) ? {} : { [name]: value };
}

interface Shapes {
  readonly required: Readonly<Record<string, Shape>>;
  readonly optional: Readonly<Record<string, Shape>>;
  readonly hasViews: boolean;
}

function networkCase(
  operator: Name,
  random: Random,
  dataType: MLOperandDataType,
  { required, optional, hasViews }: Shapes,
  numbers: readonly number[],
  options: ArgumentOptions,
): WebnnCase {
  const operands: Record<string, CaseOperand> = {};
  const isLong = dataType === 'float16' && (required['input']?.length ?? 0) === 3 && required['input']?.[0] !== 1;
  const element = drawSmall(random, dataType, isLong ? 1 / 4 : 1);
  for (const [name, shape] of Object.entries(required)) operands[name] = drawOperand(random, dataType, shape, element, hasViews);
  const given = Object.entries(optional).filter(() => random.chance(0.5));
  for (const [name, shape] of given) operands[name] = drawOperand(random, dataType, shape, element, hasViews);
  const own = Object.fromEntries(given.map(([operand]) => [operand, { operand }]));
  const references = Object.keys(required).map((operand) => ({ operand }));
  return { operator, operands, args: [...references, ...numbers, { ...options, ...own }] };
}

/**
 * Quarters, or any numbers up to 1: what a network makes of larger ones is nearly always 1 or 0. More steps of relu need smaller
 * ones, or float16 overflows.
 */
function drawSmall(random: Random, dataType: MLOperandDataType, most: number): () => number {
  if (random.chance(0.5)) return () => (random.int(-4, 4) / 4) * most;
  return () => (isFloatType(dataType) ? roundTo(dataType, (2 * random.fraction() - 1) * most) : 0);
}
