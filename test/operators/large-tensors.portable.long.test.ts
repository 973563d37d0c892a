/** Elements on both sides of number 2^31 of a tensor that is filled entirely, which takes 2 GiB and some seconds. */
import { createDevice, type Device, type Tensor } from 'node-directml';
import { afterAll, beforeAll, expect, test } from 'vitest';

const FAR = 2 ** 31;
const COUNT = FAR + 2 ** 22;
const BLOCK = 2 ** 22;
/** A prime number. The elements of a block are those of the one before, shifted by one. */
const PERIOD = 251;
const elementAt = (element: number) => ((element % BLOCK) + Math.floor(element / BLOCK)) % PERIOD;

const inputTensor = { dataType: 'uint8', sizes: [COUNT] } as const;
let device: Device;
let input: Tensor<'uint8'>;

beforeAll(async () => {
  device = await createDevice({ backend: 'reference' });
  input = device.createTensor(inputTensor);
  const elements = Uint8Array.from({ length: BLOCK + PERIOD }, (_, i) => i % PERIOD);
  for (let start = 0; start < COUNT; start += BLOCK) {
    const shift = (start / BLOCK) % PERIOD;
    input.buffer.write(elements.subarray(shift, shift + BLOCK), start);
    await device.idle();
  }
});
afterAll(() => {
  device.dispose();
});

test('slice1 reads every 4093rd element, from the last one to the first', async () => {
  const count = Math.ceil(COUNT / 4093);
  const outputTensor = { dataType: 'uint8', sizes: [count] } as const;
  const operator = await device.compile({
    ...{ type: 'slice1', inputTensor, outputTensor },
    ...{ inputWindowOffsets: [0], inputWindowSizes: [COUNT], inputWindowStrides: [-4093] },
  });
  const output = device.createTensor(outputTensor);
  operator.dispatch({ inputTensor: input, outputTensor: output });
  expect(await output.read()).toEqual(Uint8Array.from({ length: count }, (_, i) => elementAt(COUNT - 1 - i * 4093)));
});

test('gatherElements reads elements all over the tensor', async () => {
  const indices = Uint32Array.from({ length: 2 ** 16 }, (_, i) => (i * 2_654_435_761) % COUNT);
  const indicesTensor = { dataType: 'uint32', sizes: [indices.length] } as const;
  const outputTensor = { dataType: 'uint8', sizes: [indices.length] } as const;
  const operator = await device.compile({ type: 'gatherElements', inputTensor, indicesTensor, outputTensor, axis: 0 });
  const output = device.createTensor(outputTensor);
  operator.dispatch({ inputTensor: input, indicesTensor: device.createTensor(indicesTensor, indices), outputTensor: output });
  expect(indices.some((index) => index >= FAR)).toBe(true);
  expect(await output.read()).toEqual(Uint8Array.from(indices, elementAt));
});
