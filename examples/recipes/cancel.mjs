import { createDevice } from 'node-directml';
import { square, sum } from 'node-directml/array';

const device = await createDevice();
const sumOfSquares = device.jit((x) => sum(square(x)));

async function total(batches, { signal, onProgress }) {
  let [result, done] = [0, 0];
  for (const batch of batches) {
    result += await device.scope(async () => {
      const [part] = await (await sumOfSquares(device.tensor(batch))).read({ signal }); // rejects if the signal is aborted
      return part;
    });
    onProgress(++done);
  }
  return result;
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
