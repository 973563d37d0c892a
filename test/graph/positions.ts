/** Where in its graph a node is: which of its neighbours are other nodes. */
import type { OperatorType } from 'node-directml';
import type { PlainGraph } from './graph-case.js';

/** The first reads no other node, the last is read by none, the middle has both, and the only has neither. */
export type Position = 'first' | 'middle' | 'last' | 'only';

/** The operator and the position of each node. */
export function positionsIn({ nodes }: PlainGraph): readonly (readonly [OperatorType, Position])[] {
  const written = new Set(nodes.flatMap(({ outputs }) => outputs.map(({ value }) => value)));
  const read = new Set(nodes.flatMap(({ inputs }) => inputs.map(({ value }) => value)));
  return nodes.map(({ descriptor, inputs, outputs }) => {
    const readsNode = inputs.some(({ value }) => written.has(value));
    const isRead = outputs.some(({ value }) => read.has(value));
    const position = readsNode ? (isRead ? 'middle' : 'last') : isRead ? 'first' : 'only';
    return [descriptor.type, position];
  });
}
