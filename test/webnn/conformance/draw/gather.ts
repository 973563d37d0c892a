/** Cases of gathers and scatters. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import * as formulas from '../formulas/gather.js';
import { natural } from '../elements.js';
import { exact, type CheckedOperator, type CheckedOperators } from '../operator.js';
import { coordinatesOf, sizeOf, type Element, type Shape } from '../plain-tensor.js';
import { caseOf, type ArgumentOptions, type CaseOperand, type WebnnCase } from '../webnn-case.js';
import { drawElements } from './numbers.js';
import { drawOperand, drawShape } from './operands.js';

const indexTypes = ['int32', 'uint32', 'int64'] as const;
type IndexType = (typeof indexTypes)[number];

/** What a layout says. */
interface Kind {
  readonly indexType: IndexType;
  readonly hasViews: boolean;
}

type Plan = (random: Random, dataType: MLOperandDataType, kind: Kind) => WebnnCase;

export const gathers: CheckedOperators<keyof typeof formulas> = {
  gather: indexed('gather', drawGather),
  gatherElements: indexed('gatherElements', drawGatherElements),
  gatherND: indexed('gatherND', drawGatherND),
  scatterElements: indexed('scatterElements', drawScatterElements),
  scatterND: indexed('scatterND', drawScatterND),
};

function indexed(operator: keyof typeof formulas, plan: Plan): CheckedOperator {
  return {
    layouts: indexTypes.flatMap((type) => [type, `${type} views`]),
    draw: (random, dataType, layout) => {
      const indexType = indexTypes.find((type) => layout.startsWith(type)) ?? 'int32';
      return plan(random, dataType, { indexType, hasViews: layout.endsWith('views') });
    },
    formula: formulas[operator],
    tolerance: () => exact,
  };
}

/** The operand that serves twice where input and indices may be one. */
function ownIndices(random: Random, dataType: MLOperandDataType, kind: Kind, shape: Shape): CaseOperand | null {
  const isIndex = indexTypes.some((type) => type === dataType) && dataType === kind.indexType;
  return isIndex && random.chance(0.2) ? valueOperand(random, dataType, kind, shape) : null;
}

function drawGather(random: Random, dataType: MLOperandDataType, kind: Kind): WebnnCase {
  const shape = drawShape(random, 1, 8, 64);
  const axis = random.int(0, shape.length - 1);
  const indexShape = drawShape(random, 0, 9 - shape.length, 8);
  const size = shape[axis] ?? 1;
  const indices = indexOperand(random, kind, indexShape, () => drawIndex(random, kind.indexType, size));
  return caseOf('gather', { input: valueOperand(random, dataType, kind, shape), indices }, axisOptions(random, axis));
}

function drawGatherElements(random: Random, dataType: MLOperandDataType, kind: Kind): WebnnCase {
  const shape = drawShape(random, 1, 8, 128);
  const axis = random.int(0, shape.length - 1);
  const size = shape[axis] ?? 1;
  const indexShape = shape.with(axis, random.int(1, 6));
  const both = ownIndices(random, dataType, kind, shape);
  if (both !== null) return caseOf('gatherElements', { both }, { operand: 'both' }, axisOptions(random, axis));
  const indices = indexOperand(random, kind, indexShape, () => drawIndex(random, kind.indexType, size));
  return caseOf('gatherElements', { input: valueOperand(random, dataType, kind, shape), indices }, axisOptions(random, axis));
}

function drawGatherND(random: Random, dataType: MLOperandDataType, kind: Kind): WebnnCase {
  const shape = drawShape(random, 1, 8, 64);
  const length = random.int(1, shape.length);
  const tuples = drawShape(random, 0, Math.min(7, 8 - shape.length + length), 8);
  const indexShape = [...tuples, length];
  let next = 0;
  const index = () => drawIndex(random, kind.indexType, shape[next++ % length] ?? 1);
  // The elements of a tuple belong to different dimensions, so that views would mix them up.
  const indices = indexOperand(random, { ...kind, hasViews: false }, indexShape, index);
  return caseOf('gatherND', { input: valueOperand(random, dataType, kind, shape), indices });
}

/** No place is written twice: the order of the updates is open. */
function drawScatterElements(random: Random, dataType: MLOperandDataType, kind: Kind): WebnnCase {
  const shape = drawShape(random, 1, 8, 128);
  const axis = random.int(0, shape.length - 1);
  const size = shape[axis] ?? 1;
  const indexShape = shape.with(axis, random.int(1, size));
  const lines = new Map<string, readonly number[]>();
  const data: Element[] = [];
  for (const place of coordinatesOf(indexShape)) {
    const line = place.with(axis, 0).join();
    const targets = lines.get(line) ?? random.distinct(indexShape[axis] ?? 1, size);
    lines.set(line, targets);
    data.push(written(random, kind.indexType, targets[place[axis] ?? 0] ?? 0, size));
  }
  const operands = {
    input: valueOperand(random, dataType, kind, shape),
    indices: fixedOperand(random, kind.indexType, indexShape, data),
    updates: valueOperand(random, dataType, kind, indexShape),
  };
  return caseOf('scatterElements', operands, axisOptions(random, axis));
}

function drawScatterND(random: Random, dataType: MLOperandDataType, kind: Kind): WebnnCase {
  const shape = drawShape(random, 1, 8, 64);
  const length = random.int(1, shape.length);
  const sizes = shape.slice(0, length);
  const count = sizeOf(sizes);
  const tuples = fewer(drawShape(random, 0, Math.min(7, 8 - shape.length + length), 8), count);
  const all = [...coordinatesOf(sizes)];
  const data = random.distinct(sizeOf(tuples), count).flatMap((target) => {
    return (all[target] ?? []).map((i, axis) => written(random, kind.indexType, i, sizes[axis] ?? 1));
  });
  const operands = {
    input: valueOperand(random, dataType, kind, shape),
    indices: fixedOperand(random, kind.indexType, [...tuples, length], data),
    updates: valueOperand(random, dataType, kind, [...tuples, ...shape.slice(length)]),
  };
  return caseOf('scatterND', operands);
}

/** The shape cut so that it has no more elements. */
function fewer(shape: Shape, most: number): Shape {
  let rest = most;
  return shape.map((size) => {
    const own = Math.min(size, rest);
    rest = Math.floor(rest / own);
    return own;
  });
}

/** Mostly an index in the range, from either end; else one outside, also with bits above the 32nd. */
function drawIndex(random: Random, indexType: IndexType, size: number): Element {
  const isSigned = indexType !== 'uint32';
  if (random.chance(0.75)) return natural(indexType, BigInt(random.int(isSigned ? -size : 0, size - 1)));
  const near = [size, size + 1, 2 * size, 2 ** 31 - 1].map(BigInt);
  const below = [-size - 1, -2 * size, -(2 ** 31)].map(BigInt);
  const wide = [2n ** 31n, 2n ** 32n, 2n ** 32n + 1n, -(2n ** 32n), -(2n ** 32n) + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
  const all = indexType === 'uint32' ? [...near, 2n ** 31n, 2n ** 32n - 1n] : [...near, ...below];
  return natural(indexType, random.pick(indexType === 'int64' ? [...all, ...wide] : all));
}

/** An index that leads to this place: from either end, or beyond it if it is the first or the last. */
function written(random: Random, indexType: IndexType, target: number, size: number): Element {
  const names = [target];
  if (indexType !== 'uint32') names.push(target - size);
  if (target === size - 1 && random.chance(0.3)) names.push(size, 2 ** 31 - 1);
  if (target === 0 && indexType !== 'uint32' && random.chance(0.3)) names.push(-size - 1, -(2 ** 31));
  return natural(indexType, BigInt(random.pick(names)));
}

function valueOperand(random: Random, dataType: MLOperandDataType, { hasViews }: Kind, shape: Shape): CaseOperand {
  return drawOperand(random, dataType, shape, drawElements(random, dataType), hasViews);
}

function indexOperand(random: Random, { indexType, hasViews }: Kind, shape: Shape, index: () => Element): CaseOperand {
  return drawOperand(random, indexType, shape, index, hasViews);
}

function fixedOperand(random: Random, indexType: IndexType, shape: Shape, data: readonly Element[]): CaseOperand {
  let next = 0;
  return drawOperand(random, indexType, shape, () => data[next++] ?? 0);
}

function axisOptions(random: Random, axis: number): ArgumentOptions {
  return axis === 0 && random.chance(0.5) ? {} : { axis };
}
