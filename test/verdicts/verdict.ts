/**
 * What validation says of the stored descriptors, word for word: one file per operator, one line per descriptor. It needs
 * no DirectML; that DirectML agrees is what `verdicts.windows.test.ts` asks.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperatorType } from 'node-directml';
import { DirectMLError } from '#lib/errors.js';
import { featureLevels } from '#lib/feature-level.js';
import { resolveDescriptor } from '#lib/validation/index.js';
import { strictRuleOf } from '#lib/validation/strict.js';
import { readJson, writeJson } from '../conformance/case.js';
import type { LooseDescriptor } from '../parity/candidate.js';

export interface Verdict {
  readonly descriptor: LooseDescriptor;
  /** At feature level 6.4: `valid`, or the error's code and message and, where it is a strict rule's, the rule. */
  readonly verdict: string;
  /** Of a valid one: the highest feature level that refuses it, and how. */
  readonly below?: readonly [level: string, verdict: string];
}

type Level = (typeof featureLevels)[number];

export function verdictOf(descriptor: LooseDescriptor): Verdict {
  const verdict = verdictAt(descriptor, '6.4');
  if (verdict !== 'valid') return { descriptor, verdict };
  const refusals = featureLevels.map((level) => [level, verdictAt(descriptor, level)] as const);
  const below = refusals.filter(([, refusal]) => refusal !== 'valid').at(-1);
  return below === undefined ? { descriptor, verdict } : { descriptor, verdict, below };
}

function verdictAt(descriptor: LooseDescriptor, level: Level): string {
  try {
    resolveDescriptor(descriptor, level);
    return 'valid';
  } catch (error) {
    if (!(error instanceof DirectMLError)) throw error;
    const rule = strictRuleOf(error);
    return `${error.code} ${error.message}${rule === undefined ? '' : ` [${rule}]`}`;
  }
}

export function readVerdicts(operator: OperatorType): Verdict[] {
  const lines = readFileSync(fileOf(operator), 'utf8').split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const verdict = readJson(line);
    if (!isVerdict(verdict)) throw new TypeError(`no verdict: ${line}`);
    return verdict;
  });
}

export function writeVerdicts(operator: OperatorType, verdicts: readonly Verdict[]): void {
  // The verdict first, for that is what a difference is looked for in.
  const lines = verdicts.map(({ verdict, below, descriptor }) => writeJson({ verdict, below, descriptor }));
  writeFileSync(fileOf(operator), `${lines.join('\n')}\n`);
}

function fileOf(operator: OperatorType): string {
  return join(process.cwd(), 'test', 'verdicts', 'stored', `${operator}.jsonl`);
}

function isVerdict(value: unknown): value is Verdict {
  return typeof value === 'object' && value !== null && 'verdict' in value && 'descriptor' in value;
}
