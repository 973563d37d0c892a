/** Cases of convolutions and poolings. */
import type { MLConv2dOptions, MLPool2dOptions } from 'node-directml/webnn';
import type { Random } from '../../harness/random.js';
import { roundTo } from '../elements.js';
import { placesOf, seen, transposedSize, type Axis } from '../formulas/window.js';
import { ulp, type CheckedOperator, type CheckedOperators, type Plain, type ShapedCase } from '../operator.js';
import type { Shape } from '../plain-tensor.js';
import { caseOf, caseWithOptions, type ArgumentOptions, type DrawnCase } from '../webnn-case.js';
import { drawElements, drawFactors, type Draw, type Elements } from './numbers.js';
import { layoutsOf, type Drawing } from './operands.js';

const inputLayouts = ['nchw', 'nhwc'] as const;

type Axes = readonly [Axis, Axis];

export const windows = {
  conv2d: convolution(['oihw', 'hwio', 'ohwi', 'ihwo'], (drawing) => {
    const isOfItself = drawing.layout === 'nchw oihw' && drawing.random.chance(0.1);
    return isOfItself ? drawOfItself(drawing) : drawConvolution(drawing, false);
  }),
  convTranspose2d: convolution(['iohw', 'hwoi', 'ohwi'], (drawing) => drawConvolution(drawing, true)),
  averagePool2d: pooling(drawFactors),
  l2Pool2d: pooling(largeFactors),
  maxPool2d: { ...pooling(comparable), tolerance: ulp(0) },
} satisfies Partial<CheckedOperators>;

function convolution(filterLayouts: readonly string[], draw: CheckedOperator['draw']): CheckedOperator {
  return {
    layouts: layoutsOf(inputLayouts, filterLayouts),
    draw,
    tolerance: ulp((test) => 2 * productsOf(test)),
  };
}

/** Draws a window that fits at least once. It is often as large as the image, or larger and reaching into the padding. */
function drawAxis(random: Random): Axis {
  const dilation = random.pick([1, 1, 1, 2, 3]);
  const stride = random.pick([1, 1, 2, 3]);
  const [begin, end] = random.chance(0.5) ? [0, 0] : [random.int(0, 3), random.int(0, 3)];
  const drawn = random.int(1, 7);
  const window = random.chance(0.2) ? drawn : random.pick([1, 2, 2, 3, 3, 4]);
  const size = Math.max(drawn, (window - 1) * dilation + 1 - begin - end, 1);
  return { size, window, stride, dilation, begin, end };
}

/** Options with their default value are often left out. */
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

function drawConvolution(drawing: Drawing, isTransposed: boolean): DrawnCase {
  const { random } = drawing;
  const [inputLayout = '', filterLayout = ''] = drawing.layout.split(' ');
  const axis = isTransposed ? drawTransposedAxis : drawAxis;
  const axes = [axis(random), axis(random)] as const;
  // One channel per group is a depthwise convolution.
  const groups = random.pick([1, 1, 2, 3]);
  const [inputs, outputs] = [random.int(1, 3), random.int(1, 3)];
  const [inputChannels, outputChannels] = [groups * inputs, groups * outputs];
  const [h, w] = [axes[0].window, axes[1].window];
  const sizes = isTransposed ? { i: inputChannels, o: outputs, h, w } : { o: outputChannels, i: inputs, h, w };
  const inputShape = imageShape(random.int(1, 2), inputChannels, axes, inputLayout);
  const options = { ...windowOptions(random, axes), ...(isTransposed ? outputOptions(random, axes) : {}) };
  const draw = (shape: Shape, hasSpecials = true) =>
    drawing.operand(shape, drawFactors(drawing, hasSpecials), random.chance(0.15));
  const input = draw(inputShape);
  // No special values in filters: it is open whether an infinite filter element makes NaN of the padding's zeros.
  const filter = draw(shapeOf(sizes, filterLayout), false);
  const optional = random.chance(0.5) ? { bias: draw([outputChannels]) } : {};
  return caseWithOptions({ input, filter }, optional, { ...options, inputLayout, filterLayout, groups });
}

/** The padding removes elements of the result, but never all. */
function drawTransposedAxis(random: Random): Axis {
  const axis = { ...drawAxis(random), size: random.int(1, 5) };
  const whole = transposedSize({ ...axis, begin: 0, end: 0 });
  const begin = Math.min(axis.begin, whole - 1);
  return { ...axis, begin, end: Math.min(axis.end, whole - 1 - begin) };
}

/** No option, or one of the two that determine the output size of a transposed convolution. */
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

/** A convolution of an image with itself: the same operand is input and filter. */
function drawOfItself(drawing: Drawing): DrawnCase {
  const { random } = drawing;
  const channels = random.int(1, 2);
  const input = drawing.operand([channels, channels, random.int(1, 4), random.int(1, 4)], drawFactors(drawing, false));
  const options = { padding: [1, 0, 2, 1], inputLayout: 'nchw', filterLayout: 'oihw' };
  return caseOf({ input }, { operand: 'input' }, options);
}

/** Height × width × input channels of a group, as in the web platform tests. */
function productsOf({ operands, args, test }: ShapedCase): number {
  const { inputLayout = 'nchw', filterLayout = '', groups = 1 } = { ...(args[2] as Plain<MLConv2dOptions>) };
  const channels = operands['input']?.shape[inputLayout.indexOf('c')] ?? 1;
  const filter = (operands['filter'] ?? operands['input'])?.shape ?? [];
  const [height = 1, width = 1] = ['h', 'w'].map((letter) => filter[filterLayout.indexOf(letter)]);
  if (test.operator === 'conv2d' && channels % groups !== 0) throw new RangeError('the groups divide the channels');
  return (height * width * channels) / groups;
}

function pooling(elements: (elements: Elements) => Draw): CheckedOperator {
  return {
    layouts: layoutsOf(inputLayouts, ['floor', 'ceil', 'output sizes', 'global']),
    draw: (drawing) => drawPooling(drawing, elements(drawing)),
    tolerance: ulp((test) => windowOf(test) + 2),
  };
}

function drawPooling(drawing: Drawing, elements: Draw): DrawnCase {
  const { random } = drawing;
  const layout = drawing.named(inputLayouts);
  const kind = drawing.layout.slice(layout.length + 1);
  const axes = [drawPoolAxis(random, kind), drawPoolAxis(random, kind)] as const;
  const shape = imageShape(random.int(1, 2), random.int(1, 3), axes, layout);
  const windowDimensions = kind === 'global' ? undefined : axes.map(({ window }) => window);
  const options = { ...windowOptions(random, axes), windowDimensions, layout, ...roundingOf(random, kind) };
  const input = drawing.operand(shape, elements, random.chance(0.15));
  if (kind !== 'output sizes') return caseOf({ input }, options);
  // Both output sizes must be rounded in the same direction.
  const rounding = random.pick(['floor', 'ceil'] as const);
  return caseOf({ input }, { ...options, outputSizes: axes.map((axis) => placesOf(axis, rounding)) });
}

function roundingOf(random: Random, kind: string): ArgumentOptions {
  if (kind === 'ceil') return { outputShapeRounding: 'ceil' };
  if (!random.chance(0.5)) return {};
  return { outputShapeRounding: kind === 'output sizes' ? random.pick(['floor', 'ceil']) : 'floor' };
}

/** Draws an axis on which no window lies wholly in the padding, because the result of such a window is open. */
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

/** Draws factors. Some float16 tensors have elements from 100 to 300, whose squares overflow float16. */
function largeFactors(elements: Elements): Draw {
  const { random, dataType } = elements;
  const usual = drawFactors(elements);
  if (dataType !== 'float16' || random.chance(0.6)) return usual;
  return () => roundTo('float16', 100 + 200 * random.fraction());
}

/** Draws elements that have an order: no NaN, and no -Infinity. */
function comparable(elements: Elements): Draw {
  const draw = drawElements(elements);
  return () => {
    for (;;) {
      const element = draw();
      if (!Number.isNaN(element) && element !== -Infinity) return element;
    }
  };
}
