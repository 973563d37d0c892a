/**
 * Checks the outputs that validation infers: omits all outputs of a valid descriptor, then gives back one by one the parts that
 * errors ask for. The remaining parts were inferred, and must equal those of the descriptor.
 */
import type { OperatorDescriptor, OperatorType, ResolvedDescriptor } from 'node-directml';
import { DirectMLError } from '#lib/values/errors.js';
import { descriptorOf } from '#lib/api/operators/resolved-descriptor.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import type { ConformanceCase } from '../cases/case.js';
import { valuesOf, type ResolvedOperator, type ResolvedTensor } from '#lib/descriptors/resolved.js';

export interface Inference {
  cases: number;
  /** The number of cases in which each part, such as `outputTensor.dataType`, had to be given. */
  readonly given: Map<string, number>;
  /** The number of cases in which each part differed from its default. */
  readonly chosen: Map<string, number>;
  /** A line for each output that was inferred differently from the descriptor. */
  readonly differences: string[];
}

type Sizes = readonly number[];

/** For operators with several valid output sizes: returns true if the `given` sizes are valid where the default is `inferred`. */
const CHOICES: Readonly<Partial<Record<OperatorType, (given: Sizes, inferred: Sizes) => boolean>>> = {
  // The output may have fewer elements than the window has steps.
  slice1: (given, inferred) => given.every((size, axis) => size <= (inferred[axis] ?? 0)),
  // Leading sizes of 1 are optional, and coordinates that are always 0 may be omitted.
  nonzeroCoordinates: (given, inferred) => sameBut(given.with(-1, 1), inferred.with(-1, 1)),
  // Leading sizes of 1 are optional.
  multiheadAttention: sameBut,
  multiheadAttention1: sameBut,
};

/** True if the sizes are equal except for leading sizes of 1. */
function sameBut(given: Sizes, inferred: Sizes): boolean {
  const without = (sizes: Sizes) => sizes.join().replace(/^(1,)+/, '');
  return without(given) === without(inferred);
}

type Part = 'dataType' | 'sizes';
type Loose = Record<string, unknown>;

export function* descriptorsOf(cases: Iterable<ConformanceCase>): Generator<OperatorDescriptor> {
  for (const { descriptor } of cases) yield descriptor;
}

export function inferenceOf(descriptors: Iterable<OperatorDescriptor>): Inference {
  const inference: Inference = { cases: 0, given: new Map(), chosen: new Map(), differences: [] };
  for (const descriptor of descriptors) inferOne(descriptor, inference);
  return inference;
}

/** Describes the outputs as `inferred`, or names the parts that have to be given. */
export function describeInference({ cases, given, chosen, differences }: Inference): string {
  const parts = [
    ...list(given, cases, 'needs'),
    ...list(chosen, cases, 'may choose'),
    ...(differences.length === 0 ? [] : [`${differences.length} inferred otherwise`]),
  ];
  return parts.length === 0 ? 'outputs inferred' : `outputs inferred in part: ${parts.join(', ')}`;
}

export function isInferredFully({ given, chosen, differences }: Inference): boolean {
  return given.size + chosen.size + differences.length === 0;
}

/** The valid descriptor with inferred outputs, except for the parts that have to be given. */
export function withInferredOutputs(descriptor: object): ResolvedDescriptor {
  const short = leaveOut(descriptor, resolveDescriptor(descriptor, '6.4'), () => undefined);
  return descriptorOf(resolveDescriptor(short, '6.4').descriptor);
}

function inferOne(descriptor: OperatorDescriptor, inference: Inference): void {
  inference.cases++;
  const whole = resolveDescriptor(descriptor, '6.4');
  const needed = new Set<string>();
  const short = leaveOut(descriptor, whole, (path) => needed.add(withoutIndex(path)));
  const inferred = resolveDescriptor(short, '6.4');
  const chosen = new Set<string>();
  for (const [path, part] of differencesOf(whole, inferred)) {
    const [given, became] = [tensorAt(whole, path).sizes, tensorAt(inferred, path).sizes];
    const mayChoose = part === 'sizes' ? CHOICES[descriptor.type]?.(given, became) === true : hasDefault(descriptor.type, path);
    if (!mayChoose) {
      const line = `${path}.${part}: ${JSON.stringify(partOf(whole, path, part))} became ${JSON.stringify(partOf(inferred, path, part))}`;
      inference.differences.push(`${descriptor.type}: ${line} of ${JSON.stringify(short)}`);
      continue;
    }
    chosen.add(`${path}.${part}`);
    giveBack(short, whole, path, part);
  }
  for (const [path, part] of differencesOf(whole, resolveDescriptor(short, '6.4'))) {
    if (chosen.has(`${path}.${part}`)) inference.differences.push(`${descriptor.type}: ${path}.${part} is not taken as given`);
  }
  for (const path of needed) count(inference.given, path);
  for (const path of chosen) count(inference.chosen, path);
}

/** True for an output whose data type is only a default. */
function hasDefault(type: OperatorType, path: string): boolean {
  // The output of reduce has a default data type only with two functions, so the table does not state it.
  return (
    type === 'reduce' ||
    operatorTable[type].fields.some(({ name, defaultDataType }) => name === path && defaultDataType !== undefined)
  );
}

/** Omits the outputs. `onGiven` is called for each part that has to be given. */
function leaveOut(descriptor: object, whole: ResolvedOperator, onGiven: (path: string) => void): Loose {
  const short: Loose = { ...descriptor };
  for (const { name, role, optional } of operatorTable[whole.descriptor.type].fields) {
    if (role !== 'output') continue;
    const value = valuesOf(whole.descriptor)[name];
    if (Array.isArray(value)) short[name] = value.map(() => ({}));
    else if (optional === true) short[name] = value === null ? null : {};
    else delete short[name];
  }
  for (;;) {
    try {
      resolveDescriptor(short, '6.4');
      return short;
    } catch (error) {
      const missing = error instanceof DirectMLError && error.code === 'ERR_MISSING_FIELD' ? error.field : undefined;
      const [, path = '', part] = missing === undefined ? [] : (/^(.*)\.(dataType|sizes)$/.exec(missing) ?? []);
      if (part !== 'dataType' && part !== 'sizes') throw error;
      giveBack(short, whole, path, part);
      onGiven(`${path}.${part}`);
    }
  }
}

function giveBack(short: Loose, whole: ResolvedOperator, path: string, part: Part): void {
  const [name = '', index] = path.split(/[[\]]/);
  const value = partOf(whole, path, part);
  if (index === undefined) {
    short[name] = { ...record(short[name]), [part]: value };
    return;
  }
  const tensors = short[name];
  if (Array.isArray(tensors)) short[name] = tensors.with(Number(index), { ...record(tensors[Number(index)]), [part]: value });
}

function differencesOf(whole: ResolvedOperator, inferred: ResolvedOperator): [path: string, part: Part][] {
  return whole.slots
    .filter(({ role, tensor }) => role === 'output' && tensor !== null)
    .flatMap(({ path }) => (['dataType', 'sizes'] as const).map((part): [string, Part] => [path, part]))
    .filter(([path, part]) => JSON.stringify(partOf(whole, path, part)) !== JSON.stringify(partOf(inferred, path, part)));
}

function partOf(operator: ResolvedOperator, path: string, part: Part): unknown {
  return tensorAt(operator, path)[part];
}

function tensorAt({ descriptor, slots }: ResolvedOperator, path: string): ResolvedTensor {
  const tensor = slots.find((slot) => slot.path === path)?.tensor ?? null;
  if (tensor !== null) return tensor;
  throw new TypeError(`${descriptor.type} has no ${path}`);
}

function record(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function withoutIndex(path: string): string {
  return path.replace(/\[\d+\]/, '[]');
}

function list(counts: ReadonlyMap<string, number>, cases: number, what: string): string[] {
  return [...counts].map(([path, times]) => `${what} ${path}${times === cases ? '' : ` in ${times} of ${cases}`}`);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
