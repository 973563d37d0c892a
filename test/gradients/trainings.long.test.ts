/** Trainings against those of PyTorch from the same weights: the losses of 100 steps. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../support/devices.js';
import { lossesFile, train, trainings } from '../../checks/gradients/trainings.js';

interface Row {
  readonly name: string;
  readonly losses: readonly number[];
}

const lines = readFileSync(lossesFile, 'utf8').trim().split('\n');
const stored = new Map(lines.map((line) => JSON.parse(line) as Row).map(({ name, losses }) => [name, losses]));

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(trainings)('$name', async (training) => {
    const expected = stored.get(training.name) ?? [];
    const losses = await train(device(), training);
    const distances = losses.map((loss, i) => Math.abs(loss - (expected[i] ?? NaN)));
    expect(Math.max(...distances)).toBeLessThan(1e-3);
    expect(losses.at(-1)).toBeLessThan(0.2 * (losses[0] ?? 0));
  });
});
