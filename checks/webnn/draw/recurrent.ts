/** Cases of recurrent networks and their cells. */
import { castNumber } from '../elements.js';
import type { Random } from '../../harness/random.js';
import { ulp, type CheckedOperator, type CheckedOperators, type ShapedCase } from '../operator.js';
import type { Shape } from '../plain-tensor.js';
import { caseWithOptions, type ArgumentOptions, type DrawnCase } from '../webnn-case.js';
import type { Draw, Elements } from './numbers.js';
import { layoutsOf, withDefault, type Drawing } from './operands.js';

const directions = ['forward', 'backward', 'both'];
const cell = ['', 'views'];

export const recurrent = {
  gru: checked(directions, ['zrn', 'rzn'], 6),
  gruCell: checked(cell, ['zrn', 'rzn'], 3),
  lstm: checked(directions, ['iofg', 'ifgo'], 3, 3),
  lstmCell: checked(cell, ['iofg', 'ifgo'], 1),
} satisfies Partial<CheckedOperators>;

/** `float32` and `float16` are the tolerances of the web platform tests in ULP, if they have one for the data type. */
function checked(kinds: readonly string[], gates: readonly string[], float32: number, float16?: number): CheckedOperator {
  return {
    layouts: layoutsOf(gates, kinds),
    draw,
    tolerance: ulp(
      (test) => toleranceOf(test, 34, float32),
      (test) => toleranceOf(test, 10, float16),
    ),
  };
}

/**
 * The tolerance of the web platform tests, if the numbers resemble theirs: relu is the only function, and a single step of quarters
 * needs no rounding. Otherwise the sum of the tolerances of the operators of which the specification composes a cell: the
 * products, ten additions and multiplications, and the gates' functions.
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

type Shapes = Readonly<Record<string, Shape>>;

/** Draws a network or a cell. A cell has neither steps nor directions, and its states are required operands. */
function draw(drawing: Drawing): DrawnCase {
  const { random, dataType } = drawing;
  const [layout = '', kind = ''] = drawing.layout.split(' ');
  const [isNetwork, isLstm] = [directions.includes(kind), layout.length === 4];
  const [batch, input, hidden] = [random.int(1, 3), random.int(1, 4), random.int(1, 4)];
  const steps = isNetwork ? [random.int(1, 4)] : [];
  const count = isNetwork ? [kind === 'both' ? 2 : 1] : [];
  const gates = [...count, layout.length * hidden];
  const state = [...count, batch, hidden];
  const required: Shapes = {
    ...{ input: [...steps, batch, input], weight: [...gates, input], recurrentWeight: [...gates, hidden] },
    ...(isNetwork ? {} : { hiddenState: state }),
    ...(isNetwork || !isLstm ? {} : { cellState: state }),
  };
  const optional: Shapes = {
    ...{ bias: gates, recurrentBias: gates },
    ...(isNetwork ? { initialHiddenState: state } : {}),
    ...(isNetwork && isLstm ? { initialCellState: state } : {}),
    ...(isLstm ? { peepholeWeight: [...count, 3 * hidden] } : {}),
  };
  const options = {
    ...(isNetwork ? withDefault(random, 'direction', kind, 'forward') : {}),
    ...(isNetwork ? withDefault(random, 'returnSequence', random.chance(0.6), false) : {}),
    ...gateOptions(random, layout),
  };
  const hasViews = isNetwork ? random.chance(0.2) : drawing.hasViews;
  const element = drawSmall(drawing, dataType === 'float16' && (steps[0] ?? 1) > 1 ? 1 / 4 : 1);
  const drawn = (shapes: readonly (readonly [string, Shape])[]) =>
    Object.fromEntries(shapes.map(([name, shape]) => [name, drawing.operand(shape, element, hasViews)]));
  const operands = drawn(Object.entries(required));
  const some = drawn(Object.entries(optional).filter(() => random.chance(0.5)));
  return caseWithOptions(operands, some, options, [...steps, hidden]);
}

function gateOptions(random: Random, layout: string): ArgumentOptions {
  const names = Array.from({ length: layout.length - 1 }, () => random.pick(['relu', 'sigmoid', 'tanh']));
  const activations = random.pick([{}, { activations: names }, { activations: names.map(() => 'relu') }]);
  return {
    ...withDefault(random, 'layout', layout, layout.length === 4 ? 'iofg' : 'zrn'),
    ...(layout.length === 4 ? {} : withDefault(random, 'resetAfter', random.chance(0.5), true)),
    ...activations,
  };
}

/**
 * Multiples of `most` / 4, or any numbers up to `most`. With numbers above 1, a network's results would nearly always be 1 or 0.
 * Several steps of relu need smaller numbers, so that float16 does not overflow.
 */
function drawSmall({ random, dataType }: Elements, most: number): Draw {
  if (random.chance(0.5)) return () => (random.int(-4, 4) / 4) * most;
  return () => castNumber((2 * random.fraction() - 1) * most, dataType);
}
