/** Cases of convolutions and poolings. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import * as formulas from '../formulas/window.js';
import { isFloatType, roundTo } from '../elements.js';
import { ulp, type CheckedOperator, type CheckedOperators, type ShapedCase } from '../operator.js';
import type { PlainTensor, Shape } from '../plain-tensor.js';
import { caseOf, type ArgumentOptions, type CaseOperand, type WebnnCase } from '../webnn-case.js';
import { drawElements, drawFactors, type Draw } from './numbers.js';
import { drawOperand } from './operands.js';

const inputLayouts = ['nchw', 'nhwc'] as const;
const filterLayouts = ['oihw', 'hwio', 'ohwi', 'ihwo'] as const;
const transposedFilterLayouts = ['iohw', 'hwoi', 'ohwi'] as const;

const poolLayouts = ['floor', 'ceil', 'output sizes', 'global'];

type PoolName = 'averagePool2d' | 'l2Pool2d' | 'maxPool2d';

export const windows: CheckedOperators<PoolName | 'conv2d' | 'convTranspose2d'> = {
  conv2d: {
    layouts: inputLayouts.flatMap((input) => filterLayouts.map((filter) => `${input} ${filter}`)),
    draw: drawConvolution,
    formula: formulas.conv2d,
    tolerance: ulp((test) => 2 * productsOf(test)),
  },
  convTranspose2d: {
    layouts: inputLayouts.flatMap((input) => transposedFilterLayouts.map((filter) => `${input} ${filter}`)),
    draw: drawTransposed,
    formula: formulas.convTranspose2d,
    tolerance: ulp((test) => 2 * productsOf(test)),
  },
  averagePool2d: pooling('averagePool2d', drawFactors),
  l2Pool2d: pooling('l2Pool2d', largeFactors),
  maxPool2d: pooling('maxPool2d', comparable),
};

/** One dimension of an image and what moves along it. */
interface Axis {
  readonly size: number;
  readonly window: number;
  readonly stride: number;
  readonly dilation: number;
  readonly begin: number;
  readonly end: number;
}

/** A window that fits at least once. It is often as large as the image, or larger and reaches into the padding. */
function drawAxis(random: Random): Axis {
  const dilation = random.pick([1, 1, 1, 2, 3]);
  const stride = random.pick([1, 1, 2, 3]);
  const [begin, end] = random.chance(0.5) ? [0, 0] : [random.int(0, 3), random.int(0, 3)];
  const drawn = random.int(1, 7);
  const window = random.chance(0.2) ? drawn : random.pick([1, 2, 2, 3, 3, 4]);
  const size = Math.max(drawn, (window - 1) * dilation + 1 - begin - end, 1);
  return { size, window, stride, dilation, begin, end };
}

/** Members that have their default value are there or not. */
function windowOptions(random: Random, [y, x]: readonly [Axis, Axis]): ArgumentOptions {
  const given = (values: Shape, usual: number) => {
    return values.every((value) => value === usual) && random.chance(0.7) ? undefined : values;
  };
  return {
    padding: given([y.begin, y.end, x.begin, x.end], 0),
    strides: given([y.stride, x.stride], 1),
    dilations: given([y.dilation, x.dilation], 1),
  };
}

function drawConvolution(random: Random, dataType: MLOperandDataType, layout: string): WebnnCase {
  if (layout === 'nchw oihw' && random.chance(0.1)) return drawOfItself(random, dataType);
  const [inputLayout = '', filterLayout = ''] = layout.split(' ');
  const axes = [drawAxis(random), drawAxis(random)] as const;
  const groups = random.pick([1, 1, 2, 3]);
  // One channel per group is a depthwise convolution.
  const [inputs, outputs] = [random.int(1, 3), groups * random.int(1, 3)];
  const sizes = { n: random.int(1, 2), c: groups * inputs, h: axes[0].size, w: axes[1].size };
  const filter = { o: outputs, i: inputs, h: axes[0].window, w: axes[1].window };
  const shapes = inputShapes(sizes, filter, inputLayout, filterLayout);
  const options = { ...windowOptions(random, axes), inputLayout, filterLayout, groups };
  return convolution('conv2d', random, dataType, shapes, outputs, options);
}

function drawTransposed(random: Random, dataType: MLOperandDataType, layout: string): WebnnCase | null {
  const [inputLayout = '', filterLayout = ''] = layout.split(' ');
  const axes = [drawTransposedAxis(random), drawTransposedAxis(random)] as const;
  const groups = random.pick([1, 1, 2, 3]);
  const [inputs, outputs] = [groups * random.int(1, 3), random.int(1, 3)];
  const sizes = { n: random.int(1, 2), c: inputs, h: axes[0].size, w: axes[1].size };
  const filter = { i: inputs, o: outputs, h: axes[0].window, w: axes[1].window };
  const options = windowOptions(random, axes);
  const least = formulas.transposedSizes([axes[0].size, axes[1].size], [axes[0].window, axes[1].window], {
    ...{ padding: axes.flatMap(({ begin, end }) => [begin, end]), strides: axes.map(({ stride }) => stride) },
    dilations: axes.map(({ dilation }) => dilation),
  });
  const extra = axes.map(({ stride }) => random.int(0, stride - 1));
  const added = random.pick([
    {},
    { outputPadding: extra },
    { outputSizes: least.map((size, axis) => size + (extra[axis] ?? 0)) },
  ]);
  const shapes = inputShapes(sizes, filter, inputLayout, filterLayout);
  const all = { ...options, ...added, inputLayout, filterLayout, groups };
  return convolution('convTranspose2d', random, dataType, shapes, outputs * groups, all);
}

/** The padding takes elements of the result away, but not all. */
function drawTransposedAxis(random: Random): Axis {
  const axis = { ...drawAxis(random), size: random.int(1, 5) };
  const whole = (axis.size - 1) * axis.stride + (axis.window - 1) * axis.dilation + 1;
  const begin = Math.min(axis.begin, whole - 1);
  return { ...axis, begin, end: Math.min(axis.end, whole - 1 - begin) };
}

type Sizes = Readonly<Record<string, number>>;

function inputShapes(input: Sizes, filter: Sizes, inputLayout: string, filterLayout: string): readonly [Shape, Shape] {
  const shapeOf = (sizes: Sizes, layout: string) => Array.from(layout, (letter) => sizes[letter] ?? 1);
  return [shapeOf(input, inputLayout), shapeOf(filter, filterLayout)];
}

/** Filters are images, too: a convolution of an image by itself. */
function drawOfItself(random: Random, dataType: MLOperandDataType): WebnnCase {
  const channels = random.int(1, 2);
  const shape = [channels, channels, random.int(1, 4), random.int(1, 4)];
  const input = drawOperand(random, dataType, shape, drawFactors(random, dataType, false));
  const options = { padding: [1, 0, 2, 1], inputLayout: 'nchw', filterLayout: 'oihw' };
  return caseOf('conv2d', { input }, { operand: 'input' }, options);
}

function convolution(
  operator: 'conv2d' | 'convTranspose2d',
  random: Random,
  dataType: MLOperandDataType,
  [inputShape, filterShape]: readonly [Shape, Shape],
  channels: number,
  options: ArgumentOptions,
): WebnnCase {
  const draw = (shape: Shape, hasSpecials: boolean) => {
    return drawOperand(random, dataType, shape, drawFactors(random, dataType, hasSpecials), random.chance(0.15));
  };
  // What an infinite filter makes of the padding's zeros is open.
  const operands: Record<string, CaseOperand> = { input: draw(inputShape, true), filter: draw(filterShape, false) };
  if (random.chance(0.5)) operands['bias'] = draw([channels], true);
  const bias = operands['bias'] === undefined ? {} : { bias: { operand: 'bias' } };
  return { operator, operands, args: [{ operand: 'input' }, { operand: 'filter' }, { ...options, ...bias }] };
}

/** Height times width times input channels of a group, as in the tests. */
function productsOf({ operands, args, test }: ShapedCase): number {
  const { inputLayout = 'nchw', filterLayout = '', groups = 1 } = { ...(args[2] as formulas.Conv2dOptions) };
  const channels = operands['input']?.shape[inputLayout.indexOf('c')] ?? 1;
  const filter = (operands['filter'] ?? operands['input'])?.shape ?? [];
  const [height = 1, width = 1] = ['h', 'w'].map((letter) => filter[filterLayout.indexOf(letter)]);
  if (test.operator === 'conv2d' && channels % groups !== 0) throw new RangeError('the groups divide the channels');
  return (height * width * channels) / groups;
}

function pooling(operator: PoolName, elements: (random: Random, dataType: MLOperandDataType) => Draw): CheckedOperator {
  return {
    layouts: ['nchw', 'nhwc'].flatMap((layout) => poolLayouts.map((kind) => `${layout} ${kind}`)),
    draw: (random, dataType, layout) => drawPooling(operator, random, dataType, layout, elements(random, dataType)),
    formula: formulas[operator],
    tolerance: operator === 'maxPool2d' ? ulp(0) : ulp((test) => windowOf(test) + 2),
  };
}

function drawPooling(operator: PoolName, random: Random, dataType: MLOperandDataType, kind: string, elements: Draw): WebnnCase {
  const [layout = '', ...words] = kind.split(' ');
  const name = words.join(' ');
  const axes = drawPoolAxes(random, name);
  const [n, c] = [random.int(1, 2), random.int(1, 3)];
  const shape = Array.from(layout, (letter) => ({ n, c, h: axes[0].size, w: axes[1].size })[letter] ?? 1);
  const windowDimensions = name === 'global' ? undefined : axes.map(({ window }) => window);
  const options = { ...windowOptions(random, axes), windowDimensions, layout, ...roundingOf(random, name) };
  const input = drawOperand(random, dataType, shape, elements, random.chance(0.15));
  const sizes = name === 'output sizes' ? { outputSizes: bothRounded(random, axes) } : {};
  return caseOf(operator, { input }, { ...options, ...sizes });
}

/** Output sizes are rounded in one direction for both dimensions. */
function bothRounded(random: Random, axes: readonly [Axis, Axis]): Shape {
  const rounding = random.pick(['floor', 'ceil'] as const);
  return axes.map((axis) => placesOf(axis, rounding));
}

function roundingOf(random: Random, name: string): ArgumentOptions {
  if (name === 'ceil') return { outputShapeRounding: 'ceil' };
  if (name === 'output sizes') return random.chance(0.5) ? { outputShapeRounding: random.pick(['floor', 'ceil']) } : {};
  return random.chance(0.5) ? { outputShapeRounding: 'floor' } : {};
}

/** Axes no window of which is wholly in the padding: what such a window gives is open. */
function drawPoolAxes(random: Random, name: string): readonly [Axis, Axis] {
  const draw = (): Axis => {
    for (;;) {
      const drawn = drawAxis(random);
      const axis = name === 'global' ? { ...drawn, window: drawn.size, dilation: 1 } : drawn;
      const places = placesOf(axis, name === 'floor' ? 'floor' : 'ceil');
      const isSeen = Array.from({ length: places }, (_, i) => seesImage(axis, i * axis.stride - axis.begin));
      if (isSeen.every(Boolean)) return axis;
    }
  };
  return [draw(), draw()];
}

function seesImage({ size, window, dilation }: Axis, start: number): boolean {
  return Array.from({ length: window }, (_, i) => start + i * dilation).some((place) => place >= 0 && place < size);
}

function placesOf({ size, window, begin, end, stride, dilation }: Axis, rounding: 'floor' | 'ceil'): number {
  return Math[rounding](formulas.windowPlaces(size, window, begin, end, stride, dilation));
}

function windowOf({ operands, args }: ShapedCase): number {
  const { windowDimensions, layout = 'nchw' } = { ...(args[1] as formulas.Pool2dOptions) };
  const { shape = [] } = operands['input'] ?? ({} as Partial<PlainTensor>);
  const [height = 1, width = 1] = windowDimensions ?? ['h', 'w'].map((letter) => shape[layout.indexOf(letter)] ?? 1);
  return height * width;
}

/** Among them float16 whose squares overflow it. */
function largeFactors(random: Random, dataType: MLOperandDataType): Draw {
  const usual = drawFactors(random, dataType);
  if (dataType !== 'float16' || random.chance(0.6)) return usual;
  return () => roundTo('float16', 100 + 200 * random.fraction());
}

/** Elements of which there is a greatest one: no NaN, and in every window a float that is not -Infinity. */
function comparable(random: Random, dataType: MLOperandDataType): Draw {
  return isFloatType(dataType) ? finite(drawElements(random, dataType)) : drawElements(random, dataType);
}

function finite(draw: Draw): Draw {
  return () => {
    for (;;) {
      const element = draw();
      if (!Number.isNaN(element) && element !== -Infinity) return element;
    }
  };
}
