/** Examples of softmax, log-softmax and hardmax. */
import { examplesOf, rounded, tensor, type OwnExample } from '../../cases/example.js';
import { unary } from '../../cases/own-example.js';

const cube = { inputTensor: tensor('float32', [2, 2, 2], [12, 0, -101, 11, 3, 234, 0, -101]) };
const outputs = (...values: readonly number[]) => ({ outputTensor: tensor('float32', [2, 2, 2], values) });
const ALONG_COLUMNS = outputs(1, 0, 0, 1, 1, 1, 0, 0);
const ALONG_DEPTH = outputs(1, 0, 0, 1, 0, 1, 1, 0);
const ALONG_TWO_AXES = outputs(0, 0, 0, 1, 0, 1, 0, 0);

export const activationHardmax1 = examplesOf('activationHardmax1', 'ns-directml-dml_activation_hardmax1_operator_desc.md', [
  { title: 'along one axis', inputs: cube, outputs: ALONG_COLUMNS, fields: { axes: [1] } },
  { title: 'along the first axis', inputs: cube, outputs: ALONG_DEPTH, fields: { axes: [0] } },
  { title: 'along two axes', inputs: cube, outputs: ALONG_TWO_AXES, fields: { axes: [0, 2] } },
]);

const logarithms = (...values: readonly number[]) => ({
  outputTensor: rounded(4, tensor('float32', [2, 2, 2], values)),
});

/** The page repeats the results of hardmax. They are wrong here: a softmax is at most 1, so its logarithm cannot be 1. */
export const activationLogSoftmax1 = examplesOf(
  'activationLogSoftmax1',
  'ns-directml-dml_activation_log_softmax1_operator_desc.md',
  [
    {
      title: 'along one axis',
      inputs: cube,
      outputs: ALONG_COLUMNS,
      directml: logarithms(0, -11, -113, 0, -0.0486, 0, -3.0486, -335),
      fields: { axes: [1] },
    },
    {
      title: 'along the first axis',
      inputs: cube,
      outputs: ALONG_DEPTH,
      directml: logarithms(-0.0001, -234, -101, 0, -9.0001, 0, 0, -112),
      fields: { axes: [0] },
    },
    {
      title: 'along two axes',
      inputs: cube,
      outputs: ALONG_TWO_AXES,
      directml: logarithms(-222, -234, -112, 0, -231, 0, -11, -112),
      fields: { axes: [0, 2] },
    },
  ],
);

/** Two rows of three. */
const rows = (...values: readonly number[]) => rounded(4, tensor('float32', [2, 3], values));
const shares = rows(0.09, 0.2447, 0.6652, 0.3333, 0.3333, 0.3333);
const roughLogarithms = rows(-2.4076, -1.4076, -0.4076, -1.0986, -1.0986, -1.0986);

const alongRows = (type: OwnExample['descriptor']['type'], output: ReturnType<typeof rows>, fields = {}) =>
  unary(type, tensor('float32', [2, 3], [1, 2, 3, 1, 1, 1]), output, fields);

export const ours = [
  alongRows('activationSoftmax', shares),
  alongRows('activationSoftmax1', shares, { axes: [1] }),
  alongRows('activationLogSoftmax', roughLogarithms),
  alongRows('activationLogSoftmax1', roughLogarithms, { axes: [1] }),
  alongRows('activationHardmax', rows(0, 0, 1, 1, 0, 0)),
  alongRows('activationHardmax1', rows(0, 0, 1, 1, 0, 0), { axes: [1] }),
];
