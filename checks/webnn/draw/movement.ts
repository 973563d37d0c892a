/** Cases of operators that only move elements. */
import { wrappedTo } from '../elements.js';
import { exact, type CheckedOperators } from '../operator.js';
import { sizeOf } from '../plain-tensor.js';
import { caseOf, type DrawnCase } from '../webnn-case.js';
import { anyElement, edgesOf } from './numbers.js';
import { drawAxis, drawShape, otherShape, withDefault, type Drawing } from './operands.js';
import { single, type Plan } from './unary.js';

export const movements = {
  reshape: { layouts: ['inputs', 'views'], draw: drawReshape, tolerance: exact },
  expand: single(exact, ['leading dimensions', 'ones', 'views'], ({ random, layout }) => {
    const shape = drawShape(random);
    const kept = layout === 'leading dimensions' ? shape : shape.map((size) => (random.chance(0.5) ? size : 1));
    return [kept.slice(layout === 'ones' ? 0 : random.int(0, kept.length)), shape];
  }),
  transpose: single(exact, ['default', 'permutation', 'views'], ({ random, layout }) => {
    const shape = drawShape(random);
    if (layout === 'default' || (layout === 'views' && random.chance(0.3))) return [shape];
    return [shape, { permutation: random.distinct(shape.length, shape.length) }];
  }),
  slice: single(exact, ['sizes', 'strides', 'views'], drawSlice),
  pad: single(exact, ['constant', 'edge', 'reflection', 'views'], drawPad),
  reverse: single(exact, ['all axes', 'axes', 'views'], ({ random, layout }) => {
    const shape = drawShape(random);
    if (layout === 'all axes') return [shape];
    return [shape, { axes: random.distinct(random.int(0, shape.length), shape.length) }];
  }),
  tile: single(exact, ['inputs', 'views'], ({ random }) => {
    const shape = drawShape(random, 0, 8, 64);
    let rest = 512 / sizeOf(shape);
    const repetitions = shape.map(() => {
      const own = Math.min(random.pick([1, 1, 2, 3, 5]), Math.max(1, Math.floor(rest)));
      rest /= own;
      return own;
    });
    return [shape, repetitions];
  }),
  split: single(exact, ['equal parts', 'list', 'views'], drawSplit),
  concat: { layouts: ['several', 'one', 'views', 'same operand twice'], draw: drawConcat, tolerance: exact },
} satisfies Partial<CheckedOperators>;

/** A view of 4 bits cannot be an output, so the reshaped tensor is dequantized with a scale of 1. */
function drawReshape(drawing: Drawing): DrawnCase {
  const { random, dataType } = drawing;
  const shape = drawShape(random);
  const reshaped = otherShape(random, shape);
  if (!dataType.endsWith('int4')) return caseOf({ input: drawing.operand(shape) }, reshaped);
  const element = () => wrappedTo(dataType, BigInt(random.int(0, 15)));
  const operands = {
    input: { ...drawing.operand(shape, element), views: [{ reshape: reshaped }] },
    scale: drawing.of('float32').operand(reshaped, () => 1, false),
    zeroPoint: drawing.operand(reshaped, () => 0),
  };
  return { operator: 'dequantizeLinear', ...caseOf(operands) };
}

function drawSlice({ random, layout }: Drawing): Plan {
  const shape = drawShape(random);
  const starts = shape.map((size) => random.int(0, size - 1));
  const sizes = shape.map((size, axis) => random.int(1, size - (starts[axis] ?? 0)));
  if (layout === 'sizes') return [shape, starts, sizes];
  return [shape, starts, sizes, { strides: sizes.map((size) => random.int(1, size + 1)) }];
}

function drawPad({ random, layout, dataType }: Drawing): Plan {
  const shape = drawShape(random, 0, 8, 32);
  const mode = layout === 'views' ? random.pick(['constant', 'edge', 'reflection']) : layout;
  let rest = 512 / sizeOf(shape);
  const paddings = shape.map((size) => {
    const most = mode === 'reflection' ? size - 1 : 3;
    const own = [0, 1].map(() => (random.chance(0.4) ? 0 : random.int(0, most)));
    const grown = (size + (own[0] ?? 0) + (own[1] ?? 0)) / size;
    if (grown > rest) return [0, 0];
    rest /= grown;
    return own;
  });
  const [beginning, ending] = [0, 1].map((side) => paddings.map((own) => own[side] ?? 0));
  // Casting a number of more than 31 bits to uint32 is a slip of the specification.
  const numbers = [7, -3, 2.5, 3.5, 1e10, NaN, Infinity, -0, 12345678901234567n];
  const fits = numbers.filter((value) => dataType !== 'uint32' || Math.abs(Number(value)) < 2 ** 31);
  const type = dataType === 'uint32' ? 'uint8' : dataType;
  const value = random.pick([...fits, anyElement({ random, dataType: type }), ...edgesOf(type).slice(-2)]);
  const isDefault = mode === 'constant' && random.chance(0.5);
  const options = { ...(isDefault ? {} : { mode }), ...(mode === 'constant' && random.chance(0.7) ? { value } : {}) };
  return [shape, beginning ?? [], ending ?? [], options];
}

function drawSplit({ random, layout }: Drawing): Plan {
  const [other, axis] = drawAxis(random, 64);
  const options = withDefault(random, 'axis', axis, 0);
  const count = random.int(1, 4);
  if (layout === 'equal parts') return [other.with(axis, count * random.int(1, 3)), count, options];
  const parts = Array.from({ length: count }, () => random.int(1, 3));
  const size = parts.reduce((total, part) => total + part, 0);
  return [other.with(axis, size), parts, options];
}

function drawConcat(drawing: Drawing): DrawnCase {
  const { random, layout } = drawing;
  const [shape, axis] = drawAxis(random, 64);
  const count = layout === 'one' ? 1 : random.int(2, 5);
  const names = Array.from({ length: count }, (_, i) => `input${i}`);
  const operands = Object.fromEntries(names.map((name) => [name, drawing.operand(shape.with(axis, random.int(1, 4)))]));
  const again = layout === 'same operand twice' ? [random.pick(names)] : [];
  const order = [...again, ...names, ...again].map((operand) => ({ operand }));
  return { operands, args: [order, axis] };
}
