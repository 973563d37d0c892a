/** Draws shapes, and operands that are inputs, constants or views of either. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../harness/random.js';
import { sizeOf, type Shape } from '../plain-tensor.js';
import type { Argument, ArgumentOptions, CaseOperand, View } from '../webnn-case.js';
import { drawElements, type Elements } from './numbers.js';

const maxRank = 8;
const maxElements = 256;

/** Draws a shape with a rank in the range. Many dimensions are 1, and few shapes are large. */
export function drawShape(random: Random, lowRank = 0, highRank = maxRank, elements = maxElements): Shape {
  const rank = random.int(lowRank, highRank);
  const shape: number[] = [];
  let rest = random.chance(0.2) ? elements : Math.min(elements, 64);
  for (let axis = 0; axis < rank; axis++) {
    const size = random.chance(0.25) ? 1 : random.pick([1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 16]);
    const fits = Math.max(1, Math.min(size, rest));
    shape.push(fits);
    rest = Math.floor(rest / fits);
  }
  // Shuffles the dimensions, because the first ones drawn tend to be the largest.
  return random.distinct(rank, rank).map((axis) => shape[axis] ?? 1);
}

/** A shape, and one of its dimensions. */
export function drawAxis(random: Random, elements = maxElements): readonly [shape: Shape, axis: number] {
  const shape = drawShape(random, 1, maxRank, elements);
  return [shape, random.int(0, shape.length - 1)];
}

/** An option; if it has its default value, it is left out in half of the cases. */
export function withDefault(random: Random, name: string, value: Argument, usual: Argument): ArgumentOptions {
  return value === usual && random.chance(0.5) ? {} : { [name]: value };
}

/** Two shapes that broadcast to each other: some dimensions are 1, and leading dimensions may be missing. */
export function drawBroadcast(random: Random, lowRank = 0, highRank = maxRank): readonly [Shape, Shape] {
  const shape = drawShape(random, lowRank, highRank);
  const part = () => {
    const kept = random.int(lowRank, shape.length);
    return shape.slice(shape.length - kept).map((size) => (random.chance(0.35) ? 1 : size));
  };
  const [whole, other] = random.chance(0.3) ? [part(), part()] : [shape, part()];
  return random.chance(0.5) ? [whole, other] : [other, whole];
}

/** Layouts whose names have two parts, such as a further data type and a kind of shape. */
export function layoutsOf(names: readonly string[], kinds: readonly string[]): readonly string[] {
  return names.flatMap((name) => kinds.map((kind) => `${name} ${kind}`.trim()));
}

/** The random source, the data type and the layout from which a case is drawn. */
export class Drawing implements Elements {
  constructor(
    readonly random: Random,
    readonly dataType: MLOperandDataType,
    /** One of the operator's layouts. */
    readonly layout: string,
  ) {}

  /** True if the layout says that operands are views. 4-bit operands have no views. */
  get hasViews(): boolean {
    return this.layout.endsWith('views') && !this.dataType.endsWith('int4');
  }

  /** Returns the name that occurs as a word in the layout. */
  named<Name extends string>(names: readonly Name[]): Name {
    const words = this.layout.split(' ');
    const name = names.find((other) => words.includes(other));
    if (name === undefined) throw new RangeError(`${this.layout} names none of ${names.join()}`);
    return name;
  }

  /** The same for operands of another data type. */
  of(dataType: MLOperandDataType): Drawing {
    return new Drawing(this.random, dataType, this.layout);
  }

  /** Draws an operand of this shape. With views, one to three steps of reshape, transpose and expand produce the shape. */
  operand(shape: Shape, element = drawElements(this), hasViews = this.hasViews): CaseOperand {
    const { random, dataType } = this;
    const kind = random.chance(0.3) ? 'constant' : 'input';
    const views: View[] = [];
    let own = shape;
    for (let count = hasViews ? random.int(1, 3) : 0; count > 0; count--) {
      const [view, before] = drawView(random, own);
      views.unshift(view);
      own = before;
    }
    const data = Array.from({ length: sizeOf(own) }, element);
    return { kind, dataType, shape: own, data, ...(views.length === 0 ? {} : { views }) };
  }
}

/** A view that results in this shape, and the shape to which it is applied. */
function drawView(random: Random, shape: Shape): readonly [View, Shape] {
  const kind = random.pick(['reshape', 'transpose', 'expand'] as const);
  if (kind === 'transpose' && shape.length > 0) {
    const transpose = random.distinct(shape.length, shape.length);
    return [{ transpose }, shape.map((_, axis) => shape[transpose.indexOf(axis)] ?? 1)];
  }
  if (kind === 'expand') {
    const kept = shape.map((size) => (random.chance(0.5) ? size : 1));
    const dropped = kept.findIndex((size) => size !== 1);
    const leading = dropped === -1 ? kept.length : dropped;
    return [{ expand: shape }, kept.slice(random.chance(0.5) ? random.int(0, leading) : 0)];
  }
  return [{ reshape: shape }, otherShape(random, shape)];
}

/** A shape with the same number of elements. */
export function otherShape(random: Random, shape: Shape): Shape {
  const count = sizeOf(shape);
  if (random.chance(0.3)) return [count];
  const sizes: number[] = [];
  let rest = count;
  while (rest > 1 && sizes.length < 5) {
    const divisors = [2, 3, 4, 5, 6, 7, 8].filter((divisor) => rest % divisor === 0);
    const size = divisors.length === 0 ? rest : random.pick(divisors);
    sizes.push(size);
    rest /= size;
  }
  if (rest > 1) sizes.push(rest);
  if (random.chance(0.4)) sizes.splice(random.int(0, sizes.length), 0, 1);
  return sizes;
}
