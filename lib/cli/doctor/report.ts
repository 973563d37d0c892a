/**
 * The file of `node-directml doctor --report`: what the doctor found, and for each adapter a benchmark and a short conformance run.
 * It is written after each part: if a driver ends more than the process that tries it, the file still has all that came before.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '../package-files.js';
import { readReportFile, writeReportFile, type AdapterReport } from '../report-file.js';
import { runProgram } from './child-process.js';
import type { AdapterDiagnosis } from './gather.js';

/** In milliseconds. Both take minutes on a software adapter. */
const timeout = 30 * 60_000;
const casesPerOperator = 3;

interface ReportRequest {
  readonly file: string;
  /** The lines that the doctor prints. */
  readonly findings: readonly string[];
  readonly adapters: readonly AdapterDiagnosis[];
}

/** @throws {UsageError} if the file cannot be written */
export async function writeReport({ file, findings, adapters }: ReportRequest, progress: (text: string) => void): Promise<void> {
  const reports: AdapterReport[] = [];
  const write = (present: AdapterReport[] = []) => writeReportFile(file, [...reports, ...present], findings);
  write();
  const folder = mkdtempSync(join(tmpdir(), 'node-directml-report-'));
  try {
    for (const { luid, name, trial } of adapters) {
      if (trial === null || 'error' in trial) continue;
      let report: AdapterReport = { adapter: name };
      const failures: string[] = [];
      for (const [part, ...args] of [
        ['bench', '--seconds', '0'],
        ['conformance', '--cases', `${casesPerOperator}`],
      ] as const) {
        progress(`${part} of ${name}`);
        write([{ ...report, failures: [...failures, `${part} was begun and has not ended`] }]);
        const made = join(folder, `${part}.json`);
        // The exit code 1 means that there are mismatches, which the part names.
        const program = [programFile(), part, ...args, '--report', made, '--adapter', luid];
        const { output, failure } = await runProgram(program, timeout, [0, 1]);
        if (existsSync(made)) report = { ...report, ...readReportFile(made) };
        else failures.push(`${part}: the process ${failure ?? 'wrote nothing'}. It had printed: ${output}`);
        rmSync(made, { force: true });
      }
      reports.push({ ...report, failures });
      write();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
