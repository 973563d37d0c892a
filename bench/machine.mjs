// @ts-check
// Where a benchmark was measured, and with what.
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../scripts/shared/common.mjs';

/**
 * What the DirectML part of the benchmark says of itself.
 * @typedef {object} Surroundings
 * @property {{ name: string, driver: string | null }} adapter
 * @property {string} directml
 * @property {string} node
 */

/** The machine, the adapter and the versions. Without DirectML, `surroundings` is null. */
export function describe(/** @type {Surroundings | null} */ surroundings) {
  const [cpu] = cpus();
  return {
    machine: {
      cpu: cpu?.model.trim() ?? null,
      cores: availableParallelism(),
      memoryBytes: totalmem(),
      os: `${type()} ${release()} ${arch()}`,
    },
    // The sandbox computes in software, whatever its Windows calls the adapter.
    adapter: surroundings === null ? null : { ...surroundings.adapter, inSoftware: process.platform !== 'win32' },
    versions: {
      node: process.versions.node,
      // The DirectML part runs in the sandbox's Windows.
      ...(process.platform === 'win32' || surroundings === null ? {} : { nodeInSandbox: surroundings.node }),
      'node-directml': manifestIn(checkout).version,
      directml: surroundings?.directml ?? null,
      onnxruntime: manifestIn(join(checkout, 'native')).devDependencies['onnxruntime-node'],
      tensorflowjs: manifestIn(checkout).devDependencies['@tensorflow/tfjs-core'],
    },
  };
}

/** Three lines for people. */
export function lines(/** @type {ReturnType<typeof describe>} */ { machine, adapter, versions }) {
  const { node, nodeInSandbox, directml } = versions;
  const nodes = nodeInSandbox === undefined ? node : `${node} (${nodeInSandbox} in the sandbox)`;
  const driver = adapter?.inSoftware ? 'which the sandbox computes in software' : `driver ${adapter?.driver ?? '(unknown)'}`;
  return [
    `${machine.cpu ?? 'unknown CPU'}, ${machine.cores} cores, ${(machine.memoryBytes / 2 ** 30).toFixed(1)} GiB, ${machine.os}`,
    adapter === null ? 'no adapter: the CPU computes' : `${adapter.name}, ${driver}, DirectML ${directml}`,
    `node-directml ${versions['node-directml']}, Node.js ${nodes}, onnxruntime ${versions.onnxruntime}, ` +
      `TensorFlow.js ${versions.tensorflowjs}`,
  ];
}

/** Dependencies are named by their exact versions. @returns {{ version: string, devDependencies: Record<string, string> }} */
function manifestIn(/** @type {string} */ folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
