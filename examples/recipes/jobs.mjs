// jobs.mjs
import { Queue, QueueEvents } from 'bullmq';

const connection = { url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' };
const queue = new Queue('lengths', { connection });
const events = new QueueEvents('lengths', { connection });
const retries = { attempts: 5, backoff: { type: 'exponential', delay: 1000 } };

const batches = [1, 2, 3].map((n) => ({ vectors: [[3 * n, 4 * n]], simulateLoss: n === 2 }));
const jobs = await queue.addBulk(batches.map((data) => ({ name: 'batch', data, opts: retries })));
for (const job of jobs) console.log(await job.waitUntilFinished(events)); // [ 5 ], then [ 10 ], then [ 15 ]
await Promise.all([events.close(), queue.close()]);
