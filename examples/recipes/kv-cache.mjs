import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';
import { linear } from 'node-directml/nn';

const [width, context] = [4, 16];
const device = await createDevice();
const wave = (n, length) => Array.from({ length }, (_, i) => 2 * Math.sin(n * (i + 1) ** 2)); // instead of a model's weights
const weight = (rows, i) => device.tensor(wave(i + 1, rows * width), { sizes: [rows, width] });
const [words, toWord, toQuery, toKey, toValue] = [8, 8, 4, 4, 4].map(weight);
const [query, key, value, attended] = [1, 2, 3, 4].map(() => device.createTensor({ dataType: 'float32', sizes: [1, 1, width] }));
const [keys, values] = [1, 2].map(() => device.createTensor({ dataType: 'float32', sizes: [1, 1, context, width] }));
const [token, length] = [[[0]], [0]].map((number) => device.tensor(number, { dataType: 'int32' }));

const project = device.jit((id) => {
  const x = np.take(words, id, { axis: 0 });
  return [toQuery, toKey, toValue].map((matrix) => np.matmul(x, matrix));
});
const choose = device.jit((x) => np.argmax(linear(x, { weight: toWord }), { axis: 2 }));
const [before, after] = [await project.compile(token), await choose.compile(attended)];
const inputs = { queryTensor: query, keyTensor: key, valueTensor: value, queryHeadCount: 1, keyValueHeadCount: 1 };
const cache = { pastSequenceLengthsTensor: length, outputPresentKeyTensor: keys, outputPresentValueTensor: values };
const attention = await device.prepare({ type: 'multiheadAttention1', ...inputs, ...cache, outputTensor: attended });
for (let n = 0; n < 6; n++) {
  length.write([n]);
  before.dispatch({ 'args[0]': token, 'result[0]': query, 'result[1]': key, 'result[2]': value });
  attention.dispatch();
  after.dispatch({ 'args[0]': attended, result: token });
  console.log((await token.read())[0]); // 6, then 4, then 4, then 0, then 5, then 6
}
device.dispose();
