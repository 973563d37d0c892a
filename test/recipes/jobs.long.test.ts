/** The recipe for jobs over several machines, with a Redis server of its own: results, a lost device, and processes that end. */
import { Queue, QueueEvents } from 'bullmq';
import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textOf } from '../support/pages.js';
import { startRedis, type Redis } from './redis.js';

const program = (name: string) => fileURLToPath(new URL(`../../examples/recipes/${name}.mjs`, import.meta.url));

let redis: Redis;
let env: NodeJS.ProcessEnv;
let starter: ChildProcess;
let queue: Queue;

beforeAll(async () => {
  redis = await startRedis();
  env = { ...process.env, REDIS_URL: redis.url };
  starter = fork(program('job-workers'), [], { env });
  queue = new Queue('lengths', { connection: { url: redis.url } });
});

afterAll(async () => {
  starter.kill('SIGKILL');
  await queue.close();
  await redis.stop();
});

test('all jobs give their results, and only the job whose device was lost is tried twice', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program('jobs')], { env });
  const [, stated = ''] = /waitUntilFinished\(events\)\); \/\/ (.*)/.exec(textOf('docs/recipes.md')) ?? [];
  expect(stdout.trim().split('\n')).toEqual(stated.split(', then '));
  const jobs = await queue.getCompleted();
  expect(jobs.map(({ data, attemptsMade }) => attemptsMade - Number(data.simulateLoss))).toEqual([1, 1, 1]);
});

test('a worker process that is killed is started again, and works', async () => {
  const [killed = 0] = workersOf(starter);
  process.kill(killed, 'SIGKILL');
  const events = new QueueEvents('lengths', { connection: { url: redis.url } });
  const job = await queue.add('batch', { vectors: [[3, 4]] });
  expect(await job.waitUntilFinished(events)).toEqual([5]);
  expect(workersOf(starter)).not.toContain(killed);
  await events.close();
});

test('the workers end if the program that starts them ends', async () => {
  const workers = workersOf(starter);
  expect(workers).toHaveLength(1);
  starter.kill();
  await once(starter, 'exit');
  while (workers.some((pid) => existsSync(`/proc/${pid}`))) await delay(20);
});

/** The process IDs of the program's child processes. Linux only, as is Debian's server. */
function workersOf({ pid }: ChildProcess): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}
