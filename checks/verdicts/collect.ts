/**
 * Selects the descriptors to store. From the seeded candidates of parity and from all single changes of some valid ones, it keeps
 * the shortest and the longest for each kind of refusal. It adds the edges of valid numbers.
 */
import type { OperatorType } from 'node-directml';
import { resolveByTable } from '#lib/operators/resolve.js';
import { writeJson } from '../cases/case.js';
import type { LooseDescriptor } from '../descriptors/candidate.js';
import { candidates } from '../descriptors/operators.js';
import { Random } from '../harness/random.js';
import { changesOf } from './changes.js';
import { edgesOf, withFollowingOutputs } from './edges.js';
import { ownDescriptors } from './own.js';
import { verdictAt, verdictOf, withOutputs, type Verdict } from './verdict.js';

const SEED = 20260101;
/** The number of candidates per operator. More find few new kinds of refusal. */
const TRIED = 1_000;
/** The number of valid candidates per operator to which all single changes are applied. */
const BASES = 30;
/** The number of these candidates whose edges are searched. */
const EDGED = 4;
/** The number of shortest descriptors to keep per operator and kind of refusal by a rule. The longest one is kept as well. */
const KEPT = 2;
/** The number of descriptors to keep per kind of refusal by the table, over all operators, because they share its checks. */
const KEPT_IN_ALL = 4;

interface Chosen {
  readonly descriptor: LooseDescriptor;
  /** The length of its JSON. */
  readonly length: number;
}

/** The selected descriptors of each operator, with their verdicts. */
export function collect(operators: readonly OperatorType[]): Map<OperatorType, Verdict[]> {
  const seen = new Map<string, number>();
  return new Map(operators.map((operator) => [operator, collectOf(operator, seen)]));
}

function collectOf(operator: OperatorType, seen: Map<string, number>): Verdict[] {
  const chosen = new Map<string, Chosen[]>();
  const tryOne = (change: string, given: LooseDescriptor) => {
    const descriptor = withoutAbsent(given);
    const verdict = verdictAt(descriptor, '6.4', 'message');
    if (verdict === 'valid') {
      keep(chosen, change, descriptor, 1);
      return;
    }
    const way = wayOf(verdict);
    if (passesTable(descriptor)) {
      keep(chosen, way, descriptor, KEPT + 1);
      return;
    }
    const general = way.replace(/ \S+: (\S*\.|\S*\[#\]\.)?/, ' ');
    const count = seen.get(general) ?? 0;
    seen.set(general, count + 1);
    if (count < KEPT_IN_ALL) keep(chosen, way, descriptor, 1);
  };
  const tryEdge = (what: string, given: LooseDescriptor) => {
    const descriptor = withoutAbsent(given);
    const verdict = verdictAt(
      withOutputs(descriptor, ({ dataType }) => ({ dataType })),
      '6.4',
      'message',
    );
    if (passesTable(descriptor)) keep(chosen, `${what}: ${wayOf(verdict)}`, descriptor, 1);
  };
  let bases = 0;
  for (let index = 0; index < TRIED; index++) {
    const candidate = candidates[operator]?.(Random.of(SEED, 'verdicts', operator, index));
    if (candidate === undefined) continue;
    // All valid changes of layouts count as one kind, because they are the same for all operators.
    tryOne(candidate.rule.startsWith('valid') ? 'valid' : candidate.rule, candidate.descriptor);
    if (candidate.rule !== 'valid' || bases++ >= BASES) continue;
    for (const { what, descriptor } of changesOf(candidate.descriptor)) {
      tryOne(what, descriptor);
      const following = withFollowingOutputs(descriptor);
      if (following !== null) tryOne(`${what}, outputs follow`, following);
    }
    if (bases > EDGED) continue;
    for (const { what, descriptor } of edgesOf(candidate.descriptor)) tryEdge(what, descriptor);
  }
  const own = ownDescriptors.filter(({ type }) => type === operator);
  const distinct = new Map(
    [...[...chosen.values()].flat().map(({ descriptor }) => descriptor), ...own].map((one) => [writeJson(one), one]),
  );
  return [...distinct.values()].map(verdictOf).sort((a, b) => compare(a.verdict, b.verdict));
}

/** Keeps `count` descriptors of a kind: the shortest ones and, if `count` is 3 or more, the longest one in place of the last. */
function keep(chosen: Map<string, Chosen[]>, way: string, descriptor: LooseDescriptor, count: number): void {
  const { length } = writeJson(descriptor);
  const all = [...(chosen.get(way) ?? []), { descriptor, length }].sort((a, b) => a.length - b.length);
  if (all.length > count) all.splice(count > 2 ? -2 : -1, 1);
  chosen.set(way, all);
}

function passesTable(descriptor: LooseDescriptor): boolean {
  try {
    resolveByTable(descriptor, '6.4');
    return true;
  } catch {
    return false;
  }
}

/** The kind of a refusal: the verdict without numbers and without the given value. */
function wayOf(verdict: string): string {
  return verdict
    .replace(/, given .*?(?= \(|$)/, '')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/(#, )+#/g, '#');
}

function withoutAbsent(descriptor: LooseDescriptor): LooseDescriptor {
  return { ...descriptor, ...Object.fromEntries(Object.entries(descriptor).filter(([, value]) => value !== undefined)) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
