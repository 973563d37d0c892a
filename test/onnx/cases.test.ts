/** Drawn nodes with arbitrary attributes and sizes compute what onnxruntime's CPU computes. */
import { describe, test } from 'vitest';
import { deviceOn, ownBackend } from '../support/devices.js';
import { drawn } from '../support/level.js';
import { draws } from '../../checks/onnx/index.js';
import { checkCase } from '../../checks/onnx/run-case.js';

const seed = 1;
const count = drawn({ quick: 30, all: 100 });

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(Object.entries(draws))('%s', async (operator, draw) => {
    for (let number = 0; number < count; number++) await checkCase(device(), draw, { operator, seed, number });
  });
});
