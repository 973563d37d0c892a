/** Cases of convolutions and poolings. */
import type { MLConv2dOptions, MLOperandDataType, MLPool2dOptions } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import { isFloatType, roundTo } from '../elements.js';
import { placesOf, seen, transposedSize, type Axis } from '../formulas/window.js';
import { ulp, type CheckedOperator, type CheckedOperators, type Plain, type ShapedCase } from '../operator.js';
import type { Shape } from '../plain-tensor.js';
import { caseOf, optionalOperands, type ArgumentOptions, type CaseOperand, type DrawnCase } from '../webnn-case.js';
import { drawElements, drawFactors, type Draw } from './numbers.js';
import { drawOperand } from './operands.js';

const inputLayouts = ['nchw', 'nhwc'];

type Axes = readonly [Axis, Axis];

export const windows = {
  conv2d: convolution(['oihw', 'hwio', 'ohwi', 'ihwo'], (random, dataType, layout) => {
    if (layout === 'nchw oihw' && random.chance(0.1)) return drawOfItself(random, dataType);
    return drawConvolution(random, dataType, layout, false);
  }),
  convTranspose2d: convolution(['iohw', 'hwoi', 'ohwi'], (random, dataType, layout) => {
    return drawConvolution(random, dataType, layout, true);
  }),
  averagePool2d: pooling(drawFactors),
  l2Pool2d: pooling(largeFactors),
  maxPool2d: { ...pooling(comparable), tolerance: ulp(0) },
} satisfies Partial<CheckedOperators>;

function convolution(filterLayouts: readonly string[], draw: CheckedOperator['draw']): CheckedOperator {
  return {
    layouts: inputLayouts.flatMap((input) => filterLayouts.map((filter) => `${input} ${filter}`)),
    draw,
    tolerance: ulp((test) => 2 * productsOf(test)),
  };
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
function windowOptions(random: Random, [y, x]: Axes): ArgumentOptions {
  const given = (values: Shape, usual: number) => {
    return values.every((value) => value === usual) && random.chance(0.7) ? undefined : values;
  };
  return {
    padding: given([y.begin, y.end, x.begin, x.end], 0),
    strides: given([y.stride, x.stride], 1),
    dilations: given([y.dilation, x.dilation], 1),
  };
}

function drawConvolution(random: Random, dataType: MLOperandDataType, layout: string, isTransposed: boolean): DrawnCase {
  const [inputLayout = '', filterLayout = ''] = layout.split(' ');
  const axis = isTransposed ? drawTransposedAxis : drawAxis;
  const axes = [axis(random), axis(random)] as const;
  // One channel per group is a depthwise convolution.
  const groups = random.pick([1, 1, 2, 3]);
  const [inputs, outputs] = [random.int(1, 3), random.int(1, 3)];
  const [inputChannels, outputChannels] = [groups * inputs, groups * outputs];
  const [h, w] = [axes[0].window, axes[1].window];
  const filter = isTransposed ? { i: inputChannels, o: outputs, h, w } : { o: outputChannels, i: inputs, h, w };
  const inputShape = imageShape(random.int(1, 2), inputChannels, axes, inputLayout);
  const options = { ...windowOptions(random, axes), ...(isTransposed ? outputOptions(random, axes) : {}) };
  const draw = (shape: Shape, hasSpecials: boolean) => {
    return drawOperand(random, dataType, shape, drawFactors(random, dataType, hasSpecials), random.chance(0.15));
  };
  // What an infinite filter makes of the padding's zeros is open.
  const operands: Record<string, CaseOperand> = {
    input: draw(inputShape, true),
    filter: draw(shapeOf(filter, filterLayout), false),
  };
  if (random.chance(0.5)) operands['bias'] = draw([outputChannels], true);
  const all = { ...options, inputLayout, filterLayout, groups, ...optionalOperands(operands, 'bias') };
  return { operands, args: [{ operand: 'input' }, { operand: 'filter' }, all] };
}

/** The padding takes elements of the result away, but not all. */
function drawTransposedAxis(random: Random): Axis {
  const axis = { ...drawAxis(random), size: random.int(1, 5) };
  const whole = transposedSize({ ...axis, begin: 0, end: 0 });
  const begin = Math.min(axis.begin, whole - 1);
  return { ...axis, begin, end: Math.min(axis.end, whole - 1 - begin) };
}

/** Nothing, or one of two ways to say the size of a transposed convolution's output. */
function outputOptions(random: Random, axes: Axes): ArgumentOptions {
  const outputPadding = axes.map(({ stride }) => random.int(0, stride - 1));
  const outputSizes = axes.map((axis, i) => transposedSize(axis) + (outputPadding[i] ?? 0));
  return random.pick<ArgumentOptions>([{}, { outputPadding }, { outputSizes }]);
}

function imageShape(n: number, c: number, [y, x]: Axes, layout: string): Shape {
  return shapeOf({ n, c, h: y.size, w: x.size }, layout);
}

function shapeOf(sizes: Readonly<Record<string, number>>, layout: string): Shape {
  return Array.from(layout, (letter) => sizes[letter] ?? 1);
}

/** Filters are images, too: a convolution of an image by itself. */
function drawOfItself(random: Random, dataType: MLOperandDataType): DrawnCase {
  const channels = random.int(1, 2);
  const shape = [channels, channels, random.int(1, 4), random.int(1, 4)];
  const input = drawOperand(random, dataType, shape, drawFactors(random, dataType, false));
  const options = { padding: [1, 0, 2, 1], inputLayout: 'nchw', filterLayout: 'oihw' };
  return caseOf({ input }, { operand: 'input' }, options);
}

/** Height times width times input channels of a group, as in the tests. */
function productsOf({ operands, args, test }: ShapedCase): number {
  const { inputLayout = 'nchw', filterLayout = '', groups = 1 } = { ...(args[2] as Plain<MLConv2dOptions>) };
  const channels = operands['input']?.shape[inputLayout.indexOf('c')] ?? 1;
  const filter = (operands['filter'] ?? operands['input'])?.shape ?? [];
  const [height = 1, width = 1] = ['h', 'w'].map((letter) => filter[filterLayout.indexOf(letter)]);
  if (test.operator === 'conv2d' && channels % groups !== 0) throw new RangeError('the groups divide the channels');
  return (height * width * channels) / groups;
}

function pooling(elements: (random: Random, dataType: MLOperandDataType) => Draw): CheckedOperator {
  return {
    layouts: inputLayouts.flatMap((layout) => ['floor', 'ceil', 'output sizes', 'global'].map((kind) => `${layout} ${kind}`)),
    draw: (random, dataType, kind) => drawPooling(random, dataType, kind, elements(random, dataType)),
    tolerance: ulp((test) => windowOf(test) + 2),
  };
}

function drawPooling(random: Random, dataType: MLOperandDataType, kind: string, elements: Draw): DrawnCase {
  const [layout = '', ...words] = kind.split(' ');
  const name = words.join(' ');
  const axes = [drawPoolAxis(random, name), drawPoolAxis(random, name)] as const;
  const shape = imageShape(random.int(1, 2), random.int(1, 3), axes, layout);
  const windowDimensions = name === 'global' ? undefined : axes.map(({ window }) => window);
  const options = { ...windowOptions(random, axes), windowDimensions, layout, ...roundingOf(random, name) };
  const input = drawOperand(random, dataType, shape, elements, random.chance(0.15));
  const sizes = name === 'output sizes' ? { outputSizes: bothRounded(random, axes) } : {};
  return caseOf({ input }, { ...options, ...sizes });
}

/** Output sizes are rounded in one direction for both dimensions. */
function bothRounded(random: Random, axes: Axes): Shape {
  const rounding = random.pick(['floor', 'ceil'] as const);
  return axes.map((axis) => placesOf(axis, rounding));
}

function roundingOf(random: Random, name: string): ArgumentOptions {
  if (name === 'ceil') return { outputShapeRounding: 'ceil' };
  if (name === 'output sizes') return random.chance(0.5) ? { outputShapeRounding: random.pick(['floor', 'ceil']) } : {};
  return random.chance(0.5) ? { outputShapeRounding: 'floor' } : {};
}

/** An axis no window of which is wholly in the padding: what such a window gives is open. */
function drawPoolAxis(random: Random, name: string): Axis {
  for (;;) {
    const drawn = drawAxis(random);
    const axis = name === 'global' ? { ...drawn, window: drawn.size, dilation: 1 } : drawn;
    const places = placesOf(axis, name === 'floor' ? 'floor' : 'ceil');
    if (Array.from({ length: places }, (_, place) => seen(axis, place)).every(({ length }) => length > 0)) return axis;
  }
}

function windowOf({ operands, args }: ShapedCase): number {
  const { windowDimensions, layout = 'nchw' } = { ...(args[1] as MLPool2dOptions) };
  const { shape = [] } = operands['input'] ?? {};
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
  const draw = drawElements(random, dataType);
  if (!isFloatType(dataType)) return draw;
  return () => {
    for (;;) {
      const element = draw();
      if (!Number.isNaN(element) && element !== -Infinity) return element;
    }
  };
}
