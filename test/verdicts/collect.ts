/**
 * Chooses descriptors to store: of the seeded candidates of parity, and of all changes of one thing about some valid
 * ones, the shortest for each way in which they are refused.
 */
import type { OperatorType } from 'node-directml';
import { resolveByTable } from '#lib/validation/index.js';
import { writeJson } from '../conformance/case.js';
import type { LooseDescriptor } from '../parity/candidate.js';
import { candidates } from '../parity/operators.js';
import { Random } from '../random.js';
import { changesOf } from './changes.js';
import { ownDescriptors } from './own.js';
import { verdictOf, type Verdict } from './verdict.js';

const SEED = 20260101;
/** Of each operator. More find few new ways. */
const TRIED = 1_000;
/** How many of the valid ones are changed in every way. */
const BASES = 30;
/** Of those that a rule of the operator refuses in one way. */
const KEPT = 2;
/** Of those that the table refuses in one way, over all operators: most of it is the same for all. */
const KEPT_IN_ALL = 4;

/** The chosen ones of each operator. */
export function collect(operators: readonly OperatorType[]): Map<OperatorType, Verdict[]> {
  const seen = new Map<string, number>();
  return new Map(operators.map((operator) => [operator, collectOf(operator, seen)]));
}

function collectOf(operator: OperatorType, seen: Map<string, number>): Verdict[] {
  const chosen = new Map<string, LooseDescriptor[]>();
  const tryOne = (change: string, given: LooseDescriptor) => {
    const descriptor = withoutAbsent(given);
    const { verdict } = verdictOf(descriptor);
    if (verdict === 'valid') {
      keep(chosen, change, descriptor, 1);
      return;
    }
    const way = wayOf(verdict);
    if (passesTable(descriptor)) {
      keep(chosen, way, descriptor, KEPT);
      return;
    }
    const general = way.replace(/ \S+: (\S*\.|\S*\[#\]\.)?/, ' ');
    const count = seen.get(general) ?? 0;
    seen.set(general, count + 1);
    if (count < KEPT_IN_ALL) keep(chosen, way, descriptor, 1);
  };
  let bases = 0;
  for (let index = 0; index < TRIED; index++) {
    const candidate = candidates[operator]?.(Random.of(SEED, 'verdicts', operator, index));
    if (candidate === undefined) continue;
    // Layouts are the same for all operators.
    tryOne(candidate.rule.startsWith('valid') ? 'valid' : candidate.rule, candidate.descriptor);
    if (candidate.rule !== 'valid' || bases++ >= BASES) continue;
    for (const { what, descriptor } of changesOf(candidate.descriptor)) tryOne(what, descriptor);
  }
  const own = ownDescriptors.filter(({ type }) => type === operator);
  const distinct = new Map([...chosen.values(), own].flat().map((one) => [writeJson(one), one]));
  return [...distinct.values()].map(verdictOf).sort((a, b) => compare(a.verdict, b.verdict));
}

/** Keeps the shortest ones. */
function keep(chosen: Map<string, LooseDescriptor[]>, way: string, descriptor: LooseDescriptor, count: number): void {
  const all = [...(chosen.get(way) ?? []), descriptor];
  const lengths = new Map(all.map((one) => [one, writeJson(one).length]));
  chosen.set(way, all.sort((a, b) => (lengths.get(a) ?? 0) - (lengths.get(b) ?? 0)).slice(0, count));
}

function passesTable(descriptor: LooseDescriptor): boolean {
  try {
    resolveByTable(descriptor, '6.4');
    return true;
  } catch {
    return false;
  }
}

/** A verdict without its numbers, and without what was given. */
function wayOf(verdict: string): string {
  return verdict.replace(/, given .*?(?= \(|$)/, '').replaceAll(/\d+/g, '#').replaceAll(/(#, )+#/g, '#');
}

function withoutAbsent(descriptor: LooseDescriptor): LooseDescriptor {
  return { ...descriptor, ...Object.fromEntries(Object.entries(descriptor).filter(([, value]) => value !== undefined)) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
