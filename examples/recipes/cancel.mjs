import { createDevice } from 'node-directml';
import { elementWiseMultiply as multiply, reduce } from 'node-directml/operators';

const device = await createDevice();
const sumOfSquares = device.jit((x) => reduce(multiply(x, x), { function: 'sum', axes: [0] }));

async function total(batches, { signal, onProgress }) {
  let [sum, done] = [0, 0];
  for (const batch of batches) {
    sum += await device.scope(async () => {
      const x = device.tensor(batch);
      const [part] = await (await sumOfSquares(x)).read({ signal }); // rejects if the signal is aborted before or meanwhile
      return part;
    });
    onProgress(++done);
  }
  return sum;
}

const batches = Array.from({ length: 1000 }, (_, i) => [i, i + 1]);
const controller = new AbortController();
const onProgress = (done) => done === 3 && controller.abort('the user has left');
try {
  await total(batches, { signal: controller.signal, onProgress });
} catch (error) {
  if (error.name !== 'AbortError') throw error;
  console.log(error.code, error.cause); // ERR_ABORTED the user has left
}
device.dispose();
