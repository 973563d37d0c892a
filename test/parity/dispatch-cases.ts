/** Valid descriptors with numbers as extreme as validation lets them be, and data that may be anything. */
import type { OperatorType } from 'node-directml';
import { operatorTable } from '#lib/schema/generated/table.js';
import { resolveDescriptor } from '#lib/validation/index.js';
import { base64, type ConformanceCase } from '../conformance/case.js';
import { tensorSize } from '../conformance/layout.js';
import { Random } from '../random.js';
import { candidateOf } from './any-operator.js';
import { isTensor, type LooseDescriptor } from './candidate.js';

const INTEGERS = [0, 1, 2, 3, 7, 100, 65535, 2 ** 20, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, -1, -(2 ** 31)];
const EXTREMES: readonly number[] = [...INTEGERS, 0.5, 1e-30, 1e30, -1e30, Infinity, -Infinity, NaN];
/** Of all tensors: a dispatch should take long for what a descriptor says, not for what it is given. */
const MOST_BYTES = 2 ** 22;

/** Most numbers that are extreme are refused: how many changes of a descriptor are tried. */
const TRIES = 20;

/** The same for the same operator, seed and index. */
export function dispatchCase(operator: OperatorType, seed: number, index: number): ConformanceCase {
  const random = Random.of(seed, 'dispatch', operator, index);
  for (;;) {
    const { descriptor } = candidateOf(operator)(random);
    const plain = caseOf(random, descriptor);
    if (plain !== null) return extremeCase(random, descriptor) ?? plain;
  }
}

function extremeCase(random: Random, descriptor: LooseDescriptor): ConformanceCase | null {
  for (let tries = 0; tries < TRIES; tries++) {
    const changed = structuredClone(descriptor);
    for (let changes = random.int(1, 2); changes > 0; changes--) setExtreme(random, changed);
    const test = caseOf(random, changed);
    if (test !== null) return test;
  }
  return null;
}

/** One number of a field, of a list or of an activation. */
function setExtreme(random: Random, fields: Record<string, unknown>): void {
  const names = Object.keys(fields).filter((name) => isNumeric(fields[name]));
  if (names.length === 0) return;
  const name = random.pick(names);
  const value = fields[name];
  if (Array.isArray(value)) {
    fields[name] = value.with(random.int(0, value.length - 1), random.pick(EXTREMES));
  } else if (typeof value === 'object' && value !== null) {
    const inner: Record<string, unknown> = { ...value };
    setExtreme(random, inner);
    fields[name] = inner;
  } else {
    fields[name] = random.pick(EXTREMES);
  }
}

function isNumeric(value: unknown): boolean {
  if (Array.isArray(value)) return typeof value[0] === 'number';
  return typeof value === 'number' || (typeof value === 'object' && value !== null && !isTensor(value));
}

/** Null where validation refuses the descriptor or its tensors are large. */
function caseOf(random: Random, given: LooseDescriptor): ConformanceCase | null {
  if (!isValid(given)) return null;
  const descriptor: ConformanceCase['descriptor'] = given;
  const fields = operatorTable[given.type].fields.filter(({ role }) => role !== undefined);
  const tensors = fields.flatMap(({ name }) => given[name]).filter(isTensor);
  if (tensors.reduce((sum, tensor) => sum + tensorSize(tensor), 0) > MOST_BYTES) return null;
  const bytes = bytesFor(random, given);
  const inputs = fields.filter(({ role, name }) => role === 'input' && [given[name]].flat().some(isTensor));
  const data = inputs.map(({ name }) => {
    const value = given[name];
    return [name, Array.isArray(value) ? value.map(bytes) : bytes(value)];
  });
  return { descriptor, data: Object.fromEntries(data) };
}

function isValid(descriptor: LooseDescriptor): descriptor is LooseDescriptor & ConformanceCase['descriptor'] {
  try {
    resolveDescriptor(descriptor, '6.4');
    return true;
  } catch {
    return false;
  }
}

/** Zeros, bytes of 0 and 1, or any. A region of any size is the one thing that the data can ask for without end. */
function bytesFor(random: Random, descriptor: LooseDescriptor): (tensor: unknown) => string {
  const most = random.pick('roiTensor' in descriptor ? [0, 1] : [0, 1, 255]);
  return (tensor) => base64(isTensor(tensor) ? random.bytes(tensorSize(tensor)).map((byte) => byte & most) : new Uint8Array(0));
}
