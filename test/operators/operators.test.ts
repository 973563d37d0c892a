/** Each operator, and nothing else, has a kernel and a rule; and the order of its tensors. */
import { expect, test } from 'vitest';
import { kernels } from '#lib/operators/generated/kernels.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { rules } from '#lib/operators/generated/rules.js';
import { operatorTypes } from '../../checks/operators/cases.js';

test.each(Object.entries({ kernels, rules }))('%s exist for exactly the operators of the table', (_name, table) => {
  expect(Object.keys(table).sort()).toEqual([...operatorTypes].sort());
});

const slotsOf = (descriptor: object) =>
  resolveDescriptor(descriptor, '6.4').slots.map(({ path, role, position, tensor }) => [
    path,
    role,
    position,
    tensor?.sizes ?? null,
  ]);

test('tensors, omitted ones too, are numbered in the order in which DirectML binds them', () => {
  const integers = { dataType: 'int8', sizes: [2, 3] };
  const [aTensor, bTensor] = [integers, { ...integers, sizes: [3, 4] }];
  const scale = { dataType: 'float32', sizes: [1] };
  const product = { type: 'matrixMultiplyIntegerToFloat', aTensor, aScaleTensor: scale, bTensor, bScaleTensor: scale };
  expect(slotsOf(product)).toEqual([
    ['aTensor', 'input', 0, [2, 3]],
    ['aScaleTensor', 'input', 1, [1]],
    ['aZeroPointTensor', 'input', 2, null],
    ['bTensor', 'input', 3, [3, 4]],
    ['bScaleTensor', 'input', 4, [1]],
    ['bZeroPointTensor', 'input', 5, null],
    ['biasTensor', 'input', 6, null],
    ['outputTensor', 'output', 0, [2, 4]],
  ]);
});

test('tensors of an array are numbered one after the other', () => {
  const side = { dataType: 'float32', sizes: [2, 3] };
  const join = { type: 'join', inputTensors: [side, { ...side, sizes: [1, 3] }], axis: 0 };
  expect(slotsOf(join)).toEqual([
    ['inputTensors[0]', 'input', 0, [2, 3]],
    ['inputTensors[1]', 'input', 1, [1, 3]],
    ['outputTensor', 'output', 0, [3, 3]],
  ]);
});
