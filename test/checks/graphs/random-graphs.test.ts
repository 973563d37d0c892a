/**
 * Random graphs give the bits of their nodes one by one, improved or as they were written, and those of patterns nearly the same
 * numbers. The DLL is asked by conformance.
 */
import { describe, expect, test } from 'vitest';
import { highestFeatureLevel } from '#lib/descriptors/feature-level.js';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { improved } from '#lib/graph/improve/index.js';
import { readDescriptor } from '#lib/graph/read-descriptor.js';
import { fromBase64, writeJson } from '../../../checks/cases/case.js';
import { deviceOn } from '../../support/devices.js';
import { checkReference } from '../../../checks/graphs/check-graph.js';
import { plainGraph } from '../../../checks/graphs/graph-case.js';
import { fastGraph } from '../../../checks/graphs/fast-patterns.js';
import { randomGraph } from '../../../checks/graphs/random-graph.js';

const device = deviceOn('reference');

describe.each([
  ['any operators', randomGraph, 40],
  ['patterns', fastGraph, 200],
] as const)('%s', (_what, draw, count) => {
  test.each([1, 2, 3])('seed %i', async (seed) => {
    for (let index = 0; index < count; index++) {
      const drawn = draw(seed, index);
      expect(await checkReference(device(), drawn, plainGraph(drawn)), writeJson(drawn)).toBeNull();
    }
  });
});

test('most patterns have fewer nodes after improvement, and some have as many', () => {
  const smaller = Array.from({ length: 120 }, (_, index) => {
    const builder = new GraphBuilder(highestFeatureLevel);
    const { graph: drawn } = fastGraph(5, index);
    const graph = builder.resolve(
      readDescriptor(builder, drawn, (name) => ({
        data: fromBase64(drawn.constants[name]?.data ?? ''),
        ownership: undefined,
        isShared: false,
      })),
    );
    return improved(graph, 'fast', highestFeatureLevel).nodes.length < graph.nodes.length;
  });
  const count = smaller.filter(Boolean).length;
  expect(count).toBeGreaterThan(60);
  expect(count).toBeLessThan(115);
});
