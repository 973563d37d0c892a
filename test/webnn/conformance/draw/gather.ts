/** Cases of gathers and scatters. */
import type { Random } from '../../../random.js';
import { natural } from '../elements.js';
import { exact, type CheckedOperator, type CheckedOperators } from '../operator.js';
import { coordinatesOf, sizeOf, type Element, type Shape } from '../plain-tensor.js';
import { caseOf, type ArgumentOptions, type CaseOperand, type DrawnCase } from '../webnn-case.js';
import { drawElements } from './numbers.js';
import { drawOperand, drawShape } from './operands.js';

const indexTypes = ['int32', 'uint32', 'int64'] as const;
type IndexType = (typeof indexTypes)[number];

/** What a layout says. */
interface Kind {
  readonly indexType: IndexType;
  /** Whether input and indices may be one operand. */
  readonly isIndex: boolean;
  values(shape: Shape): CaseOperand;
  indices(shape: Shape, index: () => Element): CaseOperand;
  /** The elements belong to different places, so that views would mix them up. */
  orderedIndices(shape: Shape, index: () => Element): CaseOperand;
}

function indexed(plan: (random: Random, kind: Kind) => DrawnCase): CheckedOperator {
  return {
    layouts: indexTypes.flatMap((type) => [type, `${type} views`]),
    draw: (random, dataType, layout) => {
      const indexType = indexTypes.find((type) => layout.startsWith(type)) ?? 'int32';
      const hasViews = layout.endsWith('views');
      return plan(random, {
        indexType,
        isIndex: dataType === indexType,
        values: (shape) => drawOperand(random, dataType, shape, drawElements(random, dataType), hasViews),
        indices: (shape, index) => drawOperand(random, indexType, shape, index, hasViews),
        orderedIndices: (shape, index) => drawOperand(random, indexType, shape, index),
      });
    },
    tolerance: exact,
  };
}

export const gathers = {
  gather: indexed((random, { indexType, values, indices }) => {
    const [shape, axis] = drawAxis(random, 64);
    const size = shape[axis] ?? 1;
    const places = indices(drawShape(random, 0, 9 - shape.length, 8), () => drawIndex(random, indexType, size));
    return caseOf({ input: values(shape), indices: places }, axisOptions(random, axis));
  }),
  gatherElements: indexed((random, { indexType, isIndex, values, indices }) => {
    const [shape, axis] = drawAxis(random, 128);
    const size = shape[axis] ?? 1;
    const indexShape = shape.with(axis, random.int(1, 6));
    if (isIndex && random.chance(0.2)) return caseOf({ both: values(shape) }, { operand: 'both' }, axisOptions(random, axis));
    const places = indices(indexShape, () => drawIndex(random, indexType, size));
    return caseOf({ input: values(shape), indices: places }, axisOptions(random, axis));
  }),
  gatherND: indexed((random, { indexType, values, orderedIndices }) => {
    const [shape, length, tuples] = drawTuples(random);
    let next = 0;
    const indices = orderedIndices([...tuples, length], () => drawIndex(random, indexType, shape[next++ % length] ?? 1));
    return caseOf({ input: values(shape), indices });
  }),
  scatterElements: indexed(drawScatterElements),
  scatterND: indexed(drawScatterND),
} satisfies Partial<CheckedOperators>;

function drawAxis(random: Random, elements: number): readonly [shape: Shape, axis: number] {
  const shape = drawShape(random, 1, 8, elements);
  return [shape, random.int(0, shape.length - 1)];
}

/** A shape, how many of its dimensions a tuple of indices has, and the shape of the list of tuples. */
function drawTuples(random: Random): readonly [shape: Shape, length: number, tuples: Shape] {
  const shape = drawShape(random, 1, 8, 64);
  const length = random.int(1, shape.length);
  return [shape, length, drawShape(random, 0, Math.min(7, 8 - shape.length + length), 8)];
}

/** No place is written twice: the order of the updates is open. */
function drawScatterElements(random: Random, { indexType, values, orderedIndices }: Kind): DrawnCase {
  const [shape, axis] = drawAxis(random, 128);
  const size = shape[axis] ?? 1;
  const indexShape = shape.with(axis, random.int(1, size));
  const lines = new Map<string, readonly number[]>();
  const data: Element[] = [];
  for (const place of coordinatesOf(indexShape)) {
    const line = place.with(axis, 0).join();
    const targets = lines.get(line) ?? random.distinct(indexShape[axis] ?? 1, size);
    lines.set(line, targets);
    data.push(written(random, indexType, targets[place[axis] ?? 0] ?? 0, size));
  }
  const operands = {
    input: values(shape),
    indices: orderedIndices(indexShape, inTurn(data)),
    updates: values(indexShape),
  };
  return caseOf(operands, axisOptions(random, axis));
}

function drawScatterND(random: Random, { indexType, values, orderedIndices }: Kind): DrawnCase {
  const [shape, length, drawn] = drawTuples(random);
  const sizes = shape.slice(0, length);
  const all = [...coordinatesOf(sizes)];
  const tuples = fewer(drawn, all.length);
  const data = random.distinct(sizeOf(tuples), all.length).flatMap((target) => {
    return (all[target] ?? []).map((i, axis) => written(random, indexType, i, sizes[axis] ?? 1));
  });
  return caseOf({
    input: values(shape),
    indices: orderedIndices([...tuples, length], inTurn(data)),
    updates: values([...tuples, ...shape.slice(length)]),
  });
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
  const all = isSigned ? [...near, ...below] : [...near, 2n ** 31n, 2n ** 32n - 1n];
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

function inTurn(data: readonly Element[]): () => Element {
  let next = 0;
  return () => data[next++] ?? 0;
}

function axisOptions(random: Random, axis: number): ArgumentOptions {
  return axis === 0 && random.chance(0.5) ? {} : { axis };
}
