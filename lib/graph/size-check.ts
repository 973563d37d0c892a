/** The limits of what the outputs of a graph need together. */
import { fieldError, type Place } from '../values/errors.js';
import { maxNodes, maxTensors } from './limits.js';
import type { ResolvedGraph } from './resolved-graph.js';

const CODE = 'ERR_INVALID_GRAPH';

/** @throws {DirectMLError} ERR_INVALID_GRAPH for more than DirectML can take. */
export function refuseLarge({ inputs, constants, nodes }: ResolvedGraph, place: Place): void {
  if (nodes.length > maxNodes) {
    const why = 'an output that is an input, a constant or a view needs a node';
    throw fieldError(CODE, place, `at most ${maxNodes} nodes`, `${nodes.length}`, { why });
  }
  const sequences = nodes.filter(({ operator }) => operator.descriptor.type === 'fillValueSequence').length;
  const count = inputs.length + constants.length + sequences;
  if (count <= maxTensors) return;
  const why = 'a fillValueSequence becomes a constant';
  throw fieldError(CODE, place, `at most ${maxTensors} inputs, constants and sequences`, `${count}`, { why });
}
