/** Judges a diagnosis: what is well, what is wrong, and what to do about it. */
import { dirname } from 'node:path/win32';
import { counted } from '../layout.js';
import { memoryFact } from './adapter-text.js';
import type { AdapterDiagnosis, Diagnosis } from './gather.js';
import { remedyFor } from './remedies.js';
import type { FileFacts } from './system-files.js';
import type { TrialResult } from './trial.js';
import { difference, known } from './workloads.js';

/** `note`: not ideal, but nothing is broken. */
export type Verdict = 'ok' | 'note' | 'wrong';

interface Finding {
  readonly verdict: Verdict;
  readonly text: string;
  /** The file that it is about. */
  readonly path?: string | undefined;
  /** What to do; never for `ok`. */
  readonly remedy?: string | undefined;
}

export interface Section {
  readonly title: string;
  readonly findings: readonly Finding[];
}

const oldestNode = 20;
/** The build of Windows 10, version 1903. */
const oldestWindows = 18362;

const ok = (text: string, path?: string): Finding => ({ verdict: 'ok', text, ...(path === undefined ? {} : { path }) });
const note = (text: string, remedy?: string): Finding => ({ verdict: 'note', text, remedy });
const wrong = (text: string, remedy: string): Finding => ({ verdict: 'wrong', text, remedy });

export function judge(diagnosis: Diagnosis): Section[] {
  const isWindows = diagnosis.platform === 'win32';
  return [
    { title: 'System', findings: [nodeFinding(diagnosis), systemFinding(diagnosis)] },
    ...(isWindows ? [{ title: 'Files', findings: fileFindings(diagnosis) }, ...adapterSections(diagnosis)] : []),
    { title: 'Reference backend', findings: [referenceFinding(diagnosis)] },
  ];
}

function nodeFinding({ node, platform, arch }: Diagnosis): Finding {
  const text = `Node.js ${node.slice(1)} for ${platform}-${arch}`;
  if (Number(/^v(\d+)/.exec(node)?.[1]) < oldestNode) return wrong(text, `Install Node.js ${oldestNode} or later: nodejs.org`);
  if (platform === 'win32' && !['x64', 'arm64'].includes(arch)) {
    return wrong(text, 'Install Node.js for x64 or arm64: the package has no addon for other processors.');
  }
  return ok(text);
}

function systemFinding({ platform, system }: Diagnosis): Finding {
  const text = `${system.name}, ${system.version}`;
  if (platform !== 'win32') {
    return note(
      `${text}: DirectML is part of Windows`,
      'Use the reference backend, which is the default here. It computes every operator on the CPU, slowly.',
    );
  }
  const [major = 0, , build = 0] = system.version.split('.').map(Number);
  if (major < 10 || (major === 10 && build < oldestWindows)) return wrong(text, 'Update to Windows 10, version 1903, or later.');
  return ok(text);
}

function fileFindings({ files, error, adapters }: Diagnosis): Finding[] {
  const directml = loadedDirectml(adapters);
  const addon = files.find(({ name }) => name.endsWith('.node'));
  return [
    ...(error?.code === 'ERR_ADDON_NOT_FOUND' ? [wrong(firstLine(error.message), remedyFor(error))] : []),
    ...files.map((file) => fileFinding(file)),
    ...(directml === null || addon?.path == null ? [] : [directmlFinding(directml, dirname(addon.path))]),
  ];
}

function fileFinding({ name, path, version }: FileFacts): Finding {
  if (path === null) return wrong(`${name}: not found`, `Repair Windows: it has ${name} in its folder System32.`);
  return ok(`${name}${version === null ? '' : ` ${version}`}`, path);
}

/** The DirectML.dll that devices loaded; all load the same one. */
function loadedDirectml(adapters: readonly AdapterDiagnosis[]): FileFacts | null {
  for (const { trial } of adapters) {
    if (trial === null || 'error' in trial) continue;
    return { name: 'DirectML.dll', path: trial.directmlPath, version: trial.directmlVersion };
  }
  return null;
}

function directmlFinding({ version, path }: FileFacts, packageFolder: string): Finding {
  const text = `DirectML.dll ${version ?? ''}`;
  if (path !== null && dirname(path).toLowerCase() === packageFolder.toLowerCase()) return ok(text, path);
  const remedy = 'Install the package again: its own DirectML.dll is missing, so that of Windows was loaded, which is older.';
  return { ...wrong(`${text}, not the one of the package`, remedy), path: path ?? '' };
}

function adapterSections({ adapters, error, reference, debugLayer }: Diagnosis): Section[] {
  if (error !== null) {
    // Without the addon, nothing is known about adapters; the findings about files say why.
    const findings = [wrong(firstLine(error.message), remedyFor(error))];
    return error.code === 'ERR_ADDON_NOT_FOUND' ? [] : [{ title: 'Adapters', findings }];
  }
  if (adapters.length === 0) {
    return [{ title: 'Adapters', findings: [wrong('Windows lists no adapter', remedyFor({ code: 'ERR_NO_ADAPTER' }))] }];
  }
  const isAnyUsable = adapters.some(({ trial }) => trial !== null);
  const sections = adapters.map((adapter, i) => ({
    title: `Adapter ${i + 1}: ${adapter.name}`,
    findings: adapterFindings(adapter, reference, isAnyUsable),
  }));
  const usable = adapters.filter(({ trial }) => trial !== null);
  const slow =
    usable.length > 0 && usable.every(({ isSoftware }) => isSoftware)
      ? [{ title: 'Speed', findings: [note('only a software adapter can be used', remedyFor({ code: 'only software' }))] }]
      : [];
  return [...sections, ...slow, { title: 'Debug layers', findings: [debugFinding(debugLayer)] }];
}

function adapterFindings(adapter: AdapterDiagnosis, reference: TrialResult, isAnyUsable: boolean): Finding[] {
  const { luid, driverVersion, d3d12FeatureLevel, isSoftware, trial } = adapter;
  const kind = isSoftware ? 'software adapter' : 'hardware adapter';
  const about = [
    ok(`${kind}, LUID ${luid}, driver ${driverVersion ?? '(version unknown)'}`),
    ok(memoryFact(adapter)),
    ...(d3d12FeatureLevel === null ? [] : [ok(`Direct3D feature level ${d3d12FeatureLevel.replace('_', '.')}`)]),
  ];
  if (trial === null) {
    const text = 'Direct3D 12 cannot use it';
    const remedy = remedyFor({ code: 'ERR_NO_ADAPTER' });
    return [...about, isAnyUsable ? note(text, remedy) : wrong(text, remedy)];
  }
  if ('error' in trial)
    return [...about, wrong(`${trial.error.code}: ${firstLine(trial.error.message)}`, remedyFor(trial.error))];
  const weights = trial.fusesWeights === null ? [] : [ok(`4-bit weights: ${weightsFact(trial.fusesWeights)}`)];
  return [...about, ok(`DirectML feature level ${trial.featureLevel}`), computedFinding(trial, reference), ...weights];
}

function weightsFact(fuses: boolean): string {
  if (fuses) return 'dequantize and gemm are one operation in graphs';
  return 'dequantize writes floats for gemm, since this driver does not take both as one operation';
}

function computedFinding(trial: Extract<TrialResult, { computed: unknown }>, reference: TrialResult): Finding {
  const names = trial.computed.map(({ name }) => name).join(', ');
  if ('error' in reference) return note(`${names}: computed, with nothing to compare`);
  const found = difference(reference.computed, trial.computed);
  if (found !== null) return wrong(`other numbers than the reference: ${found}`, remedyFor({ code: 'wrong numbers' }));
  const milliseconds = trial.computed.reduce((sum, computed) => sum + computed.milliseconds, 0);
  return ok(`${names}: equal to the reference (${milliseconds.toFixed(0)} ms)`);
}

function debugFinding(error: Diagnosis['debugLayer']): Finding {
  if (error === null) return ok('Direct3D and DirectML have theirs: createDevice({ debug: true }) explains errors');
  return note(firstLine(error.message), remedyFor({ code: 'no debug layer' }));
}

function referenceFinding({ reference }: Diagnosis): Finding {
  const remedy = remedyFor({ code: 'reference' });
  if ('error' in reference) return wrong(firstLine(reference.error.message), remedy);
  const found = difference([known], reference.computed);
  if (found !== null) return wrong(`wrong numbers: ${found}`, remedy);
  const names = reference.computed.map(({ name }) => name).join(', ');
  return ok(`${names}: computed on the CPU`);
}

/** `All is well`, or how many things are wrong. */
export function conclusion(sections: readonly Section[], isWindows: boolean): string {
  const count = sections.flatMap(({ findings }) => findings).filter(({ verdict }) => verdict === 'wrong').length;
  if (count > 0) return `${counted(count, 'thing')} ${count === 1 ? 'is' : 'are'} wrong.`;
  return isWindows
    ? 'All is well: DirectML works here.'
    : 'All is well: the reference backend works here. DirectML needs Windows.';
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
