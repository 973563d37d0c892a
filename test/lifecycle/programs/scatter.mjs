/** The work that the other programs here interrupt: a ScatterND on the real DirectML, large enough to be in flight. */
import { createDevice } from 'node-directml';

export const COUNT = 1 << 20;
const UPDATES = 1 << 16;

/** @satisfies {import('node-directml').ScatterNdDescriptor} */
export const descriptor = {
  type: 'scatterNd',
  inputTensor: { dataType: 'float32', sizes: [1, COUNT] },
  indicesTensor: { dataType: 'uint32', sizes: [UPDATES, 1] },
  updatesTensor: { dataType: 'float32', sizes: [1, UPDATES] },
  outputTensor: { dataType: 'float32', sizes: [1, COUNT] },
  inputDimensionCount: 1,
  indicesDimensionCount: 2,
};

export async function prepare() {
  const device = await createDevice({ backend: 'directml' });
  const bindings = {
    inputTensor: device.createTensor(descriptor.inputTensor, new Float32Array(COUNT)),
    indicesTensor: device.createTensor(
      descriptor.indicesTensor,
      Uint32Array.from({ length: UPDATES }, (_, i) => i * 16),
    ),
    updatesTensor: device.createTensor(descriptor.updatesTensor, new Float32Array(UPDATES).fill(1)),
    outputTensor: device.createTensor(descriptor.outputTensor),
  };
  return { device, bindings };
}
