/** Random cases of each function of arrays. */
import { Random } from '../harness/random.js';
import { fftGenerators } from './fft-cases.js';
import { linalgGenerators } from './linalg-cases.js';
import { moreGenerators } from './more-cases.js';
import { all, Draw, floats, integers, numbers, type ArrayOf, type DataType, type Range } from './draw.js';

/** A call of a function. Arrays among the arguments stand for tensors; functions that create take the device before them. */
export interface ArrayCase {
  readonly name: string;
  readonly args: readonly unknown[];
}

type Generator = (draw: Draw) => readonly unknown[];

const positive: Range = [0.125, 8];
const near: Range = [-0.875, 0.875];
/** NumPy refuses the bits of floats. */
const withFloats: readonly DataType[] = [...integers, 'float32', 'float16'];
const each = (names: readonly string[], generator: Generator) => Object.fromEntries(names.map((name) => [name, generator]));
const one =
  (types: readonly DataType[], range?: Range): Generator =>
  (draw) => [draw.array(types, undefined, range, true)];
const two =
  (types: readonly DataType[], range?: Range, second?: Range): Generator =>
  (draw) =>
    draw.pair(types, range, second);
const reduced =
  (types: readonly DataType[], more: (draw: Draw) => object = () => ({}), range?: Range): Generator =>
  (draw) => {
    const x = draw.array(types, undefined, range, true);
    return [x, draw.reduced(x, more(draw))];
  };

const elements: Readonly<Record<string, Generator>> = {
  ...each(['add', 'subtract', 'multiply', 'maximum', 'minimum'], two(numbers)),
  ...each(['equal', 'notEqual', 'less', 'lessEqual', 'greater', 'greaterEqual'], two(numbers)),
  ...each(['logicalAnd', 'logicalOr', 'logicalXor'], two(numbers, [-1, 1])),
  ...each(['divide', 'remainder'], (draw) =>
    draw.chance(0.5) ? draw.pair(numbers, [-9, 9], positive) : draw.pair(floats, [-9, 9], [-5, -1]),
  ),
  atan2: two(numbers),
  pow: (draw) =>
    draw.chance(0.3)
      ? draw.pair(integers, [-4, 4], [0, 3])
      : draw.pair(floats, draw.chance(0.5) ? positive : [-4, 4], draw.chance(0.5) ? [-3, 3] : [-0.5, 0.5]),
  ...each(['bitwiseAnd', 'bitwiseOr', 'bitwiseXor'], two(withFloats, [-100, 100])),
  ...each(['bitwiseLeftShift', 'bitwiseRightShift'], two(withFloats, [-100, 100], [0, 7])),
  bitwiseInvert: one(withFloats, [-100, 100]),
  ...each(
    ['abs', 'negative', 'sign', 'square', 'ceil', 'floor', 'round', 'trunc', 'isnan', 'isinf', 'isfinite', 'logicalNot'],
    one(numbers),
  ),
  ...each(['sqrt', 'log', 'log2', 'log10', 'reciprocal'], one(numbers, positive)),
  ...each(['exp', 'sin', 'cos', 'tan', 'atan', 'sinh', 'cosh', 'tanh', 'erf'], one(numbers)),
  asinh: (draw) => [draw.array(numbers, undefined, draw.chance(0.5) ? [-4, 4] : [-100, 100], true)],
  ...each(['asin', 'acos', 'atanh'], one(floats, near)),
  acosh: one(numbers, [1, 8]),
  ...each(['positive', 'expm1', 'signbit'], one(numbers)),
  log1p: one(numbers, [-0.875, 8]),
  ...each(['copysign', 'hypot', 'logaddexp'], (draw) => draw.pair(draw.chance(0.7) ? floats : ['int32', 'uint8'])),
  floorDivide: (draw) => (draw.chance(0.5) ? draw.whole(numbers, [-9, 9], positive) : draw.whole(floats, [-9, 9], [-5, -1])),
  clip: (draw) => {
    const x = draw.array(numbers, undefined, undefined, true);
    const limit = () =>
      draw.chance(0.2) ? null : draw.chance(0.4) ? draw.array([x.dataType], x.sizes) : Number(draw.element(x.dataType, [-2, 2]));
    return draw.chance(0.1) ? [x, limit()] : [x, limit(), limit()];
  },
  where: (draw) => {
    const [x, y] = draw.pair(numbers);
    const { sizes } = [x, y].find((given): given is { sizes: readonly number[] } => typeof given === 'object') ?? { sizes: [1] };
    return [draw.array(['uint8', 'int32'], draw.beside(sizes), [0, 1]), x, y];
  },
  astype: (draw) => [draw.array(numbers, undefined, [0, 100]), draw.pick(numbers)],
};

const reductions: Readonly<Record<string, Generator>> = {
  ...each(['sum', 'max', 'min', 'mean', 'logsumexp'], reduced(numbers)),
  prod: reduced(numbers, () => ({}), [-2, 2]),
  ...each(
    ['var', 'std'],
    reduced(numbers, (draw) => (draw.chance(0.4) ? { correction: draw.pick([0, 1, 0.5]) } : {})),
  ),
  norm: reduced(numbers, (draw) => (draw.chance(0.6) ? { ord: draw.pick([1, 2, 3, 0.5, Infinity, -Infinity]) } : {})),
  ...each(
    ['all', 'any', 'countNonzero'],
    reduced(numbers, () => ({}), [-1, 1]),
  ),
  ...each(['argmax', 'argmin'], (draw) => {
    const x = draw.array(numbers, undefined, undefined, true);
    return [x, { ...draw.along(x.sizes.length), ...(draw.chance(0.4) ? { keepDims: true } : {}) }];
  }),
};

/** Sizes of as many elements, sometimes with -1, sometimes of others. */
function otherSizes(draw: Draw, count: number): number[] {
  const sizes: number[] = [];
  for (let left = count; left > 1;) {
    const divisors = Array.from({ length: left }, (_, i) => i + 1).filter((size) => left % size === 0);
    const size = sizes.length >= 5 ? left : draw.pick(divisors);
    sizes.push(size);
    left /= size;
  }
  if (sizes.length === 0) sizes.push(1);
  if (draw.chance(0.4)) sizes[draw.int(0, sizes.length - 1)] = -1;
  if (draw.chance(0.06)) sizes[draw.int(0, sizes.length - 1)] = draw.pick([-1, 7, 0]);
  return sizes;
}

function order(draw: Draw, count: number): number[] {
  const axes = draw.random.distinct(count, count).map((axis) => (draw.chance(0.3) ? axis - count : axis));
  if (draw.chance(0.06)) axes[0] = draw.axis(count);
  return axes;
}

/** The part of a dimension. */
function part(draw: Draw, size: number): unknown {
  const index = () => draw.int(-size - 1, size + 1);
  if (draw.chance(0.25)) return null;
  if (draw.chance(0.4)) return draw.axis(size);
  const ends = [draw.chance(0.3) ? null : index(), draw.chance(0.3) ? null : index()];
  return draw.chance(0.5) ? ends : [...ends, draw.pick([1, 2, -1, -2, null])];
}

function parts(draw: Draw, sizes: readonly number[]): readonly unknown[] {
  const made = sizes.map((size) => part(draw, size));
  if (draw.chance(0.03)) return [...made, 0];
  if (draw.chance(0.3)) {
    const from = draw.int(0, made.length);
    return made.toSpliced(from, draw.int(0, made.length - from), '...');
  }
  return made.slice(0, draw.int(1, made.length));
}

/** Arrays of equal sizes but for one axis, along which they are joined. */
function joined(draw: Draw, isStacked: boolean): readonly unknown[] {
  const sizes = draw.sizes();
  const axis = draw.axis(sizes.length + Number(isStacked));
  const place = axis < 0 ? axis + sizes.length : axis;
  const isAlike = draw.chance(0.6);
  const type = [draw.pick(all)];
  const arrays = Array.from({ length: draw.int(1, 3) }, () => {
    const own = isStacked ? sizes : sizes.map((size, i) => (i === place ? draw.int(1, 3) : size));
    return draw.array(isAlike ? type : numbers, draw.chance(0.03) ? draw.sizes() : own);
  });
  return [arrays, axis === 0 ? {} : { axis }];
}

const shapes: Readonly<Record<string, Generator>> = {
  reshape: (draw) => {
    const x = draw.array(all);
    return [x, otherSizes(draw, x.data.length)];
  },
  permuteDims: (draw) => {
    const x = draw.array(all);
    return [x, order(draw, x.sizes.length)];
  },
  matrixTranspose: (draw) => [draw.array(all, draw.sizes(draw.chance(0.1) ? 1 : 2))],
  moveaxis: (draw) => {
    const x = draw.array(all);
    const count = x.sizes.length;
    if (draw.chance(0.5)) return [x, draw.axis(count), draw.axis(count)];
    const moved = draw.int(1, count);
    return [x, order(draw, count).slice(0, moved), order(draw, count).slice(0, moved)];
  },
  expandDims: (draw) => {
    const x = draw.array(all);
    return [x, { axis: draw.axis(x.sizes.length + 1) }];
  },
  squeeze: (draw) => {
    const x = draw.array(
      all,
      draw.sizes().map((size) => (draw.chance(0.5) ? 1 : size)),
    );
    const single = [...x.sizes.keys()].filter((axis) => x.sizes[axis] === 1);
    if (single.length === 0 || draw.chance(0.3)) return [x];
    return [x, { axis: draw.chance(0.1) ? draw.axis(x.sizes.length) : draw.pick(single) }];
  },
  broadcastTo: (draw) => {
    const sizes = draw.sizes(1, 5);
    return [draw.array(all, draw.beside(sizes)), sizes];
  },
  concat: (draw) => joined(draw, false),
  stack: (draw) => joined(draw, true),
  flip: (draw) => {
    const x = draw.array(all);
    return draw.chance(0.3) ? [x] : [x, { axis: draw.chance(0.5) ? draw.axis(x.sizes.length) : draw.axes(x.sizes.length) }];
  },
  slice: (draw) => {
    const x = draw.array(all);
    return [x, ...parts(draw, x.sizes)];
  },
  setSlice: (draw) => {
    const x = draw.array(all);
    const own = parts(draw, x.sizes);
    return [x, draw.chance(0.5) ? draw.array([x.dataType], [1]) : draw.int(0, 9), ...own];
  },
};

const products: Readonly<Record<string, Generator>> = {
  matmul: (draw) => {
    const [rows, inner, columns] = [draw.int(1, 4), draw.int(1, 5), draw.int(1, 4)];
    const batch = draw.sizes(0, 2);
    const other = batch.length === 0 ? [] : draw.beside(batch);
    const x = draw.chance(0.2) ? [inner] : [...batch, rows, inner];
    const y = draw.chance(0.2) ? [inner] : [...other, draw.chance(0.05) ? inner + 1 : inner, columns];
    return draw.chance(0.5) ? [draw.array(floats, x), draw.array(floats, y)] : [draw.array(numbers, x), draw.array(numbers, y)];
  },
};

export const generators: Readonly<Record<string, Generator>> = {
  ...elements,
  ...reductions,
  ...shapes,
  ...products,
  ...moreGenerators,
  ...linalgGenerators,
  ...fftGenerators,
};

export const functionNames: readonly string[] = Object.keys(generators);

/** The case of a function with this number. */
export function drawCase(name: string, seed: number, number: number): ArrayCase {
  const generator = generators[name];
  if (generator === undefined) throw new Error(`no cases of ${name}`);
  return { name, args: generator(new Draw(Random.of('arrays', name, seed, number))) };
}

/** The arguments, of two arrays with one element, of functions that promote data types. */
const promoting: Readonly<Record<string, (x: ArrayOf, y: ArrayOf) => readonly unknown[]>> = {
  ...Object.fromEntries(
    ['add', 'subtract', 'multiply', 'divide', 'floorDivide', 'remainder', 'pow', 'maximum', 'minimum', 'atan2']
      .concat(['hypot', 'copysign', 'logaddexp', 'equal', 'notEqual', 'less', 'lessEqual', 'greater', 'greaterEqual'])
      .concat(['logicalAnd', 'logicalOr', 'logicalXor', 'outer', 'vecdot', 'matmul'])
      .map((name) => [name, (x: ArrayOf, y: ArrayOf) => [x, y]]),
  ),
  where: (x, y) => [{ dataType: 'uint8', sizes: [1], data: [1] }, x, y],
  concat: (x, y) => [[x, y]],
  stack: (x, y) => [[x, y]],
  tensordot: (x, y) => [x, y, { axes: 0 }],
  einsum: (x, y) => ['i,i->i', x, y],
};

/** The function with each two data types: the whole table of promotions. */
export function promotions(name: string): readonly ArrayCase[] {
  const argsOf = promoting[name];
  if (argsOf === undefined) return [];
  const types = [...new Set(numbers)];
  const of = (dataType: DataType): ArrayOf => ({ dataType, sizes: [1], data: [dataType.endsWith('64') ? 1n : 1] });
  return types.flatMap((a) => types.map((b) => ({ name, args: argsOf(of(a), of(b)) })));
}
