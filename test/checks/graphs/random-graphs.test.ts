/** Random graphs give the bits of their nodes one by one, improved or as they were written. The DLL is asked by conformance. */
import { expect, test } from 'vitest';
import { writeJson } from '../../../checks/cases/case.js';
import { deviceOn } from '../../support/devices.js';
import { checkReference } from '../../../checks/graphs/check-graph.js';
import { plainGraph } from '../../../checks/graphs/graph-case.js';
import { randomGraph } from '../../../checks/graphs/random-graph.js';

const device = deviceOn('reference');

test.each([1, 2, 3])('seed %i', async (seed) => {
  for (let index = 0; index < 40; index++) {
    const drawn = randomGraph(seed, index);
    expect(await checkReference(device(), drawn, plainGraph(drawn)), writeJson(drawn)).toBeNull();
  }
});
