/** Operators that compute each element from those at its place, and activations. */
import type { Random } from '../harness/random.js';
import type { Draw, Draws, OnnxCase } from './case.js';
import { eitherEnd, floatOf, range, Sketch, type Type } from './sketch.js';
import { anySizes, drawTensor, infinities, isFloat, narrowed, specials, type Elements } from './values.js';

const opsets = range(7, 22);
const floats: readonly Type[] = ['float32', 'float32', 'float32', 'float16', 'float64'];
const integers: readonly Type[] = ['int32', 'int64', 'int8', 'uint8', 'int16', 'uint16', 'uint32', 'uint64'];
const numeric: readonly Type[] = [...floats, 'int32', 'int64', ...integers];

interface Unary extends Elements {
  readonly types?: readonly Type[];
  readonly from?: number;
  readonly tolerance?: number;
  readonly attributes?: (sketch: Sketch) => void;
}

function unary(operator: string, options: Unary = {}): Draw {
  return (random) => {
    const sketch = new Sketch(random, range(options.from ?? 7, 22));
    options.attributes?.(sketch);
    drawTensor(sketch, random.pick(options.types ?? floats), anySizes(random), options);
    return sketch.finish(operator, 1, options.tolerance);
  };
}

/** Attributes that are floats, each of them left out sometimes. Some of them are the same as elements. */
function parameters(given: Readonly<Record<string, readonly [low: number, high: number]>>): (sketch: Sketch) => void {
  return (sketch) => {
    for (const [name, [low, high]] of Object.entries(given))
      sketch.maybe(name, () => {
        const { float } = floatOf(sketch.random, low, high);
        return { float: sketch.random.chance(0.3) ? Math.round(float * 2) / 2 : float };
      });
  };
}

/** Two inputs that broadcast to the same sizes. */
function binary(operator: string, types: readonly Type[], { left = {}, right = left, ...options }: Binary = {}): Draw {
  return (random) => {
    const sketch = new Sketch(random, range(options.from ?? 7, 22));
    options.attributes?.(sketch);
    const type = random.pick(types);
    const dims = anySizes(random);
    drawTensor(sketch, type, narrowed(random, dims), left);
    drawTensor(sketch, type, narrowed(random, dims), right);
    return sketch.finish(operator, 1, options.tolerance);
  };
}

interface Binary {
  readonly left?: Elements;
  readonly right?: Elements;
  readonly from?: number;
  readonly tolerance?: number;
  readonly attributes?: (sketch: Sketch) => void;
}

/** Any number of inputs that broadcast. */
/** @param magnitude Of the elements, if their sums may be small. */
function variadic(operator: string, types: readonly Type[], elements: Elements = {}, magnitude = 0): Draw {
  return (random) => {
    const sketch = new Sketch(random, opsets, magnitude);
    const type = random.pick(types);
    const dims = anySizes(random);
    for (let i = random.int(1, 4); i > 0; i--) drawTensor(sketch, type, narrowed(random, dims), elements);
    return sketch.finish(operator);
  };
}

/** Comparisons with ties. */
function comparison(operator: string, types: readonly Type[], from = 7): Draw {
  return (random) => {
    const few = random.chance(0.5) ? { low: -3, high: 3, tieChance: 0.8 } : {};
    return binary(operator, types, { left: { ...few, special: specials }, from })(random);
  };
}

function mod(random: Random): OnnxCase {
  const type = random.pick(numeric);
  const isFmod = isFloat(type) || random.chance(0.5);
  const attributes = (sketch: Sketch) => {
    if (isFmod || random.chance(0.5)) sketch.attribute('fmod', isFmod ? 1 : 0);
  };
  const right = isFloat(type) ? { low: 0.1, high: 3 } : { not: [0, -1] };
  return binary('Mod', [type], { left: isFloat(type) ? { low: -20, high: 20 } : {}, right, from: 10, attributes })(random);
}

/**
 * onnxruntime converts powers from float64 to integers, which is undefined if they are too large. DirectML has no number for powers
 * of -Infinity, and the infinity of another sign for some of -0.
 */
function pow(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const types: readonly Type[] = ['float32', 'float32', 'int32', 'int64', 'float64'];
  const base = random.pick(types);
  const exponent = sketch.opset < 12 ? base : random.pick(types);
  const dims = anySizes(random);
  const isWhole = !isFloat(exponent) || random.chance(0.3);
  const isPositive = random.chance(0.5);
  const bases = isFloat(base)
    ? { low: isWhole ? -4 : isPositive ? 0.1 : -2, high: 4, special: [Infinity, 0] }
    : { low: isWhole ? -6 : 0, high: 6 };
  drawTensor(sketch, base, narrowed(random, dims), bases);
  const isScalar = random.chance(0.6);
  const exponentDims = isScalar ? [] : narrowed(random, dims);
  const low = isFloat(base) ? -5 : 0;
  if (isScalar && isWhole) {
    sketch.tensor(exponent, [], [random.pick([0, 1, 2, 3, 4, ...(isFloat(base) ? [-1, -2, -4] : [])])], 0.8);
  } else if (isWhole && isFloat(exponent)) {
    sketch.tensor(
      exponent,
      exponentDims,
      elementsFor(exponentDims, () => random.int(low, 5)),
    );
  } else drawTensor(sketch, exponent, exponentDims, { low, high: 5 });
  return sketch.finish('Pow', 1, isFloat(base) ? exponential : undefined);
}

function elementsFor(dims: readonly number[], element: () => number): number[] {
  return Array.from({ length: dims.reduce((product, size) => product * size, 1) }, element);
}

function bitShift(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(11, 22));
  const type = random.pick(['uint8', 'uint16', 'uint32', 'uint64'] as const);
  const bits = Number(type.slice(4));
  const dims = anySizes(random);
  sketch.attribute('direction', random.pick(['LEFT', 'RIGHT']));
  drawTensor(sketch, type, narrowed(random, dims));
  drawTensor(sketch, type, narrowed(random, dims), { low: 0, high: bits - 1 });
  return sketch.finish('BitShift');
}

function where(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(9, 22));
  const type = random.pick<Type>([...numeric, 'bool']);
  const dims = anySizes(random);
  drawTensor(sketch, 'bool', narrowed(random, dims));
  drawTensor(sketch, type, narrowed(random, dims), { special: specials });
  drawTensor(sketch, type, narrowed(random, dims), { special: specials });
  return sketch.finish('Where');
}

/**
 * Limits are attributes before opset 11. The lower one is sometimes greater than the upper one. onnxruntime limits infinities even
 * without a limit.
 */
function clip(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const type = sketch.opset < 12 ? random.pick(floats) : random.pick(numeric);
  drawTensor(sketch, type, anySizes(random), isFloat(type) ? { low: -9, high: 9 } : {});
  const isCrossed = random.chance(0.1);
  const [low, high] = isFloat(type) ? [random.fraction() * -6, random.fraction() * 6] : [random.int(0, 30), random.int(31, 90)];
  const [min, max] = isCrossed ? [high, low] : [low, high];
  if (sketch.opset < 11) {
    sketch.maybe('min', () => ({ float: min }));
    sketch.maybe('max', () => ({ float: max }));
  } else {
    for (const limit of [min, max]) {
      if (random.chance(0.3)) sketch.none();
      else sketch.tensor(type, [], [limit], 0.5);
    }
  }
  return sketch.finish('Clip');
}

const castTypes: readonly Type[] = [...floats, 'bool', ...integers];
const typeNumbers: Readonly<Record<Type, number>> = {
  ...{ float32: 1, uint8: 2, int8: 3, uint16: 4, int16: 5, int32: 6, int64: 7, bool: 9, float16: 10, float64: 11 },
  ...{ uint32: 12, uint64: 13 },
};

/** Floats that do not fit into integers are undefined. */
function castElements(from: Type, to: Type): Elements {
  if (!isFloat(from)) return {};
  if (to === 'bool') return { special: specials };
  if (isFloat(to)) return { low: -70000, high: 70000, special: specials };
  return to.startsWith('u') ? { low: 0, high: 255 } : { low: -128, high: 127 };
}

function cast(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const [from, to] = [random.pick(castTypes), random.pick(castTypes)];
  sketch.attribute('to', typeNumbers[to]);
  drawTensor(sketch, from, anySizes(random), castElements(from, to));
  return sketch.finish('Cast');
}

function bitCast(random: Random): OnnxCase {
  const sketch = new Sketch(random, [26]);
  const sameSize = random.pick([
    { float32: 1, int32: 6, uint32: 12 },
    { int8: 3, uint8: 2 },
    { float16: 10, int16: 5, uint16: 4 },
    { float64: 11, int64: 7 },
  ] as const);
  drawTensor(sketch, random.pick(Object.keys(sameSize) as Type[]), anySizes(random), { special: infinities });
  sketch.attribute('to', random.pick(Object.values(sameSize)));
  return sketch.finish('BitCast');
}

function castLike(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(15, 22));
  const [from, to] = [random.pick(castTypes), random.pick(castTypes)];
  drawTensor(sketch, from, anySizes(random), castElements(from, to));
  drawTensor(sketch, to, anySizes(random));
  return sketch.finish('CastLike');
}

/** Before opset 13, all dimensions from the axis on are one. */
function alongAxis(operator: string): Draw {
  return (random) => {
    const sketch = new Sketch(random, opsets);
    const dims = anySizes(random, 1);
    const isNeeded = sketch.opset < 13 && dims.length === 1;
    sketch.maybe('axis', () => eitherEnd(random, random.int(0, dims.length - 1), dims.length), isNeeded ? 1 : undefined);
    drawTensor(sketch, random.pick(floats), dims, { low: -8, high: 8 });
    return sketch.finish(operator, 1, operator === 'Hardmax' ? undefined : exponential);
  };
}

function preluCase(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const type = random.pick<Type>(['float32', 'float32', 'float64', 'int32', 'int64', 'uint32', 'uint64', 'float16']);
  const dims = anySizes(random);
  drawTensor(sketch, type, dims);
  drawTensor(sketch, type, narrowed(random, dims), isFloat(type) ? { low: -1, high: 1 } : {});
  return sketch.finish('PRelu');
}

function dropout(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  if (sketch.opset < 12) sketch.maybe('ratio', () => floatOf(random, 0, 0.9));
  const type = random.pick<Type>(['float32', 'float32', 'float64']);
  drawTensor(sketch, type, anySizes(random), { special: specials });
  if (sketch.opset >= 12 && random.chance(0.6)) {
    const isTraining = random.chance(0.3);
    if (!isTraining && random.chance(0.3)) sketch.none();
    else sketch.tensor(random.pick(['float32', 'float64']), [], [isTraining ? 0 : random.fraction() * 0.9]);
    if (isTraining || random.chance(0.5)) sketch.tensor('bool', [], [isTraining ? 1 : 0]);
  }
  // Before opset 12, onnxruntime's mask is 0 although nothing is dropped.
  return sketch.finish('Dropout', sketch.opset < 12 ? 1 : random.int(1, 2));
}

function isInf(sketch: Sketch): void {
  sketch.maybe('detect_negative', () => sketch.random.int(0, 1), 0.8);
  sketch.maybe('detect_positive', () => sketch.random.int(0, 1), 0.8);
}

function approximate(sketch: Sketch): void {
  sketch.maybe('approximate', () => sketch.random.pick(['none', 'tanh']));
}

const signed: readonly Type[] = [...floats, 'int32', 'int64', 'int8', 'int16'];
/** Their negatives do not fit: DirectML has the largest of 8 and 16 bits. */
const overflowing = [-128, -32768];
const positive = { low: 0.01, high: 50 };

/** Curves of DirectML are less exact than those of the CPU. */
const curve = 1e-3;
const exponential = 1e-4;

export const elementDraws: Draws = {
  Abs: unary('Abs', { types: numeric, special: specials, not: overflowing }),
  Neg: unary('Neg', { types: signed, special: specials, not: overflowing }),
  Sign: unary('Sign', { types: numeric, special: infinities }),
  Ceil: unary('Ceil', { low: -9, high: 9, special: specials }),
  Floor: unary('Floor', { low: -9, high: 9, special: specials }),
  Round: unary('Round', { low: -9, high: 9, special: specials, from: 11 }),
  Sqrt: unary('Sqrt', { low: -1, high: 90, special: specials }),
  Reciprocal: unary('Reciprocal', { special: specials }),
  Exp: unary('Exp', { low: -10, high: 10, special: specials, tolerance: exponential }),
  Log: unary('Log', { ...positive, special: specials, tolerance: exponential }),
  Sin: unary('Sin', { tolerance: curve }),
  Cos: unary('Cos', { tolerance: curve }),
  Tan: unary('Tan', { low: -1.5, high: 1.5, tolerance: curve }),
  Asin: unary('Asin', { low: -1, high: 1, tolerance: curve }),
  Acos: unary('Acos', { low: -1, high: 0.9, tolerance: curve }),
  Atan: unary('Atan', { tolerance: curve }),
  Sinh: unary('Sinh', { from: 9, tolerance: exponential }),
  Cosh: unary('Cosh', { from: 9, tolerance: exponential }),
  Tanh: unary('Tanh', { special: specials, tolerance: exponential }),
  Asinh: unary('Asinh', { from: 9, tolerance: curve }),
  Acosh: unary('Acosh', { from: 9, low: 1, high: 9, tolerance: curve }),
  Atanh: unary('Atanh', { from: 9, low: -0.99, high: 0.99, tolerance: curve }),
  Erf: unary('Erf', { from: 9, special: infinities, tolerance: curve }),
  Not: unary('Not', { types: ['bool'] }),
  BitwiseNot: unary('BitwiseNot', { types: integers, from: 18 }),
  IsNaN: unary('IsNaN', { from: 9, special: specials, specialChance: 0.9 }),
  IsInf: unary('IsInf', { from: 10, special: specials, specialChance: 0.9, attributes: isInf }),
  Identity: unary('Identity', { types: [...numeric, 'bool'], special: specials }),

  Relu: unary('Relu', { types: signed, special: infinities }),
  Sigmoid: unary('Sigmoid', { special: specials, low: -6, high: 9, tolerance: curve }),
  Softplus: unary('Softplus', { low: -9, high: 9, special: infinities, tolerance: exponential }),
  Softsign: unary('Softsign'),
  HardSwish: unary('HardSwish', { from: 14, low: -9, high: 9 }),
  Mish: unary('Mish', { from: 18, low: -4, high: 9, tolerance: curve }),
  Gelu: unary('Gelu', { from: 20, low: -2, attributes: approximate, tolerance: curve }),
  Elu: unary('Elu', { special: infinities, attributes: parameters({ alpha: [-1, 3] }), tolerance: exponential }),
  Selu: unary('Selu', { attributes: parameters({ alpha: [-1, 3], gamma: [0.1, 3] }), tolerance: exponential }),
  Celu: unary('Celu', { from: 12, attributes: parameters({ alpha: [0.1, 3] }), tolerance: exponential }),
  LeakyRelu: unary('LeakyRelu', { attributes: parameters({ alpha: [-2, 2] }) }),
  ThresholdedRelu: unary('ThresholdedRelu', { from: 10, tieChance: 0.5, attributes: parameters({ alpha: [-2, 2] }) }),
  HardSigmoid: unary('HardSigmoid', { attributes: parameters({ alpha: [-1, 1], beta: [-1, 1] }) }),
  // onnxruntime computes in float32.
  Shrink: unary('Shrink', {
    from: 9,
    types: signed.filter((type) => type !== 'float64'),
    low: -1000,
    high: 1000,
    attributes: parameters({ bias: [-2, 2], lambd: [0, 3] }),
  }),
  PRelu: preluCase,
  Softmax: alongAxis('Softmax'),
  LogSoftmax: alongAxis('LogSoftmax'),
  Hardmax: alongAxis('Hardmax'),
  Dropout: dropout,

  Add: binary('Add', numeric, { left: { special: specials } }),
  Sub: binary('Sub', numeric, { left: { special: specials } }),
  Mul: binary('Mul', numeric, { left: { special: specials } }),
  Div: binary('Div', numeric, { left: { special: specials }, right: { special: specials, not: [0, -1] } }),
  Mod: mod,
  Pow: pow,
  Max: variadic('Max', numeric, { special: infinities }),
  Min: variadic('Min', numeric, { special: infinities }),
  Sum: variadic('Sum', floats, { special: infinities }, 1),
  Mean: variadic('Mean', floats, { special: infinities }, 1),
  And: binary('And', ['bool']),
  Or: binary('Or', ['bool']),
  Xor: binary('Xor', ['bool']),
  Equal: comparison('Equal', [...numeric, 'bool']),
  Greater: comparison('Greater', numeric),
  Less: comparison('Less', numeric),
  GreaterOrEqual: comparison('GreaterOrEqual', numeric, 12),
  LessOrEqual: comparison('LessOrEqual', numeric, 12),
  BitwiseAnd: binary('BitwiseAnd', integers, { from: 18 }),
  BitwiseOr: binary('BitwiseOr', integers, { from: 18 }),
  BitwiseXor: binary('BitwiseXor', integers, { from: 18 }),
  BitShift: bitShift,
  Where: where,
  Clip: clip,
  Cast: cast,
  BitCast: bitCast,
  CastLike: castLike,
};
