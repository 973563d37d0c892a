// @ts-check
// Describes the machine, the adapter and the versions with which a benchmark was measured.
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../scripts/shared/common.mjs';

/**
 * The adapter and the versions that the DirectML part of the benchmark reports.
 * @typedef {object} Surroundings
 * @property {{ name: string, driver: string | null }} adapter
 * @property {string} directml
 * @property {string} node
 */

/** Returns the machine, the adapter and the versions. Without DirectML, `surroundings` is null. */
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

/** Formats the description as three lines of text. */
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

/** Dependencies are listed with exact versions. @returns {{ version: string, devDependencies: Record<string, string> }} */
function manifestIn(/** @type {string} */ folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
