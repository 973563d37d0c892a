// @ts-check
// Computes the outputs of what drawn.mjs lists, on the reference, and draws the pictures. Needs the built library.
import { createDevice } from '../../../dist/index.mjs';
import { draw } from './draw.mjs';
import { drawn } from './drawn.mjs';

/** @typedef {import('./drawn.mjs').Data} Data */

/**
 * Resolves to the pictures, in HTML, by the names of the operators.
 * @returns {Promise<Map<string, string>>}
 */
export async function drawOperators() {
  const device = await createDevice({ backend: 'reference' });
  const create = (/** @type {Data} */ { values, dataType, sizes }) => device.createTensor({ dataType, sizes }, values);
  const pictures = new Map();
  try {
    for (const [type, { text, inputs, fields = {} }] of Object.entries(drawn)) {
      const tensors = Object.entries(inputs).map(([field, data]) => [
        field,
        Array.isArray(data) ? data.map(create) : create(data),
      ]);
      /** @type {any} The types know no operator whose name is a variable. */
      const descriptor = { type, ...Object.fromEntries(tensors), ...fields };
      /** @type {Record<string, Data | Data[]>} */
      const outputs = {};
      for (const [field, value] of Object.entries(await device.run(descriptor))) {
        outputs[field] = 'dispose' in value ? await dataOf(value) : await Promise.all(value.map(dataOf));
      }
      pictures.set(type, draw({ type, text, inputs, fields, outputs }));
    }
  } finally {
    device.dispose();
  }
  return pictures;
}

/** @returns {Promise<Data>} */
async function dataOf(/** @type {import('../../../dist/index.mjs').Tensor} */ tensor) {
  return { sizes: [...tensor.sizes], dataType: tensor.dataType, values: Array.from(await tensor.read(), Number) };
}
