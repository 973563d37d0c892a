/** Puts chains of transpose, reshape and slice before the operands of any case, without changing what the operator gets. */
import type { Random } from '../../harness/random.js';
import { reshape, transpose } from '../formulas/movement.js';
import { at, makeTensor, type PlainTensor, type Shape } from '../plain-tensor.js';
import type { CaseOperand, View, WebnnCase } from '../webnn-case.js';
import { otherShape } from './operands.js';

type Kind = 'transpose' | 'reshape' | 'slice';

/** In the order in which the graph has them. */
const chains: readonly (readonly Kind[])[] = [
  ['transpose', 'reshape', 'transpose'],
  ['transpose', 'reshape', 'transpose'],
  ['transpose', 'reshape'],
  ['reshape', 'transpose'],
  ['transpose'],
  ['slice'],
  ['transpose', 'slice', 'transpose'],
  ['slice', 'transpose', 'reshape', 'transpose'],
  ['transpose', 'reshape', 'slice', 'transpose'],
  ['transpose', 'reshape', 'transpose', 'reshape', 'transpose'],
];

/** Returns the case with a chain before most of its operands. */
export function behindChains(random: Random, test: WebnnCase): WebnnCase {
  const chained = Object.entries(test.operands).map(([name, operand]) => {
    return [name, random.chance(0.8) ? behindChain(random, operand) : operand] as const;
  });
  return { ...test, operands: Object.fromEntries(chained) };
}

function behindChain(random: Random, operand: CaseOperand): CaseOperand {
  // WebNN cannot transpose or slice 4-bit tensors.
  const kinds = operand.dataType.endsWith('int4') ? (['reshape'] as const) : random.pick(chains);
  const { kind, views: own = [] } = operand;
  let before: PlainTensor = operand;
  const views: View[] = [];
  for (const step of kinds.toReversed()) {
    const [view, tensor] = stepBack[step](random, before);
    views.unshift(view);
    before = tensor;
  }
  const { dataType, shape, data } = before;
  return { kind, dataType, shape, data, views: [...views, ...own] };
}

/** A view that results in this tensor, and the tensor to which the view is applied. */
const stepBack: Readonly<Record<Kind, (random: Random, tensor: PlainTensor) => readonly [View, PlainTensor]>> = {
  reshape: (random, tensor) => [{ reshape: tensor.shape }, reshape(tensor, otherShape(random, tensor.shape))],
  transpose: (random, tensor) => {
    const permutation = random.distinct(tensor.shape.length, tensor.shape.length);
    const inverse = permutation.map((_, axis) => permutation.indexOf(axis));
    return [{ transpose: permutation }, transpose(tensor, { permutation: inverse })];
  },
  slice: (random, tensor) => {
    const margins = tensor.shape.map((size) => (size < 8 && random.chance(0.4) ? [random.int(0, 2), random.int(0, 2)] : [0, 0]));
    const starts = margins.map(([before = 0]) => before);
    const whole: Shape = tensor.shape.map((size, axis) => size + (margins[axis] ?? []).reduce((sum, margin) => sum + margin, 0));
    const isInside = (place: Shape) => place.every((i, axis) => i >= 0 && i < (tensor.shape[axis] ?? 1));
    const larger = makeTensor(tensor.dataType, whole, (coordinates) => {
      const place = coordinates.map((i, axis) => i - (starts[axis] ?? 0));
      return isInside(place) ? at(tensor, place) : random.pick(tensor.data);
    });
    return [{ slice: { starts, sizes: tensor.shape } }, larger];
  },
};
