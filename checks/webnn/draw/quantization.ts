/** Cases of quantizeLinear, dequantizeLinear and triangular. */
import type { Random } from '../../harness/random.js';
import { castNumber, natural } from '../elements.js';
import { exact, ulp, type CheckedOperators } from '../operator.js';
import type { Shape } from '../plain-tensor.js';
import { caseOf, type DrawnCase } from '../webnn-case.js';
import { anyElement, edgesOf, type Draw, type Elements } from './numbers.js';
import { drawShape, layoutsOf, type Drawing } from './operands.js';
import { single } from './unary.js';

const kinds = ['one scale', 'along an axis', 'blocks', 'each element', 'fewer dimensions', 'views'];

/** The shape of scale and zeroPoint. */
function scaleShape(random: Random, shape: Shape, kind: string): Shape {
  const ones = shape.map(() => 1);
  if (kind === 'one scale') return ones;
  if (kind === 'each element') return shape;
  if (kind === 'along an axis' && shape.length > 0) {
    const axis = random.int(0, shape.length - 1);
    return ones.with(axis, shape[axis] ?? 1);
  }
  if (kind === 'fewer dimensions') return shape.slice(random.int(0, shape.length)).map((size) => (random.chance(0.5) ? 1 : size));
  return shape.map((size) => random.pick(divisorsOf(size)));
}

function divisorsOf(size: number): readonly number[] {
  return Array.from({ length: size }, (_, i) => i + 1).filter((divisor) => size % divisor === 0);
}

const integers = ['int8', 'uint8', 'int4', 'uint4', 'int32', 'uint32'] as const;
const floats = ['float32', 'float16'] as const;

/** Any integer of a small type. For 32 bits, integers of up to 2^23, which float32 represents exactly. */
function drawInteger(elements: Elements): Draw {
  const { random, dataType } = elements;
  if (!dataType.endsWith('32')) return () => anyElement(elements);
  const range = random.pick([100, 30000, 2 ** 23]);
  return () => natural(dataType, BigInt(random.int(dataType === 'uint32' ? 0 : -range, range)));
}

/** Draws positive scales. In half of the tensors they are powers of two, so that quotients are often halves. */
function drawScale({ random, dataType }: Elements): Draw {
  const range = random.pick([0, 2, 8]);
  const isPower = random.chance(0.5);
  return () => castNumber((isPower ? 1 : 1 + random.fraction()) * 2 ** random.int(-range, range), dataType);
}

function drawQuantize(drawing: Drawing): DrawnCase {
  const { random, dataType } = drawing;
  const range = random.pick([8, 100, 300, 5000]);
  const number = () => (random.chance(0.3) ? random.int(-range, range) + 0.5 : (random.fraction() * 2 - 1) * range);
  const usual = () => castNumber(number(), dataType);
  const edges = edgesOf(dataType);
  const element = random.chance(0.2) ? () => (random.chance(0.3) ? random.pick(edges) : usual()) : usual;
  return drawScaled(drawing, element, drawing, drawing.of(drawing.named(integers)));
}

function drawDequantize(drawing: Drawing): DrawnCase {
  return drawScaled(drawing, drawInteger(drawing), drawing.of(drawing.named(floats)), drawing);
}

/** A case of an input with scale and zeroPoint, which may be of other data types. */
function drawScaled(input: Drawing, element: Draw, scale: Drawing, zeroPoint: Drawing): DrawnCase {
  const { random, layout } = input;
  const kind = kinds.find((other) => layout.endsWith(other)) ?? '';
  const shape = drawShape(random);
  const shared = scaleShape(random, shape, kind);
  const zero = random.chance(0.2) ? () => natural(zeroPoint.dataType, 0n) : drawInteger(zeroPoint);
  return caseOf({
    input: input.operand(shape, element),
    scale: scale.operand(shared, drawScale(scale), scale.hasViews && random.chance(0.5)),
    zeroPoint: zeroPoint.operand(shared, zero, zeroPoint.hasViews && random.chance(0.5)),
  });
}

export const quantization = {
  quantizeLinear: { layouts: layoutsOf(integers, kinds), draw: drawQuantize, tolerance: ulp(0) },
  dequantizeLinear: { layouts: layoutsOf(floats, kinds), draw: drawDequantize, tolerance: ulp(1) },
  triangular: single(exact, ['upper', 'lower', 'default', 'no options', 'views'], ({ random, layout }) => {
    const shape = drawShape(random, 2);
    const [height = 1, width = 1] = shape.slice(-2);
    const diagonal = random.chance(0.2) ? random.pick([2 ** 31 - 1, -(2 ** 31)]) : random.int(-height - 1, width + 1);
    if (layout === 'no options') return [shape];
    return [shape, { diagonal, ...(layout === 'default' ? {} : { upper: layout !== 'lower' }) }];
  }),
} satisfies Partial<CheckedOperators>;
