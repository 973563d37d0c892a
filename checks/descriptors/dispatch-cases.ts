/** Valid descriptors with the most extreme numbers that validation accepts, and arbitrary data. */
import type { OperatorType } from 'node-directml';
import { base64, type ConformanceCase } from '../cases/case.js';
import { tensorSize } from '../cases/layout.js';
import { Random } from '../harness/random.js';
import { fieldsOf, isTensor, tensorsOf, type LooseDescriptor } from './candidate.js';
import { candidateOf } from './operators.js';
import { refusalOf } from './refusal.js';

const INTEGERS = [0, 1, 2, 3, 7, 100, 65535, 2 ** 20, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, -1, -(2 ** 31)];
const EXTREMES: readonly number[] = [...INTEGERS, 0.5, 1e-30, 1e30, -1e30, Infinity, -Infinity, NaN];
/** The limit for all tensors together, in bytes: a dispatch may be slow because of its descriptor, but not because of its data. */
const MOST_BYTES = 2 ** 22;

/** The number of changes to a descriptor that are tried. Validation refuses most extreme numbers. */
const TRIES = 20;

/** A case that depends only on the operator, the seed and the index. */
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

/** Makes one number extreme: a field, a list's element, or a field of an activation. */
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

/** A case with the descriptor; null if validation refuses it or its tensors are too large. */
function caseOf(random: Random, given: LooseDescriptor): ConformanceCase | null {
  if (!isValid(given)) return null;
  const descriptor: ConformanceCase['descriptor'] = given;
  if (tensorsOf(given).reduce((sum, tensor) => sum + tensorSize(tensor), 0) > MOST_BYTES) return null;
  const bytes = bytesFor(random, REGIONS in given);
  const inputs = fieldsOf(given).filter(({ role, name }) => role === 'input' && [given[name]].flat().some(isTensor));
  const data = inputs.map(({ name }) => {
    const value = given[name];
    const texts = [value].flat().map((tensor) => base64(bytes(isTensor(tensor) ? tensorSize(tensor) : 0)));
    return [name, Array.isArray(value) ? texts : texts[0]];
  });
  return { descriptor, data: Object.fromEntries(data) };
}

function isValid(descriptor: LooseDescriptor): descriptor is LooseDescriptor & ConformanceCase['descriptor'] {
  return refusalOf(descriptor) === null;
}

/** Regions of interest are the only data that can make a dispatch run endlessly, if they are large. */
export const REGIONS = 'roiTensor';

/** Makes the data: zeros, bytes of 0 and 1, or any bytes. With regions of interest there are no bytes above 1. */
export function bytesFor(random: Random, hasRegions: boolean): (size: number) => Uint8Array<ArrayBuffer> {
  const most = random.pick(hasRegions ? [0, 1] : [0, 1, 255]);
  return (size) => random.bytes(size).map((byte) => byte & most);
}
