/**
 * The verdicts of validation on the stored descriptors, with the words of errors: one file per operator, one line per descriptor.
 * They need no DirectML; `verdicts.windows.long.test.ts` checks that DirectML agrees.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperatorType } from 'node-directml';
import { DirectMLError } from '#lib/values/errors.js';
import { featureLevels } from '#lib/descriptors/feature-level.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { strictRuleOf } from '#lib/descriptors/strict.js';
import { readJson, writeJson } from '../cases/case.js';
import { fieldsOf, isTensor, type LooseDescriptor, type LooseTensor } from '../descriptors/candidate.js';
import { ownDescriptors } from './own.js';

export interface Verdict {
  readonly descriptor: LooseDescriptor;
  /** At feature level 6.4: `valid`, or the code and the message of the error, with the name of the rule if it is a strict one. */
  readonly verdict: string;
  /** For a valid descriptor: the highest feature level that refuses it, and the verdict there. */
  readonly below?: readonly [level: string, verdict: string];
  /** The verdict at feature level 6.4 if outputs are empty objects, if it differs. */
  readonly withoutOutputs?: string;
  /** The verdict at feature level 6.4 if outputs have only data types, if it differs. */
  readonly withoutSizes?: string;
}

type Level = (typeof featureLevels)[number];

export function verdictOf(descriptor: LooseDescriptor): Verdict {
  const verdict = verdictAt(descriptor, '6.4');
  const withoutOutputs = verdictAt(
    withOutputs(descriptor, () => ({})),
    '6.4',
  );
  const withoutSizes = verdictAt(
    withOutputs(descriptor, ({ dataType }) => ({ dataType })),
    '6.4',
  );
  const below = verdict === 'valid' ? belowOf(descriptor) : undefined;
  return {
    descriptor,
    verdict,
    ...(below === undefined ? {} : { below }),
    ...(withoutOutputs === verdict ? {} : { withoutOutputs }),
    ...(withoutSizes === verdict ? {} : { withoutSizes }),
  };
}

function belowOf(descriptor: LooseDescriptor): Verdict['below'] {
  const refusals = featureLevels.map((level) => [level, verdictAt(descriptor, level)] as const);
  return refusals.findLast(([, refusal]) => refusal !== 'valid');
}

/** The descriptor with its present outputs changed. */
export function withOutputs(descriptor: LooseDescriptor, change: (output: LooseTensor) => object): LooseDescriptor {
  const copy = { ...descriptor };
  for (const { name, role } of fieldsOf(descriptor)) {
    const value = descriptor[name];
    if (role !== 'output') continue;
    if (isTensor(value)) copy[name] = change(value);
    else if (Array.isArray(value)) copy[name] = value.map((output) => (isTensor(output) ? change(output) : output));
  }
  return copy;
}

export function verdictAt(descriptor: object, level: Level): string {
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
  const lines = readFileSync(fileOf(operator), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => {
    const verdict = readJson(line);
    if (!isVerdict(verdict)) throw new TypeError(`no verdict: ${line}`);
    return verdict;
  });
}

/** The descriptors, each once, and those that `own.ts` has of the operator. */
export function withOwn(operator: OperatorType, descriptors: readonly LooseDescriptor[]): readonly LooseDescriptor[] {
  const all = [...descriptors, ...ownDescriptors.filter(({ type }) => type === operator)];
  return [...new Map(all.map((one) => [writeJson(one), one])).values()];
}

export function writeVerdicts(operator: OperatorType, verdicts: readonly Verdict[]): void {
  const sorted = verdicts.toSorted((a, b) => (a.verdict < b.verdict ? -1 : a.verdict > b.verdict ? 1 : 0));
  // The verdict comes first, because that is where readers look for a difference.
  const lines = sorted.map(({ descriptor, ...said }) => writeJson({ ...said, descriptor }));
  writeFileSync(fileOf(operator), `${lines.join('\n')}\n`);
}

function fileOf(operator: OperatorType): string {
  return join(process.cwd(), 'checks', 'verdicts', 'stored', `${operator}.jsonl`);
}

function isVerdict(value: unknown): value is Verdict {
  return typeof value === 'object' && value !== null && 'verdict' in value && 'descriptor' in value;
}
