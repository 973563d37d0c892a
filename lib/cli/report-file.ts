/**
 * The file of `--report`: what a machine showed, in the form that docs/reports/ of the repository collects. It has no names of
 * people, machines or folders.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { UsageError, type OptionSpec } from './command.js';
import { withoutFolders } from './doctor/anonymous.js';

/** What one adapter showed: the facts of the machine, and the parts that were measured. */
export type AdapterReport = Readonly<Record<string, unknown>>;

/** @param what what the file then has */
export function reportOption(what: string): OptionSpec {
  return { value: 'FILE.json', help: `${what} in a file to attach to an issue`, otherNames: ['--output', '--save'] };
}

/** @throws {UsageError} if the file cannot be written */
export function writeReportFile(file: string, adapters: readonly AdapterReport[], findings: readonly string[] = []): void {
  const report = { report: 'node-directml', version: 1, findings, adapters };
  const cleaned = (_: string, value: unknown) => (typeof value === 'string' ? withoutFolders(value) : value);
  try {
    writeFileSync(file, `${JSON.stringify(report, cleaned, 2)}\n`);
  } catch (error) {
    throw new UsageError(`--report ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The first adapter of a file that another process wrote. */
export function readReportFile(file: string): AdapterReport {
  const { adapters } = JSON.parse(readFileSync(file, 'utf8')) as { readonly adapters: readonly AdapterReport[] };
  return adapters[0] ?? {};
}
