/** Computes the example with the given package. Resolves to JSON with the device and the result. */
'use strict';

exports.scatter = async (/** @type {Pick<typeof import('node-directml'), 'createDevice'>} */ { createDevice }) => {
  const device = await createDevice({ backend: 'directml' });
  /**
   * @template {import('node-directml').DataType} T
   * @param {T} dataType
   * @param {number[]} sizes
   * @param {import('node-directml').TypedArrayFor<T>} [data]
   */
  const tensor = (dataType, sizes, data) => device.createTensor({ dataType, sizes }, data);
  const outputTensor = tensor('float32', [1, 8]);
  const operator = await device.compile({
    type: 'scatterNd',
    inputTensor: { dataType: 'float32', sizes: [1, 8] },
    indicesTensor: { dataType: 'uint32', sizes: [4, 1] },
    updatesTensor: { dataType: 'float32', sizes: [1, 4] },
    outputTensor: { dataType: 'float32', sizes: [1, 8] },
    inputDimensionCount: 1,
    indicesDimensionCount: 2,
  });
  operator.dispatch({
    inputTensor: tensor('float32', [1, 8], Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8)),
    indicesTensor: tensor('uint32', [4, 1], Uint32Array.of(4, 3, 1, 7)),
    updatesTensor: tensor('float32', [1, 4], Float32Array.of(9, 10, 11, 12)),
    outputTensor,
  });
  const values = Array.from(await outputTensor.read()).join(' ');
  const { backend, directmlPath, directmlVersion } = device.info;
  device.dispose();
  return JSON.stringify({
    values,
    backend,
    directmlPath,
    directmlVersion,
    node: process.versions.node,
    program: process.execPath,
  });
};
