/** Runs examples/onnx-model.mjs with its own model and with model files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Device } from 'node-directml';
import { backends, deviceOn } from '../../support/devices.js';
import type { Model } from '../../../checks/networks/model-writer.js';
import { encoder } from '../../../checks/networks/models/encoder.js';
import { quantized } from '../../../checks/networks/models/quantized.js';
import { counting } from '../../support/expect-same.js';

const root = join(import.meta.dirname, '../../..');

type Example = (device: Device, args: readonly string[]) => Promise<Readonly<Record<string, ArrayLike<number>>>>;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  let folder = '';
  let example: Example;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'node-directml-onnx-'));
    const program = (await import(pathToFileURL(join(root, 'examples/onnx-model.mjs')).href)) as { default: Example };
    example = program.default;
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const fileOf = ({ bytes }: Model) => {
    const file = join(folder, 'model.onnx');
    writeFileSync(file, bytes);
    return file;
  };

  test('runs its own model', async () => {
    const { y = [] } = await example(device(), []);
    expect(Array.from(y, (number) => number + 0)).toEqual([0, Math.fround(Math.fround(Math.sin(1)) * 4)]);
  });

  test('runs a model of floats', async () => {
    const { result, builds } = await counting(() => example(device(), [fileOf(quantized())]));
    expect(result['scores']).toHaveLength(10);
    expect(builds).toBe(1);
  });

  test('runs a model of token ids with a dynamic dimension, and asks for its size if it is missing', async () => {
    const file = fileOf(encoder());
    const { result, builds } = await counting(() => example(device(), [file, 'batch=2']));
    expect(result['last_hidden_state']).toHaveLength(2 * 7 * 32);
    expect(builds).toBe(1);
    await expect(example(device(), [file])).rejects.toThrow('input_ids has dynamic dimensions: add batch=1');
  });
});

test('runs as a program', async () => {
  const program = new Worker(join(root, 'examples/run.mjs'), { argv: ['onnx-model'], stdout: true });
  expect(await text(program.stdout)).toMatch(/^onnx-model on .*\n\{ y: Float32Array\(2\) \[ -?0, 3.36588\d+ \] \}\n$/);
});
