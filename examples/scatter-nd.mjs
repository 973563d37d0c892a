// The ScatterND example of its reference page: writes four updates into a copy of eight values. Runs on DirectML if it is
// available, else on the reference backend. A project of your own imports from 'node-directml' in the same way.
import { createDevice } from 'node-directml';

const device = await createDevice();
try {
  /** @satisfies {import('node-directml').ScatterNdDescriptor} */
  const descriptor = {
    type: 'scatterNd',
    inputTensor: { dataType: 'float32', sizes: [1, 8] },
    indicesTensor: { dataType: 'uint32', sizes: [4, 1] },
    updatesTensor: { dataType: 'float32', sizes: [1, 4] },
    outputTensor: { dataType: 'float32', sizes: [1, 8] },
    inputDimensionCount: 1,
    indicesDimensionCount: 2,
  };
  const scatter = await device.compile(descriptor);
  const outputTensor = device.createTensor(descriptor.outputTensor);
  scatter.dispatch({
    inputTensor: device.createTensor(descriptor.inputTensor, Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8)),
    indicesTensor: device.createTensor(descriptor.indicesTensor, Uint32Array.of(4, 3, 1, 7)),
    updatesTensor: device.createTensor(descriptor.updatesTensor, Float32Array.of(9, 10, 11, 12)),
    outputTensor,
  });
  const values = await outputTensor.read();

  const { info } = device;
  if (info.adapter !== null) {
    console.log(`adapter        ${info.adapter.name}${info.adapter.isSoftware ? ' (software)' : ''}`);
    console.log(`DirectML.dll   ${info.directmlVersion} (${info.directmlPath})`);
    console.log(`feature level  ${info.featureLevel}`);
  }
  console.log(`backend        ${info.backend}`);
  console.log(values.join(' '));
} finally {
  device.dispose();
}
