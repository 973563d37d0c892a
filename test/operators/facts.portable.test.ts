/** What the facts about operators become: DirectML's names, pages, first inputs, and what follows from counts. */
import { expect, test } from 'vitest';
import type { OperatorType } from 'node-directml';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { enums as enumTable } from '#lib/tensors/generated/enums.js';
import { firstInputOf, ownDataTypeOf, pascalCase, readFacts } from '../../lib/operators/read.js';

const operatorNamed = (wanted: string) => {
  const found = readFacts().operators.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`no ${wanted}`);
  return found;
};
const fieldNamed = (operator: string, wanted: string) => {
  const found = operatorNamed(operator).fields.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`no ${operator}.${wanted}`);
  return found;
};

test.each([
  ['elementWiseAdd', 'aTensor'],
  ['convolution', 'inputTensor'],
  ['join', 'inputTensors'],
  ['averagePoolingGrad', 'inputGradientTensor'],
  ['oneHot', 'valuesTensor'],
  ['adamOptimizer', 'inputParametersTensor'],
  // Those with two of these fields.
  ['maxPoolingGrad', 'inputTensor'],
  ['batchNormalizationGrad', 'inputTensor'],
  ['diagonalMatrix', undefined],
])('the first input of %s is %s', (name, first) => {
  expect(firstInputOf(operatorNamed(name))?.name).toBe(first);
});

test.each([
  ['topK', 'outputIndexTensor', 'uint32'],
  ['elementWiseIsNan', 'outputTensor', 'uint8'],
  ['matrixMultiplyInteger', 'outputTensor', 'int32'],
  ['cast', 'outputTensor', null],
  ['elementWiseAdd', 'outputTensor', undefined],
])('the own data type of %s.%s is %s', (operator, field, dataType) => {
  expect(ownDataTypeOf(fieldNamed(operator, field))).toBe(dataType);
});

const win32 = 'https://learn.microsoft.com/windows/win32/api/directml/';
const later = 'https://learn.microsoft.com/windows/ai/directml/api/';

test.each([
  ['scatterNd', 'DML_SCATTER_ND_OPERATOR_DESC', `${win32}ns-directml-dml_scatter_nd_operator_desc`],
  ['elementWiseClip1', 'DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC', `${win32}ns-directml-dml_element_wise_clip1_operator_desc`],
  ['resample2', 'DML_RESAMPLE2_OPERATOR_DESC', `${later}ns-directml-dml_resample2_operator_desc`],
  ['fold', 'DML_FOLD_OPERATOR_DESC', `${later}ns-directml-dml_fold_operator_desc`],
])('%s is %s of DirectML, with a page of its own', (name, descName, url) => {
  expect(operatorNamed(name)).toMatchObject({ descName, url });
});

test('names of DirectML begin with a capital letter', () => {
  expect(pascalCase('scatterNd')).toBe('ScatterNd');
  expect(fieldNamed('convolution', 'inputTensor').nativeName).toBe('InputTensor');
  expect(readFacts().enums.map(({ nativeName }) => nativeName)).toContain('DML_CONVOLUTION_MODE');
});

test('the table of operators has their fields, in the order of their numbers', () => {
  const { operators, families } = readFacts();
  expect(Object.keys(operatorTable)).toEqual(operators.map(({ name }) => name));
  expect([...families.values()].flat()).toHaveLength(operators.length);
  for (const { name: type, value, since, fields } of operators) {
    const row = operatorTable[type as OperatorType];
    expect([row.value, row.since]).toEqual([value, since]);
    expect(row.fields.map(({ name }) => name)).toEqual(fields.map(({ name }) => name));
    for (const [i, { name, kind, role, optional = false, counts, countField, support, default: byDefault }] of fields.entries()) {
      const own = row.fields[i];
      const shown = { ...own, optional: own?.optional ?? false };
      expect(shown, `${type}.${name}`).toMatchObject({ kind, optional });
      expect([own?.role, own?.counts, own?.countField, own?.default]).toEqual([role, counts, countField, byDefault]);
      const supports = support?.map((each) => [each.since, each.dataTypes, each.min, each.max]);
      expect(own?.support?.map((each) => [each.since, each.dataTypes, each.minDimensionCount, each.maxDimensionCount])).toEqual(
        supports,
      );
    }
  }
});

test('the table of enums has their members', () => {
  for (const { name, members } of readFacts().enums) {
    if (!Object.hasOwn(enumTable, name)) continue;
    const values = Object.fromEntries(members.map((member) => [member.name, member.value]));
    expect(enumTable[name as keyof typeof enumTable].values).toEqual(values);
  }
});

test.each([
  ['1.0', 'The first 78 operators.'],
  ['2.0', '18 more operators.'],
  ['5.2', 'No operators; others take more data types, dimension counts or values.'],
  ['6.1', '1 more operator.'],
])('what the feature level %s means', (level, meaning) => {
  const { members = [] } = readFacts().enums.find(({ name }) => name === 'FeatureLevel') ?? {};
  expect(members.find(({ name }) => name === level)?.meaning).toBe(meaning);
});
