// @ts-check
// Writes what Windows' node.exe measured to a file, which run.mjs reads.
import { writeFileSync } from 'node:fs';
import { driverVersions } from '#lib/cli/doctor/drivers.js';

/**
 * @param {string} file
 * @param {Pick<import('node-directml').DeviceInfo, 'adapter' | 'directmlVersion'>} info of a device of DirectML
 * @param {readonly unknown[]} measured
 */
export async function writeReport(file, { adapter, directmlVersion: directml }, measured) {
  if (adapter === null || directml === null) throw new Error('the device is not one of DirectML');
  const [driver = null] = await driverVersions([adapter]);
  /** @type {import('./machine.mjs').Surroundings} */
  const surroundings = { adapter: { name: adapter.name, driver }, directml, node: process.versions.node };
  writeFileSync(file, JSON.stringify({ surroundings, measured }));
}
