/** Intermediate results that overflow or underflow float32, and strided indices: both backends give DirectML's results. */
import type { OperatorDescriptor, TensorDesc } from 'node-directml';
import { describe, expect, it } from 'vitest';
import { isTensor } from '../../checks/cases/layout.js';
import { backends, deviceOn } from '../support/devices.js';

const float = (...sizes: number[]): TensorDesc => ({ dataType: 'float32', sizes });
const index = (sizes: number[], strides: number[]): TensorDesc => ({ dataType: 'int32', sizes, strides });

/** The values rounded to float32, for comparison with results. */
const rounded = (values: readonly number[]): number[] => Array.from(Float32Array.from(values));

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  /** Computes the operator. Returns the elements of its one output, in memory order. */
  async function compute(descriptor: OperatorDescriptor, inputs: Readonly<Record<string, readonly number[]>>) {
    const outputs: string[] = [];
    const bindings = Object.fromEntries(
      Object.entries(descriptor).flatMap(([name, tensor]: [string, unknown]) => {
        if (!isTensor(tensor)) return [];
        const values = inputs[name];
        if (values === undefined) outputs.push(name);
        const typed = tensor.dataType === 'int32' ? Int32Array : Float32Array;
        return [[name, device().createTensor(tensor, values && typed.from(values))]];
      }),
    );
    const operator = await device().compile(descriptor);
    operator.dispatch(bindings);
    const results = await Promise.all(outputs.map(async (name) => Array.from((await bindings[name]?.read()) ?? [], Number)));
    operator.dispose();
    for (const tensor of Object.values(bindings)) tensor.dispose();
    return results;
  }

  const image = float(1, 1, 1, 4);
  const row = float(4);
  const large = [1e20, -1e20, 1e20, -1e20];
  const zeros = [[0, 0, 0, 0]];
  const magnitudes = (results: readonly number[][]) => results.map((list) => list.map(Math.abs));
  const byVariance = { normalizeVariance: true, epsilon: 0 };

  describe('squares overflow and underflow float32', () => {
    it.each<OperatorDescriptor>([
      { type: 'meanVarianceNormalization', inputTensor: image, outputTensor: image, crossChannel: false, ...byVariance },
      { type: 'meanVarianceNormalization1', inputTensor: row, outputTensor: row, axes: [0], ...byVariance },
      {
        type: 'meanVarianceNormalization2',
        ...{ inputTensor: row, outputTensor: row, axes: [0], useMean: true, useVariance: true, epsilon: 0 },
      },
      {
        type: 'localResponseNormalization',
        ...{ inputTensor: image, outputTensor: image, crossChannel: false, localSize: 3, alpha: 1, beta: 0.5, bias: 0 },
      },
      { type: 'lpNormalization', inputTensor: row, outputTensor: row, axis: 0, epsilon: 0, p: 2 },
    ])('$type', async (descriptor) => {
      expect(magnitudes(await compute(descriptor, { inputTensor: large }))).toEqual(zeros);
      const small = [1e-25, -1e-25, 1e-25, -1e-25];
      expect(await compute(descriptor, { inputTensor: small })).toEqual([[Infinity, -Infinity, Infinity, -Infinity]]);
    });

    it('batchNormalizationTraining', async () => {
      const one = float(1);
      const descriptor: OperatorDescriptor = {
        type: 'batchNormalizationTraining',
        ...{ inputTensor: row, scaleTensor: one, biasTensor: one, outputTensor: row },
        ...{ outputMeanTensor: one, outputVarianceTensor: one, epsilon: 0 },
      };
      const factors = { scaleTensor: [1], biasTensor: [0] };
      const [normal = [], ...statistics] = await compute(descriptor, { inputTensor: large, ...factors });
      expect([normal.map(Math.abs), ...statistics]).toEqual([[0, 0, 0, 0], [0], [Infinity]]);
    });
  });

  it('a mean that overflows float32 gives NaN', async () => {
    const three = float(3);
    const descriptor: OperatorDescriptor = {
      type: 'meanVarianceNormalization1',
      ...{ inputTensor: three, outputTensor: three, axes: [0], ...byVariance },
    };
    expect(await compute(descriptor, { inputTensor: [3e38, 3e38, -3e38] })).toEqual([[NaN, NaN, NaN]]);
  });

  describe('a reduction keeps the overflow or underflow of a partial result', () => {
    it.each([
      ['sum', [3e38, 3e38, -3e38], Infinity],
      ['average', [3e38, 3e38, -3e38], Infinity],
      ['sum', [3e38, -3e38, 3e38], 3e38],
      ['logSum', [3e38, 3e38, -3e38], Infinity],
      ['multiply', [1e30, 1e30, 1e-30], Infinity],
      ['multiply', [1e-30, 1e-30, 1e30], 0],
      ['l2', [1e20, 1e20, 1e20], Infinity],
    ] as const)('%s of %j', async (name, values, expected) => {
      const [inputTensor, outputTensor] = [float(3), float(1)];
      const descriptor: OperatorDescriptor = { type: 'reduce', function: name, inputTensor, outputTensor, axes: [0] };
      expect(await compute(descriptor, { inputTensor: values })).toEqual([rounded([expected])]);
    });

    it('a cumulative reduction does so too', async () => {
      const tensors = { inputTensor: row, outputTensor: row, axis: 0, axisDirection: 'increasing' } as const;
      const sum: OperatorDescriptor = { type: 'cumulativeSummation', ...tensors, hasExclusiveSum: false };
      const product: OperatorDescriptor = { type: 'cumulativeProduct', ...tensors, hasExclusiveProduct: false };
      const sums = await compute(sum, { inputTensor: [1e38, 3e38, -3e38, -3e38] });
      expect(sums).toEqual([rounded([1e38, Infinity, Infinity, Infinity])]);
      expect(await compute(product, { inputTensor: [1e30, 1e30, 1e-30, 0] })).toEqual([rounded([1e30, Infinity, Infinity, NaN])]);
    });
  });

  describe('batchNormalization', () => {
    const parameters = (tensor: TensorDesc) => ({
      meanTensor: tensor,
      varianceTensor: tensor,
      scaleTensor: tensor,
      biasTensor: tensor,
    });
    const values = { inputTensor: [3e38], meanTensor: [-3e38], varianceTensor: [Infinity], scaleTensor: [1e30], biasTensor: [2] };

    it('overflows in x - mean if each element has its own parameters', async () => {
      const [x, outputTensor] = [float(2), float(2)];
      const twice = Object.fromEntries(Object.entries(values).map(([name, [value = 0]]) => [name, [value, value]]));
      const own: OperatorDescriptor = {
        type: 'batchNormalization',
        inputTensor: x,
        ...parameters(x),
        outputTensor,
        spatial: true,
        epsilon: 0,
      };
      expect(await compute(own, twice)).toEqual([[NaN, NaN]]);
      expect(await compute(own, { ...twice, meanTensor: [1, 1] })).toEqual([[2, 2]]);
    });

    it('overflows in mean · scale if elements share parameters', async () => {
      const pair = float(2);
      const shared: OperatorDescriptor = {
        type: 'batchNormalization',
        ...{ inputTensor: pair, ...parameters(float(1)), outputTensor: pair, spatial: true, epsilon: 0 },
      };
      const inputTensor = [3e38, 3e38];
      expect(await compute(shared, { ...values, inputTensor })).toEqual([[NaN, NaN]]);
      expect(await compute(shared, { ...values, inputTensor, meanTensor: [1] })).toEqual([[2, 2]]);
    });
  });

  it.each([
    { layout: 'like the input', strides: [3, 1], expected: [NaN, NaN, NaN] },
    { layout: 'otherwise', strides: [4, 1], expected: [-Infinity, -Infinity, Infinity] },
  ])('batchNormalizationTraining multiplies out only if layouts match: fusedAddTensor $layout', async ({ strides, expected }) => {
    const [x, parameter] = [float(2, 3), float(2, 1)];
    const descriptor: OperatorDescriptor = {
      type: 'batchNormalizationTraining',
      ...{ inputTensor: x, scaleTensor: parameter, biasTensor: parameter, fusedAddTensor: { ...x, strides }, outputTensor: x },
      ...{ outputMeanTensor: parameter, outputVarianceTensor: parameter, epsilon: 0.25 },
    };
    const [output = []] = await compute(descriptor, {
      inputTensor: [1, 2, 4, -1, 1, 3],
      scaleTensor: [Infinity, Infinity],
      biasTensor: [0, 0],
      fusedAddTensor: new Array<number>((strides[0] ?? 0) + 3).fill(1),
    });
    expect(output.slice(0, 3)).toEqual(expected);
  });

  it('activationSigmoid and activationSwish give 0 where the exponential overflows float32', async () => {
    const descriptor = { inputTensor: row, outputTensor: row };
    const inputTensor = [89, 100, 1e4, 3e38];
    expect(await compute({ type: 'activationSwish', sigmoidInputScale: -0.998, ...descriptor }, { inputTensor })).toEqual(zeros);
    expect(await compute({ type: 'activationSigmoid', ...descriptor }, { inputTensor: inputTensor.map((x) => -x) })).toEqual(
      zeros,
    );
  });

  it('dynamicQuantizeLinear multiplies the least element by the rounded reciprocal of the scale', async () => {
    const one = float(1);
    const descriptor: OperatorDescriptor = {
      type: 'dynamicQuantizeLinear',
      ...{ inputTensor: float(2), outputTensor: { dataType: 'int8', sizes: [2] } },
      ...{ outputScaleTensor: one, outputZeroPointTensor: { dataType: 'int8', sizes: [1] } },
    };
    expect(await compute(descriptor, { inputTensor: [-5, 5] })).toEqual([[-128, 127], [0.03921568766236305], [0]]);
  });

  it('localResponseNormalizationGrad multiplies the gradient by the difference of its terms', async () => {
    const one = float(1, 1, 1, 1);
    const descriptor: OperatorDescriptor = {
      type: 'localResponseNormalizationGrad',
      ...{ inputTensor: one, inputGradientTensor: one, outputGradientTensor: one },
      ...{ crossChannel: true, localSize: 1, alpha: 0, beta: 1, bias: 0.5 },
    };
    expect(await compute(descriptor, { inputTensor: [-1.5], inputGradientTensor: [-Infinity] })).toEqual([[-Infinity]]);
  });

  it('batchNormalizationTrainingGrad multiplies before it divides by the variance', async () => {
    const [x, parameter] = [float(2, 4), float(2, 1)];
    const descriptor: OperatorDescriptor = {
      type: 'batchNormalizationTrainingGrad',
      ...{ inputTensor: x, inputGradientTensor: x, meanTensor: parameter, varianceTensor: parameter, scaleTensor: parameter },
      ...{ outputGradientTensor: x, outputScaleGradientTensor: parameter, outputBiasGradientTensor: parameter, epsilon: 0 },
    };
    const inputs = { inputTensor: new Array<number>(8).fill(1e30), inputGradientTensor: new Array<number>(8).fill(1) };
    const statistics = { meanTensor: [0, 0], varianceTensor: [1e38, 1e38], scaleTensor: [1, 1] };
    const [gradient] = await compute(descriptor, { ...inputs, ...statistics });
    expect(gradient).toEqual(new Array<number>(8).fill(-Infinity));
  });

  describe('indices with strides', () => {
    const inputTensor = float(2, 3);
    const values = [1, 2, 3, 4, 5, 6];

    it('gather', async () => {
      const descriptor: OperatorDescriptor = {
        type: 'gather',
        ...{ inputTensor, indicesTensor: index([1, 2], [0, 3]), outputTensor: float(2, 2), axis: 1, indexDimensions: 1 },
      };
      expect(await compute(descriptor, { inputTensor: values, indicesTensor: [2, 1, 1, 0] })).toEqual([[3, 1, 6, 4]]);
    });

    // Column-major, with a gap of one element after each column.
    const indicesTensor = index([2, 2], [1, 3]);
    const indices = [2, 0, 9, 1, 1];

    it('gatherElements', async () => {
      const descriptor: OperatorDescriptor = {
        type: 'gatherElements',
        inputTensor,
        indicesTensor,
        outputTensor: float(2, 2),
        axis: 1,
      };
      expect(await compute(descriptor, { inputTensor: values, indicesTensor: indices })).toEqual([[3, 2, 4, 5]]);
    });

    it('scatterElements', async () => {
      const descriptor: OperatorDescriptor = {
        type: 'scatterElements',
        ...{ inputTensor, indicesTensor, updatesTensor: float(2, 2), outputTensor: inputTensor, axis: 1 },
      };
      const results = await compute(descriptor, { inputTensor: values, indicesTensor: indices, updatesTensor: [7, 8, 9, 10] });
      expect(results).toEqual([[1, 8, 7, 9, 10, 6]]);
    });
  });

  it.each([
    { type: 'gather', axis: 0, indexDimensions: 1 },
    { type: 'gatherNd1', inputDimensionCount: 2, indicesDimensionCount: 2, batchDimensionCount: 0 },
  ] as const)('$type of rows that lie column by column', async (fields) => {
    const inputTensor: TensorDesc = { dataType: 'float32', sizes: [3, 2], strides: [1, 3] };
    const indicesTensor: TensorDesc = { dataType: 'int32', sizes: fields.type === 'gather' ? [1, 2] : [2, 1] };
    const descriptor: OperatorDescriptor = { ...fields, inputTensor, indicesTensor, outputTensor: float(2, 2) };
    expect(await compute(descriptor, { inputTensor: [1, 2, 3, 4, 5, 6], indicesTensor: [2, 0] })).toEqual([[3, 6, 1, 4]]);
  });

  it('softmax1 along the last of several axes', async () => {
    const tensor = float(1, 2, 1, 2);
    const descriptor: OperatorDescriptor = { type: 'activationSoftmax1', inputTensor: tensor, outputTensor: tensor, axes: [3] };
    expect(await compute(descriptor, { inputTensor: [3e38, -3e38, 0, 0] })).toEqual([[1, 0, 0.5, 0.5]]);
  });
});
