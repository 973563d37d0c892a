/** Weights in another file: which part of it a tensor has, and what is refused. */
import { describe, expect, test } from 'vitest';
import { loadOnnx } from 'node-directml/onnx';
import { withExternalWeights } from '../../checks/networks/small-models.js';
import { deviceOn } from '../support/devices.js';
import { folderOfFiles } from '../support/folder-of-files.js';
import { refusalOf } from '../support/refusals.js';

const device = deviceOn('reference');
const write = folderOfFiles();
let count = 0;

/** A model in a file, beside a file with the six floats 1 to 6. Its only weight has four. */
function modelWith(entries: Readonly<Record<string, string>>): string {
  write('w.bin', new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer));
  const all = Object.entries({ location: 'w.bin', ...entries }).map(([key, value]) => ({ key, value }));
  return write(`${count++}.onnx`, withExternalWeights(all));
}

test.each<[Readonly<Record<string, string>>, number[]]>([
  [{ offset: '0', length: '16' }, [1, 2, 3, 4]],
  [{ length: '16' }, [1, 2, 3, 4]],
  [{ offset: '4', length: '16' }, [2, 3, 4, 5]],
  [{ offset: '8', length: '16' }, [3, 4, 5, 6]],
  [{ offset: '8' }, [3, 4, 5, 6]],
])('%j', async (entries, expected) => {
  using model = await loadOnnx(device(), modelWith(entries));
  const { y } = await model.run({ x: device().tensor([0, 0, 0, 0]) });
  expect(y).toMatchObject({ sizes: [4] });
  expect(await (y as { read(): Promise<Float32Array> }).read()).toEqual(Float32Array.from(expected));
});

describe('refuses', () => {
  test.each<[Readonly<Record<string, string>>, string]>([
    [{ offset: '12', length: '16' }, 'expected at most 24 bytes, given 12 + 16'],
    [{ offset: '28', length: '0' }, 'expected at most 24 bytes, given 28 + 0'],
    [{ offset: '-4', length: '16' }, 'expected at most 24 bytes, given -4 + 16'],
    [{ offset: '0', length: '-16' }, 'expected at most 24 bytes, given 0 + -16'],
    [{ offset: 'one', length: '16' }, 'expected at most 24 bytes, given NaN + 16'],
    [{ offset: '0.5', length: '16' }, 'expected at most 24 bytes, given 0.5 + 16'],
    [{ offset: '4', length: '20' }, 'expected 16 bytes, given 20'],
    [{ offset: '4', length: '12' }, 'expected 16 bytes, given 12'],
    [{}, 'expected 16 bytes, given 24'],
    [{ offset: '4' }, 'expected 16 bytes, given 20'],
  ])('%j', async (entries, expected) => {
    const path = modelWith(entries);
    const place = `ERR_INVALID_FILE loadOnnx: ${path}: tensor 'w0'.external_data: `;
    expect(await refusalOf(() => loadOnnx(device(), path))).toBe(place + expected);
  });

  test('weights in another file, if the model is in memory', async () => {
    expect(await refusalOf(() => loadOnnx(device(), withExternalWeights('w.bin')))).toBe(
      "ERR_INVALID_FILE loadOnnx: model: tensor 'w0': expected weights in the model, given weights in another file, 'w.bin'",
    );
  });
});
