/** Cases of recurrent networks and their cells. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import { ulp, type CheckedOperator, type CheckedOperators, type ShapedCase } from '../operator.js';
import type { Shape } from '../plain-tensor.js';
import { optionalOperands, type Argument, type ArgumentOptions, type CaseOperand, type DrawnCase } from '../webnn-case.js';
import { castNumber } from '../formulas/casting.js';
import type { Draw } from './numbers.js';
import { drawOperand } from './operands.js';

const network = { draw: drawNetwork, kinds: [' forward', ' backward', ' both'] };
const cell = { draw: drawCell, kinds: ['', ' views'] };

export const recurrent = {
  gru: checked(network, ['zrn', 'rzn'], 6),
  gruCell: checked(cell, ['zrn', 'rzn'], 3),
  lstm: checked(network, ['iofg', 'ifgo'], 3, 3),
  lstmCell: checked(cell, ['iofg', 'ifgo'], 1),
} satisfies Partial<CheckedOperators>;

/** With the tests' tolerance, in ULP, if they have one for the data type. */
function checked({ draw, kinds }: typeof network, gates: readonly string[], float32: number, float16?: number): CheckedOperator {
  return {
    layouts: gates.flatMap((layout) => kinds.map((kind) => `${layout}${kind}`)),
    draw,
    tolerance: ulp(
      (test) => toleranceOf(test, 34, float32),
      (test) => toleranceOf(test, 10, float16),
    ),
  };
}

/**
 * The tests' tolerance, where numbers are as theirs: relu is the only function, and one step of quarters needs no rounding. Else
 * the tolerances of the operators that the specification composes a cell of are added: products, ten additions and
 * multiplications, and the gates' functions.
 */
function toleranceOf({ test, operands, args }: ShapedCase, functions: number, given?: number): number {
  const { activations } = { ...(args.at(-1) as { readonly activations?: readonly string[] }) };
  const isRelu = activations?.every((name) => name === 'relu') === true;
  const { shape = [] } = operands['input'] ?? {};
  const steps = shape.length === 3 ? (shape[0] ?? 1) : 1;
  const areQuarters = Object.values(test.operands).every(({ data }) => data.every((x) => Number.isInteger(4 * Number(x))));
  if (isRelu && areQuarters && steps === 1 && given !== undefined) return given;
  const [hidden = 1, input = 1] = ['recurrentWeight', 'weight'].map((name) => operands[name]?.shape.at(-1));
  return steps * (2 * (input + hidden) + 10 + (isRelu ? 0 : functions));
}

function drawSizes(random: Random): readonly [batch: number, input: number, hidden: number] {
  return [random.int(1, 3), random.int(1, 4), random.int(1, 4)];
}

function drawNetwork(random: Random, dataType: MLOperandDataType, kind: string): DrawnCase {
  const [layout = '', direction = ''] = kind.split(' ');
  const [batch, input, hidden] = drawSizes(random);
  const steps = random.int(1, 4);
  const count = direction === 'both' ? 2 : 1;
  const gates = layout.length * hidden;
  const state = [count, batch, hidden];
  const required = { input: [steps, batch, input], weight: [count, gates, input], recurrentWeight: [count, gates, hidden] };
  const optional: Record<string, Shape> = { ...biases([count, gates]), initialHiddenState: state };
  if (!isGru(layout)) Object.assign(optional, { initialCellState: state, peepholeWeight: [count, 3 * hidden] });
  const options = {
    ...withDefault(random, 'direction', direction, 'forward'),
    ...withDefault(random, 'returnSequence', random.chance(0.6), false),
    ...gateOptions(random, layout),
  };
  const hasViews = random.chance(0.2);
  const element = drawSmall(random, dataType, dataType === 'float16' && steps > 1 ? 1 / 4 : 1);
  const draw = (shape: Shape) => drawOperand(random, dataType, shape, element, hasViews);
  return networkCase(random, draw, required, optional, [steps, hidden], options);
}

function drawCell(random: Random, dataType: MLOperandDataType, kind: string): DrawnCase {
  const [layout = '', views] = kind.split(' ');
  const [batch, input, hidden] = drawSizes(random);
  const gates = layout.length * hidden;
  const state = [batch, hidden];
  const required = {
    ...{ input: [batch, input], weight: [gates, input], recurrentWeight: [gates, hidden], hiddenState: state },
    ...(isGru(layout) ? {} : { cellState: state }),
  };
  const optional = { ...biases([gates]), ...(isGru(layout) ? {} : { peepholeWeight: [3 * hidden] }) };
  const options = gateOptions(random, layout);
  const element = drawSmall(random, dataType, 1);
  const draw = (shape: Shape) => drawOperand(random, dataType, shape, element, views !== undefined);
  return networkCase(random, draw, required, optional, [hidden], options);
}

function biases(shape: Shape): Readonly<Record<string, Shape>> {
  return { bias: shape, recurrentBias: shape };
}

/** Layouts of gates have a letter for each. */
function isGru(layout: string): boolean {
  return layout.length === 3;
}

function gateOptions(random: Random, layout: string): ArgumentOptions {
  const names = Array.from({ length: layout.length - 1 }, () => random.pick(['relu', 'sigmoid', 'tanh']));
  const activations = random.pick([{}, { activations: names }, { activations: names.map(() => 'relu') }]);
  return {
    ...withDefault(random, 'layout', layout, isGru(layout) ? 'zrn' : 'iofg'),
    ...(isGru(layout) ? withDefault(random, 'resetAfter', random.chance(0.5), true) : {}),
    ...activations,
  };
}

/** A member that is absent half of the times where it has its default value. */
function withDefault(random: Random, name: string, value: Argument, usual: Argument): ArgumentOptions {
  return value === usual && random.chance(0.5) ? {} : { [name]: value };
}

type Shapes = Readonly<Record<string, Shape>>;

function networkCase(
  random: Random,
  draw: (shape: Shape) => CaseOperand,
  required: Shapes,
  optional: Shapes,
  numbers: readonly number[],
  options: ArgumentOptions,
): DrawnCase {
  const operands: Record<string, CaseOperand> = {};
  for (const [name, shape] of Object.entries(required)) operands[name] = draw(shape);
  for (const [name, shape] of Object.entries(optional).filter(() => random.chance(0.5))) operands[name] = draw(shape);
  const references = Object.keys(required).map((operand) => ({ operand }));
  return { operands, args: [...references, ...numbers, { ...options, ...optionalOperands(operands, ...Object.keys(optional)) }] };
}

/**
 * Quarters, or any numbers up to 1: what a network makes of larger ones is nearly always 1 or 0. More steps of relu need smaller
 * ones, or float16 overflows.
 */
function drawSmall(random: Random, dataType: MLOperandDataType, most: number): Draw {
  if (random.chance(0.5)) return () => (random.int(-4, 4) / 4) * most;
  return () => castNumber((2 * random.fraction() - 1) * most, dataType);
}
