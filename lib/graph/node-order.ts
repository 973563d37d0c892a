/** Sorts the nodes of a descriptor so that each comes after those that it reads. */
import { describe, fieldError, type DirectMLError, type Place } from '../values/errors.js';
import type { Reference } from './value-reference.js';

interface Node {
  readonly name: string;
  readonly references: readonly Reference[];
}

/**
 * @param isLeaf True for the name of an input or constant, which may look like that of a node's output.
 * @throws {DirectMLError} if there is a cycle.
 */
export function inOrder<T extends Node>(nodes: readonly T[], place: Place, isLeaf: (name: string) => boolean): readonly T[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const readBy = ({ name }: Reference) => (isLeaf(name) ? undefined : byName.get(nodeNameOf(name)));
  const readers = new Map(nodes.map((node): [T, T[]] => [node, []]));
  const missing = new Map<T, number>();
  for (const node of nodes) {
    const read = node.references.flatMap((reference) => readBy(reference) ?? []);
    missing.set(node, read.length);
    for (const before of read) readers.get(before)?.push(node);
  }
  const ordered = nodes.filter((node) => missing.get(node) === 0);
  // The list grows while it is read.
  for (const node of ordered) {
    for (const reader of readers.get(node) ?? []) {
      const left = (missing.get(reader) ?? 0) - 1;
      missing.set(reader, left);
      if (left === 0) ordered.push(reader);
    }
  }
  if (ordered.length === nodes.length) return ordered;
  const left = nodes.filter((node) => (missing.get(node) ?? 0) > 0);
  throw cycleAmong(left, place, readBy);
}

/** The error for nodes of which each reads another one of them: names one that depends on itself. */
function cycleAmong<T extends Node>(
  nodes: readonly T[],
  place: Place,
  readBy: (reference: Reference) => T | undefined,
): DirectMLError {
  const among = new Set(nodes);
  const visited = new Set<T>();
  let node = nodes[0];
  let last: Reference | undefined;
  while (node !== undefined && !visited.has(node)) {
    visited.add(node);
    last = node.references.find((reference) => {
      const before = readBy(reference);
      return before !== undefined && among.has(before);
    });
    node = last === undefined ? undefined : readBy(last);
  }
  const expected = 'a value that does not depend on this node';
  return fieldError('ERR_INVALID_GRAPH', last?.place ?? place, expected, describe(last?.name), { why: 'the nodes form a cycle' });
}

/** The node of a name such as `conv.outputTensor`; no field has a dot in its name. */
function nodeNameOf(reference: string): string {
  return reference.slice(0, Math.max(0, reference.lastIndexOf('.')));
}
