/**
 * The file of `node-directml doctor --report`: what the doctor found, and for each adapter a benchmark and a short conformance run.
 * People attach it to an issue, so it has no folders of theirs. It is written after each part: if a driver ends more than the
 * process that tries it, the file still has all that came before.
 */
import { writeFileSync } from 'node:fs';
import { UsageError } from '../command.js';
import { programFile } from '../package-files.js';
import { withoutFolders } from './anonymous.js';
import { runProgram, type Ended } from './child-process.js';
import type { AdapterDiagnosis } from './gather.js';

/** In milliseconds. Both take minutes on a software adapter. */
const timeout = 30 * 60_000;
const casesPerOperator = 3;

interface ReportRequest {
  readonly file: string;
  /** What the doctor prints. */
  readonly findings: string;
  readonly adapters: readonly AdapterDiagnosis[];
}

/** @throws {UsageError} if the file cannot be written */
export async function writeReport({ file, findings, adapters }: ReportRequest, progress: (text: string) => void): Promise<void> {
  const parts = ['# Report of node-directml doctor', block(findings)];
  const write = (doing = '') => writeText(file, `${withoutFolders([...parts, doing].join('\n\n')).trimEnd()}\n`);
  write();
  for (const [i, adapter] of adapters.entries()) {
    const { luid, name, trial } = adapter;
    if (trial === null || 'error' in trial) continue;
    for (const [title, args] of [
      ['benchmark', ['bench', '--seconds', '0']],
      ['conformance', ['conformance', '--cases', `${casesPerOperator}`]],
    ] as const) {
      const heading = `## Adapter ${i + 1}, ${name}: ${title}`;
      progress(`${title} of adapter ${i + 1}, ${name}`);
      write(`${heading}\n\nIt was begun and has not ended.`);
      // The exit code 1 means that there are mismatches, which are in the output.
      parts.push(`${heading}\n\n${resultText(await runProgram([programFile(), ...args, '--adapter', luid], timeout, [0, 1]))}`);
      write();
    }
  }
}

function resultText({ output, failure }: Ended): string {
  return failure === null ? block(output) : `**The process ${failure}.** It had printed:\n\n${block(output)}`;
}

/** A block of code in Markdown. No output contains its fence. */
function block(text: string): string {
  return `~~~~~text\n${text.trim()}\n~~~~~`;
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`--report ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
