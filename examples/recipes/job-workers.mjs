// job-workers.mjs
import { fork } from 'node:child_process';
import { listAdapters } from 'node-directml';

/** Keeps a process for an adapter running, or for the default device. */
function start(luid) {
  const program = new URL('job-worker.mjs', import.meta.url);
  fork(program, luid === undefined ? [] : [luid]).on('exit', (code) => {
    if (code !== 0) setTimeout(start, 1000, luid); // a driver crashed
  });
}

const adapters = (await listAdapters()).filter(({ isSoftware, d3d12FeatureLevel }) => !isSoftware && d3d12FeatureLevel !== null);
if (adapters.length === 0) start();
for (const { luid } of adapters) start(luid);
