/**
 * Graphs of the patterns that `optimize: 'fast'` makes one operator of, and of others that are nearly such a pattern: with other
 * axes, numbers, data types, layouts, and readers of what is inside.
 */
import type { OperatorType } from 'node-directml';
import { packedStrides } from '#lib/tensors/tensor-size.js';
import { numberOf, SPECIALS } from '../cases/element-values.js';
import { fillTensor } from '../cases/layout.js';
import { Random } from '../harness/random.js';
import { computed } from './draw-case.js';
import type { GraphCase } from './graph-case.js';
import { GraphWriter, type Source } from './graph-writer.js';
import type { LooseTensor } from '../descriptors/candidate.js';
import { addOutputs } from './random-graph.js';

const activations: readonly OperatorType[] = [
  ...(['activationRelu', 'activationTanh', 'activationSigmoid', 'activationLeakyRelu', 'activationElu'] as const),
  ...(['activationHardSigmoid', 'activationSoftplus', 'activationScaledTanh', 'activationSoftmax1'] as const),
];
const functions: readonly OperatorType[] = [
  ...(['elementWiseAbs', 'elementWiseExp', 'elementWiseTanh', 'elementWiseSin', 'elementWiseErf'] as const),
  ...(['elementWiseCos', 'elementWiseClip', 'elementWiseConstantPow'] as const),
];

/** A graph of one pattern, or nearly. It depends only on the seed and its number. */
export function fastGraph(seed: number, index: number): GraphCase {
  const random = Random.of(seed, 'fast', index);
  const writer = new GraphWriter(random, 40, computed);
  const pattern = new Pattern(writer);
  [layerNormalization, gelu, swish, affine, product, convolution][index % 6]?.(pattern);
  addOutputs(writer);
  return { graph: writer.graph, data: writer.data, optimize: 'fast' };
}

class Pattern {
  readonly random: Random;
  readonly dataType: 'float32' | 'float16';
  /** Whether NaN and infinities are drawn: not before activations, of which some that are fused pass on NaN. */
  readonly hasSpecials: boolean;
  readonly #changed: number;
  #asked = 0;

  constructor(readonly writer: GraphWriter) {
    this.random = writer.random;
    this.dataType = this.random.chance(0.8) ? 'float32' : 'float16';
    this.hasSpecials = this.random.chance(0.25);
    this.#changed = this.random.chance(0.4) ? this.random.int(0, 5) : -1;
  }

  /** True once, in some patterns: for a change that makes a pattern another one. */
  get isNear(): boolean {
    return this.#asked++ === this.#changed;
  }

  sizes(rank = this.random.int(1, 4)): number[] {
    return Array.from({ length: rank }, () => this.random.int(1, 6));
  }

  leaf(sizes: readonly number[], isConstant?: boolean): Source {
    const tensor: LooseTensor = { dataType: this.dataType, sizes: [...sizes] };
    const scale = this.random.pick([0.1, 1.3, 2, 7]);
    const special = this.hasSpecials && this.random.chance(0.3);
    const element = () =>
      special && this.random.chance(0.1) ? this.random.pick(SPECIALS) : (2 * this.random.fraction() - 1) * scale;
    const bytes = fillTensor(this.random, tensor, () => numberOf(this.dataType, element()));
    return this.writer.leaf(tensor, bytes, isConstant);
  }

  /** An input, sometimes with dimensions in another order in memory. */
  input(sizes: readonly number[]): { readonly source: Source; readonly strides: readonly number[] | null } {
    if (!this.random.chance(0.2)) return { source: this.leaf(sizes), strides: null };
    const order = this.random.distinct(sizes.length, sizes.length);
    const packed = packedStrides(order.map((axis) => sizes[axis] ?? 1));
    return { source: this.leaf(sizes), strides: sizes.map((_, axis) => packed[order.indexOf(axis)] ?? 0) };
  }

  /** A number as a constant of one element, or rarely as an input. */
  number(value: number): Source {
    const tensor: LooseTensor = { dataType: this.dataType, sizes: [1] };
    return this.writer.leaf(
      tensor,
      fillTensor(this.random, tensor, () => numberOf(this.dataType, value)),
      !this.random.chance(0.05),
    );
  }

  /** The operator of two operands, which broadcast, in either order if that does not matter. */
  binary(type: OperatorType, a: Source, b: Source, sizes = largest(a, b)): Source {
    const operands = [this.repeated(a, sizes), this.repeated(b, sizes)];
    const isOrdered = type === 'elementWiseSubtract' || type === 'elementWiseDivide';
    const [aTensor, bTensor] = isOrdered || this.random.chance(0.5) ? operands : operands.toReversed();
    return this.writer.one({ type, aTensor, bTensor, outputTensor: { dataType: this.dataType, sizes } });
  }

  unary(type: OperatorType, source: Source, fields: object = {}): Source {
    const { sizes } = source.tensor;
    const outputTensor = { dataType: this.dataType, sizes };
    return this.writer.one({ type, inputTensor: this.writer.read(source), outputTensor, ...fields });
  }

  average(source: Source, axes: readonly number[]): Source {
    const { sizes } = source.tensor;
    const outputTensor = { dataType: this.dataType, sizes: sizes.map((size, axis) => (axes.includes(axis) ? 1 : size)) };
    const kind = this.isNear ? this.random.pick(['sum', 'max'] as const) : 'average';
    return this.writer.one({
      type: 'reduce',
      inputTensor: this.writer.read(source),
      outputTensor,
      function: kind,
      axes: [...axes],
    });
  }

  /** A value with the sizes: the last dimensions of both are the same ones. */
  repeated(source: Source, sizes: readonly number[]) {
    const { sizes: own, strides } = source.tensor;
    const steps = strides ?? packedStrides(own);
    const skipped = sizes.length - own.length;
    const repeated = sizes.map((size, axis) => {
      const at = axis - skipped;
      return at < 0 || ((own[at] ?? 1) === 1 && size !== 1) ? 0 : (steps[at] ?? 0);
    });
    return this.writer.read(source, { sizes: [...sizes], strides: repeated });
  }

  activated(source: Source): Source {
    if (this.hasSpecials || this.random.chance(0.3)) return source;
    const type = this.random.pick(activations);
    return this.unary(type, source, type === 'activationSoftmax1' ? { axes: [source.tensor.sizes.length - 1] } : {});
  }
}

function largest(a: Source, b: Source): number[] {
  const [x, y] = [a.tensor.sizes, b.tensor.sizes];
  const rank = Math.max(x.length, y.length);
  return Array.from({ length: rank }, (_, i) => Math.max(x[i - rank + x.length] ?? 1, y[i - rank + y.length] ?? 1));
}

/** The value as it is written, packed. */
function packedInput(pattern: Pattern, sizes: readonly number[]): Source {
  const { source, strides } = pattern.input(sizes);
  if (strides === null) return source;
  const inputTensor = pattern.writer.read(source, { sizes: [...sizes], strides: [...strides] });
  const outputTensor = { dataType: pattern.dataType, sizes: [...sizes] };
  return pattern.writer.one({ type: 'activationRelu', inputTensor, outputTensor });
}

function layerNormalization(pattern: Pattern): void {
  const { random } = pattern;
  const sizes = pattern.sizes();
  const x = packedInput(pattern, sizes);
  const axes = random.distinct(random.int(1, sizes.length), sizes.length).sort((a, b) => a - b);
  const distance = pattern.binary('elementWiseSubtract', x, pattern.average(x, axes));
  const square = random.chance(0.5)
    ? pattern.unary('elementWiseConstantPow', distance, { exponent: pattern.isNear ? 3 : 2 })
    : pattern.binary('elementWiseMultiply', distance, pattern.isNear ? x : distance);
  const others = pattern.isNear ? axes.slice(1) : axes;
  const variance = pattern.average(square, others.length === 0 ? axes : others);
  const epsilon = () => pattern.number(random.pick([1e-3, 0.013, 0.4]));
  const root = pattern.unary(
    'elementWiseSqrt',
    pattern.isNear ? variance : pattern.binary('elementWiseAdd', variance, epsilon()),
  );
  let y = pattern.binary('elementWiseDivide', distance, root);
  const parameter = () => pattern.leaf(random.chance(0.8) ? sizes.slice(random.int(0, sizes.length - 1)) : sizes);
  if (random.chance(0.7)) y = pattern.binary('elementWiseMultiply', y, parameter());
  if (random.chance(0.7)) y = pattern.binary('elementWiseAdd', y, parameter());
  pattern.activated(y);
}

function gelu(pattern: Pattern): void {
  const { random } = pattern;
  const x = packedInput(pattern, pattern.sizes());
  const inside = random.chance(0.5)
    ? pattern.binary('elementWiseDivide', x, pattern.number(Math.SQRT2))
    : pattern.binary('elementWiseMultiply', x, pattern.number(pattern.isNear ? 0.7 : Math.SQRT1_2));
  const error = pattern.unary('elementWiseErf', inside);
  const sum = pattern.binary('elementWiseAdd', error, pattern.number(pattern.isNear ? 1.5 : 1));
  const half = pattern.number(pattern.isNear ? 0.51 : 0.5);
  const factors = [x, sum, half];
  const order = random.distinct(3, 3).map((i) => factors[i] ?? x);
  const [a = x, b = x, c = x] = order;
  pattern.binary('elementWiseMultiply', pattern.binary('elementWiseMultiply', a, b, x.tensor.sizes), c, x.tensor.sizes);
}

function swish(pattern: Pattern): void {
  const { random } = pattern;
  const x = packedInput(pattern, pattern.sizes());
  const scaled = random.chance(0.5) ? x : pattern.binary('elementWiseMultiply', x, pattern.number(random.pick([1.702, -0.3])));
  const inside = pattern.isNear ? pattern.binary('elementWiseAdd', scaled, pattern.number(0.25)) : scaled;
  pattern.binary('elementWiseMultiply', x, pattern.unary('activationSigmoid', inside));
}

/** Factors and addends before a function of each element. */
function affine(pattern: Pattern): void {
  const { random } = pattern;
  let x = packedInput(pattern, pattern.sizes());
  const { sizes } = x.tensor;
  const steps = ['elementWiseAdd', 'elementWiseMultiply', 'elementWiseSubtract', 'elementWiseDivide'] as const;
  for (let step = random.int(1, 4); step > 0; step--) {
    const type = random.pick(steps);
    const number = pattern.number(random.pick([0.37, -1.6, 2.2, 3]));
    const isFirst = pattern.isNear;
    x = pattern.binary(type, isFirst ? number : x, isFirst ? x : number, sizes);
    if (pattern.isNear) x = pattern.unary('elementWiseIdentity', x, { scaleBias: { scale: 1.5, bias: -0.25 } });
  }
  if (random.chance(0.8)) {
    const type = random.pick(functions);
    const fields = { elementWiseConstantPow: { exponent: 2 }, elementWiseClip: { min: -1, max: 1.5 } };
    x = pattern.unary(type, x, Object.entries(fields).find(([name]) => name === type)?.[1] ?? {});
  }
  pattern.activated(x);
}

/** A matrix product, an addend, and an activation. */
function product(pattern: Pattern): void {
  const { random, writer, dataType } = pattern;
  const [batch, rows, inner, columns] = [random.int(1, 3), random.int(1, 6), random.int(1, 6), random.int(1, 6)];
  const sizes = [1, batch, rows, columns];
  const aTensor = writer.read(packedInput(pattern, [1, batch, rows, inner]));
  const bTensor = writer.read(pattern.leaf([1, batch, inner, columns]));
  const cTensor = pattern.isNear ? writer.read(pattern.leaf(sizes)) : undefined;
  const gemm = { type: 'gemm', aTensor, bTensor, outputTensor: { dataType, sizes }, alpha: random.pick([1, 1, 0.7]) } as const;
  let y = writer.one(cTensor === undefined ? gemm : { ...gemm, cTensor, beta: 1 });
  const addend = random.pick([sizes, [rows, columns], [columns], [rows, 1], [1], [1, batch, 1, 1]]);
  if (random.chance(0.8)) y = pattern.binary('elementWiseAdd', y, pattern.leaf(addend), sizes);
  pattern.activated(y);
}

/** A convolution, batch normalization, an addend for each channel or another image, and an activation. */
function convolution(pattern: Pattern): void {
  const { random, writer, dataType } = pattern;
  const [channels, filters, size, kernel] = [random.int(1, 4), random.int(1, 5), random.int(3, 6), random.int(1, 3)];
  const side = size - kernel + 1;
  const sizes = [random.int(1, 2), filters, side, side];
  const inputTensor = writer.read(packedInput(pattern, [sizes[0] ?? 1, channels, size, size]));
  const isConstant = random.chance(0.8);
  const filterTensor = writer.read(pattern.leaf([filters, channels, kernel, kernel], isConstant));
  const window = { strides: [1, 1], dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0], outputPadding: [0, 0] };
  const biasTensor = random.chance(0.4) ? writer.read(pattern.leaf([1, filters, 1, 1], isConstant)) : undefined;
  const node = { type: 'convolution', inputTensor, filterTensor, outputTensor: { dataType, sizes }, ...window } as const;
  let y = writer.one(biasTensor === undefined ? node : { ...node, biasTensor });
  if (random.chance(0.5)) {
    const parameter = (name: string) => [name, writer.read(pattern.leaf([1, pattern.isNear ? 1 : filters, 1, 1], isConstant))];
    const variance = fillTensor(random, { dataType, sizes: [1, filters, 1, 1] }, () =>
      numberOf(dataType, 0.1 + random.fraction()),
    );
    const varianceTensor = writer.read(writer.leaf({ dataType, sizes: [1, filters, 1, 1] }, variance, isConstant));
    const parameters = Object.fromEntries(['meanTensor', 'scaleTensor', 'biasTensor'].map(parameter));
    y = pattern.unary('batchNormalization', y, { ...parameters, varianceTensor, spatial: true, epsilon: 0.01 });
  }
  const addend = random.pick([sizes, [filters, 1, 1], [1, 1, 1], [side]]);
  if (random.chance(0.5)) y = pattern.binary('elementWiseAdd', y, pattern.leaf(addend), sizes);
  pattern.activated(y);
}
