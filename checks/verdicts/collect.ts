/**
 * Selects the descriptors to store. From the seeded candidates of parity and from all single changes of some valid ones, it keeps
 * the shortest for each kind of refusal. It adds the edges of valid numbers.
 */
import type { OperatorType } from 'node-directml';
import { resolveByTable } from '#lib/operators/resolve.js';
import { writeJson } from '../cases/case.js';
import type { LooseDescriptor } from '../descriptors/candidate.js';
import { candidates } from '../descriptors/operators.js';
import { Random } from '../harness/random.js';
import { changesOf } from './changes.js';
import { edgesOf, withFollowingOutputs } from './edges.js';
import { verdictAt, withOutputs } from './verdict.js';

const SEED = 20260101;
/** The number of candidates per operator. More find few new kinds of refusal. */
const TRIED = 1_000;
/** The number of valid candidates per operator to which all single changes are applied. */
const BASES = 30;

interface Chosen {
  readonly descriptor: LooseDescriptor;
  /** The length of its JSON. */
  readonly length: number;
}

/** The selected descriptors of each operator. */
export function collect(operators: readonly OperatorType[]): Map<OperatorType, LooseDescriptor[]> {
  const seen = new Set<string>();
  return new Map(operators.map((operator) => [operator, collectOf(operator, seen)]));
}

/** @param seen The kinds of refusal by the table so far. One of each is kept, over all operators, because they share its checks. */
function collectOf(operator: OperatorType, seen: Set<string>): LooseDescriptor[] {
  const chosen = new Map<string, Chosen>();
  const tryOne = (change: string, given: LooseDescriptor) => {
    const descriptor = withoutAbsent(given);
    const verdict = verdictAt(descriptor, '6.4');
    if (verdict === 'valid') {
      keep(chosen, change, descriptor);
      return;
    }
    const way = wayOf(verdict);
    const general = way.replace(/ \S+: (\S*\.|\S*\[#\]\.)?/, ' ');
    const isOfTable = !passesTable(descriptor);
    if (!isOfTable || !seen.has(general)) keep(chosen, way, descriptor);
    if (isOfTable) seen.add(general);
  };
  const tryEdge = (what: string, given: LooseDescriptor) => {
    const descriptor = withoutAbsent(given);
    const verdict = verdictAt(
      withOutputs(descriptor, ({ dataType }) => ({ dataType })),
      '6.4',
    );
    if (passesTable(descriptor)) keep(chosen, `${what}: ${wayOf(verdict)}`, descriptor);
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
    // The edges of one candidate are enough.
    if (bases > 1) continue;
    for (const { what, descriptor } of edgesOf(candidate.descriptor)) tryEdge(what, descriptor);
  }
  return Array.from(chosen.values(), ({ descriptor }) => descriptor);
}

/** Keeps the shortest descriptor of a kind. */
function keep(chosen: Map<string, Chosen>, way: string, descriptor: LooseDescriptor): void {
  const { length } = writeJson(descriptor);
  if (length < (chosen.get(way)?.length ?? Infinity)) chosen.set(way, { descriptor, length });
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
