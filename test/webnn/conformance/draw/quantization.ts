/** Cases of quantizeLinear, dequantizeLinear and triangular. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import { isFloatType, limitsOf, natural, roundTo, type FloatType } from '../elements.js';
import { exact, ulp, type CheckedOperators } from '../operator.js';
import type { Shape } from '../plain-tensor.js';
import { caseOf, type DrawnCase } from '../webnn-case.js';
import { anyElement, edgesOf, type Draw } from './numbers.js';
import { drawOperand, drawShape } from './operands.js';
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

/** The layout names the other data type and how scales are shared. */
function typeOf<Type extends MLOperandDataType>(layout: string, types: readonly Type[]): readonly [Type | undefined, string] {
  const [name = '', kind = ''] = layout.split(', ');
  return [types.find((type) => type === name), kind];
}

const integers = ['int8', 'uint8', 'int4', 'uint4', 'int32', 'uint32'] as const;
const floats = ['float32', 'float16'] as const;

/** Of all bits of a small type; of 32 bits mostly small numbers, but never so large that floats lose them all. */
function drawInteger(random: Random, dataType: MLOperandDataType): Draw {
  if (!dataType.endsWith('32')) return () => anyElement(random, dataType);
  const range = random.pick([100, 30000, 2 ** 23]);
  const { low } = limitsOf(dataType);
  return () => natural(dataType, BigInt(random.int(low === 0n ? 0 : -range, range)));
}

/** Positive; some are powers of two, so that quotients are often halves. */
function drawScale(random: Random, dataType: FloatType): Draw {
  const range = random.pick([0, 2, 8]);
  const isPower = random.chance(0.5);
  return () => roundTo(dataType, (isPower ? 1 : 1 + random.fraction()) * 2 ** random.int(-range, range));
}

function drawQuantize(random: Random, dataType: MLOperandDataType, layout: string): DrawnCase | null {
  const [target, kind] = typeOf(layout, integers);
  if (target === undefined || !isFloatType(dataType)) return null;
  const range = random.pick([8, 100, 300, 5000]);
  const usual = () =>
    roundTo(dataType, random.chance(0.3) ? random.int(-range, range) + 0.5 : (random.fraction() * 2 - 1) * range);
  const edges = edgesOf(dataType);
  const element = random.chance(0.2) ? () => (random.chance(0.3) ? random.pick(edges) : usual()) : usual;
  return drawScaled(random, { dataType, scaleType: dataType, zeroType: target, kind, element });
}

function drawDequantize(random: Random, dataType: MLOperandDataType, layout: string): DrawnCase | null {
  const [target, kind] = typeOf(layout, floats);
  if (target === undefined) return null;
  return drawScaled(random, { dataType, scaleType: target, zeroType: dataType, kind, element: drawInteger(random, dataType) });
}

interface Scaled {
  readonly dataType: MLOperandDataType;
  readonly scaleType: FloatType;
  readonly zeroType: MLOperandDataType;
  readonly kind: string;
  readonly element: Draw;
}

/** A case of an input with scale and zeroPoint. There are no views of 4 bits. */
function drawScaled(random: Random, { dataType, scaleType, zeroType, kind, element }: Scaled): DrawnCase {
  const shape = drawShape(random);
  const shared = scaleShape(random, shape, kind);
  const isView = (type: MLOperandDataType) => kind === 'views' && !type.endsWith('4');
  const zero = random.chance(0.2) ? () => natural(zeroType, 0n) : drawInteger(random, zeroType);
  return caseOf({
    input: drawOperand(random, dataType, shape, element, isView(dataType)),
    scale: drawOperand(random, scaleType, shared, drawScale(random, scaleType), isView(scaleType) && random.chance(0.5)),
    zeroPoint: drawOperand(random, zeroType, shared, zero, isView(zeroType) && random.chance(0.5)),
  });
}

function layoutsOf(types: readonly MLOperandDataType[]): readonly string[] {
  return types.flatMap((type) => kinds.map((kind) => `${type}, ${kind}`));
}

export const quantization = {
  quantizeLinear: { layouts: layoutsOf(integers), draw: drawQuantize, tolerance: ulp(0) },
  dequantizeLinear: { layouts: layoutsOf(floats), draw: drawDequantize, tolerance: ulp(1) },
  triangular: single(exact, ['upper', 'lower', 'default', 'no options', 'views'], (random, layout) => {
    const shape = drawShape(random, 2);
    const [height = 1, width = 1] = shape.slice(-2);
    const diagonal = random.chance(0.2) ? random.pick([2 ** 31 - 1, -(2 ** 31)]) : random.int(-height - 1, width + 1);
    if (layout === 'no options') return [shape];
    return [shape, { diagonal, ...(layout === 'default' ? {} : { upper: layout !== 'lower' }) }];
  }),
} satisfies Partial<CheckedOperators>;
