/** Sequences and optionals, which are no tensors: the trace knows what they hold. */
import { hostOperand, scalar } from '../make-data.js';
import type { Node } from '../node.js';
import { Sequence, type Operand } from '../operand.js';
import type { Lowerings } from './lowering.js';
import { divided, joined, partSizes } from './move-helpers.js';

export const sequenceOperators: Lowerings = {
  SequenceEmpty: () => new Sequence([]),
  SequenceConstruct: (node) => new Sequence(node.inputs),
  SequenceAt(node) {
    const { items } = node.sequence(0);
    return items[place(node, items.length) ?? 0] ?? null;
  },
  SequenceInsert(node) {
    const { items } = node.sequence(0);
    const given = node.optional(2);
    const at = given === undefined ? items.length : node.number(given);
    if (!(at >= -items.length && at <= items.length))
      throw new RangeError(`the position ${at} is none of ${items.length} tensors`);
    return new Sequence(items.toSpliced(at, 0, node.input(1)));
  },
  SequenceErase(node) {
    const { items } = node.sequence(0);
    return new Sequence(items.toSpliced(place(node, items.length) ?? items.length - 1, 1));
  },
  SequenceLength: (node) => scalar('int64', node.sequence(0).items.length),
  SplitToSequence(node) {
    const input = node.input(0);
    const axis = node.axis(node.int('axis', 0), input.dims.length);
    const given = node.optional(1);
    const parts = divided(node, input, axis, sizesOf(node, input.dims[axis] ?? 1, given));
    const isKept = given !== undefined || node.flag('keepdims', true);
    return new Sequence(isKept ? parts : parts.map((part) => node.reshape(part, part.dims.toSpliced(axis, 1))));
  },
  ConcatFromSequence(node) {
    const { items } = node.sequence(0);
    const isNew = node.flag('new_axis');
    const axis = node.axis(node.int('axis', 0), (items[0]?.dims.length ?? 1) + Number(isNew));
    const parts = isNew ? items.map((item) => node.reshape(item, item.dims.toSpliced(axis, 0, 1))) : items;
    return joined(node, parts, axis);
  },
  Optional: (node) => node.item(0),
  OptionalGetElement(node) {
    const item = node.item(0);
    if (item === null) throw new RangeError('the optional has no value');
    return item;
  },
  OptionalHasElement: (node) => hostOperand('uint8', [], [Number(node.item(0) !== null)], true),
};

/** The position that input 1 names, which may count from the end. */
function place(node: Node, count: number): number | undefined {
  const given = node.optional(1);
  return given && node.axis(node.number(given), count);
}

/** Sizes of 1, of one number, or those of a list. */
function sizesOf(node: Node, size: number, given: Operand | undefined): readonly number[] {
  if (given !== undefined && given.dims.length > 0) return node.numbers(given);
  const each = given === undefined ? 1 : node.number(given);
  if (!(each > 0)) throw new RangeError(`there are no parts of size ${each}`);
  return partSizes(size, each);
}
