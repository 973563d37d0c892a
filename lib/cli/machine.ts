/** Describes the machine for a report. */
import { availableParallelism, cpus, release, type, version } from 'node:os';
import type { Device } from '../index.js';
import { driverVersions } from './doctor/drivers.js';
import { counted } from './layout.js';
import { packageVersion } from './package-files.js';

interface Machine {
  readonly lines: readonly string[];
  readonly facts: object;
}

export async function describeMachine({ info }: Device): Promise<Machine> {
  const { adapter, backend, directmlVersion, featureLevel } = info;
  const [driverVersion = null] = adapter === null ? [] : await driverVersions([adapter]);
  const cpu = cpus()[0]?.model.trim() ?? null;
  const cores = availableParallelism();
  const facts = {
    package: packageVersion(),
    node: process.version,
    system: `${process.platform === 'win32' ? version() : type()} ${release()} ${process.arch}`,
    cpu,
    cores,
    backend,
    directmlVersion,
    featureLevel,
    adapter: adapter?.name ?? null,
    driverVersion,
  };
  const processor =
    adapter === null
      ? `${cpu ?? 'unknown CPU'} with ${counted(cores, 'core')}, reference backend`
      : `${adapter.name}, driver ${driverVersion ?? '(version unknown)'}`;
  const lines = [
    `node-directml ${facts.package}, Node.js ${facts.node.slice(1)}, ${facts.system}`,
    `DirectML ${directmlVersion ?? '(none)'}, feature level ${featureLevel}, ${processor}`,
  ];
  return { lines, facts };
}
