// What `npm start` runs: the example of ScatterND's reference page, on DirectML if it is available, else on the reference
// backend. A project of your own imports from 'node-directml' in the same way.
import { createDevice } from 'node-directml';
import { scatterNd } from 'node-directml/operators';

const device = await createDevice();
try {
  const input = device.tensor([[1, 2, 3, 4, 5, 6, 7, 8]]);
  const indices = device.tensor([[4], [3], [1], [7]], { dataType: 'uint32' });
  const updates = device.tensor([[9, 10, 11, 12]]);
  const output = await scatterNd(input, indices, updates, { inputDimensionCount: 1, indicesDimensionCount: 2 });

  console.log('operator       scatterNd: a copy of the input with the updates at the places that the indices give');
  for (const [name, tensor] of Object.entries({ input, indices, updates, output })) {
    console.log(`${name.padEnd(14)} ${(await tensor.read()).join(' ')}`);
  }
  const { info } = device;
  console.log(`backend        ${info.backend}`);
  if (info.adapter !== null) {
    console.log(`adapter        ${info.adapter.name}${info.adapter.isSoftware ? ' (software)' : ''}`);
    console.log(`DirectML.dll   ${info.directmlVersion} (${info.directmlPath})`);
    console.log(`feature level  ${info.featureLevel}`);
  }
} finally {
  device.dispose();
}
