// job-worker.mjs
import { Worker } from 'bullmq';
import { createDevice } from 'node-directml';
import { norm } from 'node-directml/array';

const [adapter] = process.argv.slice(2);
const connection = { url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' };
let opened;

async function open() {
  const device = await createDevice({ adapter });
  return { device, lengths: device.jit((vectors) => norm(vectors, { axis: 1 })) };
}

const work = async ({ data, attemptsMade }) => {
  try {
    const { device, lengths } = await (opened ??= open());
    if (data.simulateLoss && attemptsMade === 0) device.simulateLoss(); // only to try what happens then
    return await device.scope(async () => {
      const vectors = device.tensor(data.vectors);
      return (await lengths(vectors)).toArray();
    });
  } catch (error) {
    opened = undefined; // the next job opens another device
    throw error; // Redis keeps the job, and some worker tries it again
  }
};
const worker = new Worker('lengths', work, { connection }).on('error', console.error);
process.once('disconnect', () => worker.close()); // job-workers.mjs has ended: ends the current job, and then this process
