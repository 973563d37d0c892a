/**
 * A minimal valid descriptor of any operator. Most come from the table alone: packed float32 tensors of one small
 * shape, nothing optional, the first member of each enum. What an operator wants otherwise is a line in
 * minimal-overrides.ts.
 */
import type { FieldSchema } from '#lib/schema/types.js';
import type { DataType } from '../conformance/case.js';
import type { LooseTensor } from '../parity/candidate.js';
import type { AnyDescriptor } from '../parity/encode.js';
import type { Facts, NamedOperator } from './facts.js';
import { overrides } from './minimal-overrides.js';

/** No multiple of four elements: those have a shader of their own, which the sandbox has to replace. */
const SIZES = [1, 1, 2, 3];
const PREFERRED: readonly DataType[] = ['float32', 'uint8', 'int32', 'uint32'];

export function minimalDescriptor(operator: NamedOperator, facts: Facts): AnyDescriptor {
  const descriptor: AnyDescriptor = { type: operator.name };
  const isWindowed = operator.fields.some(({ name }) => /^windowSize|^dilations$/.test(name));
  for (const field of operator.fields) descriptor[field.name] = minimalValue(field, isWindowed, facts);
  return { ...descriptor, ...overrides[operator.name] };
}

function minimalValue(field: FieldSchema, isWindowed: boolean, facts: Facts): unknown {
  if (field.optional === true) return null;
  switch (field.kind) {
    case 'tensor':
      return minimalTensor(field);
    case 'tensorArray':
      return [minimalTensor(field)];
    case 'uint':
      // A count is left to the encoder.
      if (field.counts !== undefined) return undefined;
      return field.name === 'axis' ? SIZES.length - 1 : 1;
    case 'float':
      return 1;
    case 'int':
    case 'scalar':
      return 0;
    case 'bool':
      return false;
    case 'enum':
      return field.enumName === 'DataType' ? 'float32' : firstMember(field.enumName ?? '', facts);
    case 'uintArray':
    case 'intArray':
    case 'floatArray':
      return minimalArray(field, isWindowed);
    case 'size2d':
      return { width: 1, height: 1 };
    case 'operatorArray':
      return [];
    default:
      return null;
  }
}

function minimalTensor({ name, support }: FieldSchema): LooseTensor {
  // A field's highest feature level has all that the others have.
  const row = support?.[0];
  if (row === undefined) throw new Error(`${name}: a tensor without data types`);
  const dataType = PREFERRED.find((type) => row.dataTypes.includes(type)) ?? row.dataTypes[0] ?? 'float32';
  const count = Math.min(Math.max(SIZES.length, row.minDimensionCount), row.maxDimensionCount);
  const sizes = [...new Array<number>(Math.max(0, count - SIZES.length)).fill(1), ...SIZES].slice(-count);
  return { dataType, sizes };
}

function minimalArray({ name, countField }: FieldSchema, isWindowed: boolean): readonly number[] {
  if (countField === 'axisCount') return [SIZES.length - 1];
  if (countField === 'channelCount') return [0];
  if (/^(sizes|inputWindowSizes)$/.test(name)) return SIZES;
  const count = isWindowed ? 2 : SIZES.length;
  return new Array<number>(count).fill(/padding|offsets/i.test(name) ? 0 : 1);
}

function firstMember(enumName: string, { enums }: Facts): string {
  const member = Object.keys(enums[enumName]?.values ?? {})[0];
  if (member === undefined) throw new Error(`no enum ${enumName}`);
  return member;
}
