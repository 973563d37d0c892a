/** The validation that all operators share: the facts of the operator table, at every feature level. */
import type { DataType, FeatureLevel } from 'node-directml';
import { describe, expect, test } from 'vitest';
import { featureLevels, reaches } from '#lib/descriptors/feature-level.js';
import { enums, type EnumSchema } from '#lib/tensors/generated/enums.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import type { FieldSchema, TensorSupport } from '#lib/descriptors/types.js';
import { isOperatorType, resolveByTable, resolveDescriptor } from '#lib/operators/resolve.js';
import { minimalDescriptors } from '../../checks/cases/generated/minimal-descriptors.js';
import { caught, gist } from '../support/errors.js';
import { plausible, plausibleActivation } from '../support/plausible.js';

const types = Object.keys(operatorTable).filter(isOperatorType);
const dataTypes = Object.keys(enums.DataType.values).filter((name): name is DataType => name in enums.DataType.values);
const dimensionCounts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

describe.each(types)('%s', (type) => {
  const { since, fields } = operatorTable[type];
  const minimal = minimalDescriptors[type];
  const refused = (change: object, level: FeatureLevel = '6.4') =>
    gist(caught(() => resolveByTable({ ...plausible(type, level), ...change }, level)));

  test('its minimal descriptor is valid', () => {
    expect(resolveDescriptor(minimal, '6.4').descriptor.type).toBe(type);
  });

  test('its fields are refused if they are missing, unknown, or of another kind', () => {
    for (const { name, kind, role, optional, counts, default: usual } of fields) {
      const isInferred = kind === 'tensor' && role === 'output';
      if (optional !== true && counts === undefined && usual === undefined && !isInferred) {
        const without = { ...minimal, [name]: undefined };
        expect(gist(caught(() => resolveByTable(without, '6.4')))).toEqual(['ERR_MISSING_FIELD', name]);
      }
      expect(refused({ [name]: () => 1 })).toEqual(['ERR_INVALID_DESCRIPTOR', name]);
    }
    expect(refused({ notAField: 1 })).toEqual(['ERR_UNKNOWN_FIELD', 'notAField']);
  });

  test('it needs its feature level', () => {
    for (const level of featureLevels) {
      if (reaches(level, since)) {
        expect(resolveByTable(plausible(type, level), level).type).toBe(type);
      } else {
        const expected = { code: 'ERR_FEATURE_LEVEL', field: 'type', expected: `feature level ${since} for '${type}'` };
        expect(caught(() => resolveByTable(minimal, level))).toMatchObject({ ...expected, given: level });
      }
    }
  });

  const tensors = fields.filter(({ support }) => support !== undefined);
  when(tensors.length > 0, 'its tensors have their data types and dimension counts at each level', () => {
    for (const field of tensors) {
      const isArray = field.kind === 'tensorArray';
      const place = isArray ? `${field.name}[0]` : field.name;
      for (const row of field.support ?? []) {
        const level = reaches(row.since, since) ? row.since : since;
        const [anyType = 'float32'] = row.dataTypes;
        const given = (dataType: DataType, dimensionCount: number) => {
          const tensor = { dataType, sizes: new Array<number>(dimensionCount).fill(1) };
          return refused({ [field.name]: isArray ? [tensor] : tensor }, level);
        };
        for (const dataType of dataTypes.filter((name) => !row.dataTypes.includes(name))) {
          const isNew = !reaches(level, enums.DataType.since[dataType] ?? '1.0');
          const isLater = isNew || takesLater(field, level, (later) => later.dataTypes.includes(dataType));
          const code = isLater ? 'ERR_FEATURE_LEVEL' : 'ERR_DATA_TYPE';
          expect(given(dataType, row.minDimensionCount)).toEqual([code, `${place}.dataType`]);
        }
        for (const count of dimensionCounts.filter((number) => !takesCount(row, number))) {
          const isLater = takesLater(field, level, (later) => takesCount(later, count));
          const code = isLater ? 'ERR_FEATURE_LEVEL' : 'ERR_DIMENSION_COUNT';
          expect(given(anyType, count)).toEqual([code, `${place}.sizes`]);
        }
      }
    }
  });

  when(
    fields.some(({ optionalSince }) => optionalSince !== undefined),
    'its tensors that became optional are required before',
    () => {
      for (const { name, optionalSince = since } of fields.filter((field) => field.optionalSince !== undefined)) {
        for (const level of featureLevels.filter((lower) => reaches(lower, since) && !reaches(lower, optionalSince))) {
          expect(refused({ [name]: null }, level)).toEqual(['ERR_FEATURE_LEVEL', name]);
        }
      }
    },
  );

  const ofEnums = fields.filter(({ enumName }) => enumName !== undefined);
  when(ofEnums.length > 0, 'its enums have their members', () => {
    for (const { name, enumName = 'DataType' } of ofEnums) {
      expect(refused({ [name]: 'notAMember' })).toEqual(['ERR_INVALID_DESCRIPTOR', name]);
      const members: EnumSchema = enums[enumName];
      for (const [member, needed = since] of Object.entries(members.since)) {
        for (const level of featureLevels.filter((lower) => reaches(lower, since) && !reaches(lower, needed))) {
          expect(refused({ [name]: member }, level)).toEqual(['ERR_FEATURE_LEVEL', name]);
        }
      }
    }
  });

  const counts = fields.filter((field) => field.counts !== undefined);
  when(counts.length > 0, 'counts are filled in, and right where they are given', () => {
    const valid: Readonly<Record<string, unknown>> = { ...minimal };
    const counted = (change: object) => gist(caught(() => resolveByTable({ ...valid, ...change }, '6.4')));
    for (const { name, perDimensionOf, counts: [first = '', ...others] = [] } of counts) {
      const array = valid[first];
      if (!Array.isArray(array)) throw new TypeError(`${first} is no array`);
      expect(resolveByTable(valid, '6.4')).toMatchObject({ [name]: array.length });
      expect(resolveByTable({ ...valid, [name]: array.length }, '6.4')).toMatchObject({ [name]: array.length });
      // Where a tensor agrees with the arrays, the count is wrong.
      const wrong = perDimensionOf === undefined ? first : name;
      expect(counted({ [name]: array.length + 1 })).toEqual(['ERR_FIELD_COMBINATION', wrong]);
      for (const other of others) expect(counted({ [other]: [] })).toEqual(['ERR_FIELD_COMBINATION', other]);
    }
  });
});

describe('activations in other operators', () => {
  const hosts = types.flatMap((type) => {
    const field = operatorTable[type].fields.find(({ kind }) => kind === 'operator' || kind === 'operatorArray');
    return field === undefined ? [] : [{ type, field }];
  });

  test.each(hosts)('$type takes what can be fused into it, from its feature level on', ({ type: host, field }) => {
    const isArray = field.kind === 'operatorArray';
    const place = isArray ? `${field.name}[0].type` : `${field.name}.type`;
    for (const type of types) {
      const { fusion } = operatorTable[type];
      const activation = plausibleActivation(type);
      const fuse = (level: FeatureLevel) =>
        resolveByTable({ ...plausible(host, level), [field.name]: isArray ? [activation] : activation }, level);
      if (fusion === undefined || !(fusion.into?.includes(host) ?? true)) {
        expect(gist(caught(() => fuse('6.4')))).toEqual(['ERR_FIELD_COMBINATION', place]);
        continue;
      }
      for (const level of featureLevels.filter((other) => reaches(other, operatorTable[host].since))) {
        if (reaches(level, fusion.since)) expect(fuse(level).type).toBe(host);
        else expect(gist(caught(() => fuse(level)))).toEqual(['ERR_FEATURE_LEVEL', place]);
      }
    }
  });

  test('have no tensors and no scale of their own', () => {
    const gemm = plausible('gemm', '6.4');
    const fuse = (fusedActivation: object) => gist(caught(() => resolveByTable({ ...gemm, fusedActivation }, '6.4')));
    const clip = { type: 'elementWiseClip', min: 0, max: 1 };
    expect(fuse({ ...clip, scaleBias: { scale: 1, bias: 0 } })).toEqual(['ERR_FIELD_COMBINATION', 'fusedActivation.scaleBias']);
    expect(fuse({ ...clip, outputTensor: gemm['outputTensor'] })).toEqual([
      'ERR_FIELD_COMBINATION',
      'fusedActivation.outputTensor',
    ]);
    expect(fuse({ type: 'activationSoftmax1', axes: [3], axisCount: 2 })).toEqual([
      'ERR_FIELD_COMBINATION',
      'fusedActivation.axes',
    ]);
  });
});

/** Defines a test only for operators to which it applies. */
function when(isThere: boolean, name: string, run: () => void): void {
  if (isThere) test(name, run);
}

function takesCount({ minDimensionCount, maxDimensionCount }: TensorSupport, count: number): boolean {
  return count >= minDimensionCount && count <= maxDimensionCount;
}

function takesLater(field: FieldSchema, level: FeatureLevel, takes: (row: TensorSupport) => boolean): boolean {
  return (field.support ?? []).some((row) => !reaches(level, row.since) && takes(row));
}

test.each(['counts', 'role', 'optional', 'enumName', 'support', 'since'])('the table ignores Object.prototype.%s', (name) => {
  const descriptor = minimalDescriptors.elementWiseClip;
  const expected = resolveDescriptor(descriptor, '6.4');
  Object.defineProperty(Object.prototype, name, { value: 'input', configurable: true, writable: true });
  try {
    const bound = operatorTable.elementWiseClip.fields.filter(({ role }) => role !== undefined);
    expect(bound.map((field) => field.name)).toEqual(['inputTensor', 'outputTensor']);
    expect(resolveDescriptor(descriptor, '6.4')).toEqual(expected);
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
});
