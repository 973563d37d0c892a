/** Cases of gathers and scatters. */
import type { Random } from '../../harness/random.js';
import { natural } from '../elements.js';
import { exact, type CheckedOperator, type CheckedOperators } from '../operator.js';
import { coordinatesOf, sizeOf, type Element, type Shape } from '../plain-tensor.js';
import { caseOf, type CaseOperand, type DrawnCase } from '../webnn-case.js';
import type { Elements } from './numbers.js';
import { drawAxis, drawShape, layoutsOf, withDefault, type Drawing } from './operands.js';

const indexTypes = ['int32', 'uint32', 'int64'] as const;

/** `plan` gets the drawing of the values and the drawing of the indices. */
function indexed(plan: (values: Drawing, indices: Drawing) => DrawnCase): CheckedOperator {
  return {
    layouts: layoutsOf(indexTypes, ['', 'views']),
    draw: (drawing) => plan(drawing, drawing.of(drawing.named(indexTypes))),
    tolerance: exact,
  };
}

export const gathers = {
  gather: indexed((values, indices) => {
    const { random } = values;
    const [shape, axis] = drawAxis(random, 64);
    const places = indices.operand(drawShape(random, 0, 9 - shape.length, 8), () => drawIndex(indices, shape[axis]));
    return caseOf({ input: values.operand(shape), indices: places }, withDefault(random, 'axis', axis, 0));
  }),
  gatherElements: indexed((values, indices) => {
    const { random } = values;
    const [shape, axis] = drawAxis(random, 128);
    const indexShape = shape.with(axis, random.int(1, 6));
    if (values.dataType === indices.dataType && random.chance(0.2))
      return caseOf({ both: values.operand(shape) }, { operand: 'both' }, withDefault(random, 'axis', axis, 0));
    const places = indices.operand(indexShape, () => drawIndex(indices, shape[axis]));
    return caseOf({ input: values.operand(shape), indices: places }, withDefault(random, 'axis', axis, 0));
  }),
  gatherND: indexed((values, indices) => {
    const [shape, length, tuples] = drawTuples(values.random);
    const places = inOrder(indices, [...tuples, length], (i) => drawIndex(indices, shape[i % length]));
    return caseOf({ input: values.operand(shape), indices: places });
  }),
  scatterElements: indexed(drawScatterElements),
  scatterND: indexed(drawScatterND),
} satisfies Partial<CheckedOperators>;

/** Draws indices in order and without views: each belongs to its place, and views would mix them up. */
function inOrder(indices: Drawing, shape: Shape, index: (i: number) => Element): CaseOperand {
  let next = 0;
  return indices.operand(shape, () => index(next++), false);
}

/** A shape, the number of its dimensions that a tuple indexes, and the shape of the list of tuples. */
function drawTuples(random: Random): readonly [shape: Shape, length: number, tuples: Shape] {
  const shape = drawShape(random, 1, 8, 64);
  const length = random.int(1, shape.length);
  return [shape, length, drawShape(random, 0, Math.min(7, 8 - shape.length + length), 8)];
}

/** No place is written twice, because the specification leaves the order of updates open. */
function drawScatterElements(values: Drawing, indices: Drawing): DrawnCase {
  const { random } = values;
  const [shape, axis] = drawAxis(random, 128);
  const size = shape[axis] ?? 1;
  const indexShape = shape.with(axis, random.int(1, size));
  const lines = new Map<string, readonly number[]>();
  const data = Array.from(coordinatesOf(indexShape), (place) => {
    const line = place.with(axis, 0).join();
    const targets = lines.get(line) ?? random.distinct(indexShape[axis] ?? 1, size);
    lines.set(line, targets);
    return written(indices, targets[place[axis] ?? 0] ?? 0, size);
  });
  const operands = {
    input: values.operand(shape),
    indices: inOrder(indices, indexShape, (i) => data[i] ?? 0),
    updates: values.operand(indexShape),
  };
  return caseOf(operands, withDefault(random, 'axis', axis, 0));
}

function drawScatterND(values: Drawing, indices: Drawing): DrawnCase {
  const { random } = values;
  const [shape, length, drawn] = drawTuples(random);
  const sizes = shape.slice(0, length);
  const all = [...coordinatesOf(sizes)];
  const tuples = fewer(drawn, all.length);
  const data = random.distinct(sizeOf(tuples), all.length).flatMap((target) => {
    return (all[target] ?? []).map((i, axis) => written(indices, i, sizes[axis] ?? 1));
  });
  return caseOf({
    input: values.operand(shape),
    indices: inOrder(indices, [...tuples, length], (i) => data[i] ?? 0),
    updates: values.operand([...tuples, ...shape.slice(length)]),
  });
}

/** Shortens the shape to at most `most` elements. */
function fewer(shape: Shape, most: number): Shape {
  let rest = most;
  return shape.map((size) => {
    const own = Math.min(size, rest);
    rest = Math.floor(rest / own);
    return own;
  });
}

/** Mostly an index within the range, counted from either end; else one outside it, for int64 also with bits above the low 32. */
function drawIndex({ random, dataType }: Elements, size = 1): Element {
  const isSigned = dataType !== 'uint32';
  if (random.chance(0.75)) return natural(dataType, BigInt(random.int(isSigned ? -size : 0, size - 1)));
  const near = [size, size + 1, 2 * size, 2 ** 31 - 1].map(BigInt);
  const below = [-size - 1, -2 * size, -(2 ** 31)].map(BigInt);
  const wide = [2n ** 31n, 2n ** 32n, 2n ** 32n + 1n, -(2n ** 32n), -(2n ** 32n) + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
  const all = isSigned ? [...near, ...below] : [...near, 2n ** 31n, 2n ** 32n - 1n];
  return natural(dataType, random.pick(dataType === 'int64' ? [...all, ...wide] : all));
}

/** An index for this place, counted from either end. For the first and the last place, it may also lie beyond the range. */
function written({ random, dataType }: Elements, target: number, size: number): Element {
  const names = [target];
  if (dataType !== 'uint32') names.push(target - size);
  if (target === size - 1 && random.chance(0.3)) names.push(size, 2 ** 31 - 1);
  if (target === 0 && dataType !== 'uint32' && random.chance(0.3)) names.push(-size - 1, -(2 ** 31));
  return natural(dataType, BigInt(random.pick(names)));
}
