/** Collects what the doctor judges. */
import { release, type, version } from 'node:os';
import { basename } from 'node:path';
import { loadAddon } from '../../backends/directml/addon.js';
import { listAdapters, type AdapterInfo } from '../../index.js';
import { builtFile, packageVersion } from '../package-files.js';
import { runProgram } from './child-process.js';
import { driverVersions } from './drivers.js';
import { systemFile, type FileFacts } from './system-files.js';
import { errorFacts, tryDevice, type ErrorFacts, type TrialResult } from './trial.js';

/** Everything that the doctor found out. */
export interface Diagnosis {
  readonly package: string;
  readonly node: string;
  readonly platform: string;
  readonly arch: string;
  /** The name and the version of the operating system. */
  readonly system: { readonly name: string; readonly version: string };
  /** The addon and the DLLs of Windows; empty on other systems. */
  readonly files: readonly FileFacts[];
  /** Why there is no list of adapters. */
  readonly error: ErrorFacts | null;
  readonly adapters: readonly AdapterDiagnosis[];
  /** Why the debug layers cannot be used; null if they can, or if nothing was tried. */
  readonly debugLayer: ErrorFacts | null;
  readonly reference: TrialResult;
}

export interface AdapterDiagnosis extends AdapterInfo {
  readonly driverVersion: string | null;
  /** Null if Direct3D 12 cannot use the adapter. */
  readonly trial: TrialResult | null;
}

/** In milliseconds. Creating a device takes at most a second, and Windows resets a driver that hangs after two. */
const timeout = 60_000;

/** @param progress called with the current step. */
export async function gather(progress: (text: string) => void): Promise<Diagnosis> {
  progress('the reference backend');
  const reference = await tryDevice({ backend: 'reference' });
  const about = {
    package: packageVersion(),
    node: process.version,
    platform: process.platform,
    arch: process.arch,
    // On other systems, `version()` describes the build of the kernel.
    system: { name: process.platform === 'win32' ? version() : type(), version: release() },
    reference,
  };
  const none = { ...about, files: [], error: null, adapters: [], debugLayer: null };
  if (process.platform !== 'win32') return none;
  const system = ['d3d12.dll', 'dxgi.dll'].map(systemFile);
  try {
    const addon = { name: basename(loadAddon().path), path: loadAddon().path, version: null };
    const adapters = await tryAdapters(await listAdapters(), progress);
    progress('the debug layers');
    const first = adapters.find(({ trial }) => trial !== null && !('error' in trial));
    const debugged = first === undefined ? null : await tryInProcess(first.luid, 'debug');
    const debugLayer = debugged !== null && 'error' in debugged ? debugged.error : null;
    return { ...none, files: [addon, ...system], adapters, debugLayer };
  } catch (error) {
    return { ...none, files: system, error: errorFacts(error) };
  }
}

async function tryAdapters(list: readonly AdapterInfo[], progress: (text: string) => void): Promise<AdapterDiagnosis[]> {
  const versions = await driverVersions(list);
  const all: AdapterDiagnosis[] = [];
  for (const [i, adapter] of list.entries()) {
    progress(`adapter ${i + 1} of ${list.length}, ${adapter.name}`);
    const trial = adapter.d3d12FeatureLevel === null ? null : await tryInProcess(adapter.luid);
    all.push({ ...adapter, driverVersion: versions[i] ?? null, trial });
  }
  return all;
}

async function tryInProcess(luid: string, ...more: readonly string[]): Promise<TrialResult> {
  const { output, failure } = await runProgram([builtFile('doctor', 'trial-process.js'), luid, ...more], timeout);
  const crash = (how: string) => ({ error: { code: 'crash', message: `the process that tried it ${how}` } });
  if (failure !== null) return crash(failure);
  try {
    const result: unknown = JSON.parse(output);
    if (isResult(result)) return result;
  } catch {
    // It is no JSON.
  }
  return crash('printed something else than its result');
}

function isResult(value: unknown): value is TrialResult {
  return typeof value === 'object' && value !== null && ('error' in value || 'computed' in value);
}
