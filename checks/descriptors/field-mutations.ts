/** Mutations that break the relations between an operator's tensors and fields. */
import { dataTypes } from '#lib/tensors/data-types.js';
import { enums } from '#lib/tensors/generated/enums.js';
import type { FieldSchema } from '#lib/descriptors/types.js';
import type { DataType } from '../cases/case.js';
import { ones } from '../cases/layout.js';
import type { Random } from '../harness/random.js';
import { changeTensor, fieldsOf, repack, tensorsOf, type LooseDescriptor, type LooseTensor, type Mutation } from './candidate.js';

export const fieldMutations: readonly Mutation[] = [
  [
    'data type of one tensor',
    changeTensor((random, tensor) => repack(tensor, tensor.sizes, anotherType(random, [tensor.dataType]))),
  ],
  ['data type of all tensors', retypeAll],
  ['size of one tensor', changeTensor((random, tensor) => resize(random, tensor, (size) => size + random.pick([-1, 1, 2])))],
  ['size made one', changeTensor((random, tensor) => resize(random, tensor, () => 1))],
  [
    'dimension count of one tensor',
    changeTensor((random, tensor) => repack(tensor, random.chance(0.5) ? [1, ...tensor.sizes] : tensor.sizes.slice(1))),
  ],
  [
    'nine dimensions',
    (_random, d) => {
      for (const tensor of tensorsOf(d)) repack(tensor, [...ones(9 - tensor.sizes.length), ...tensor.sizes]);
    },
  ],
  [
    'whole-number field',
    changeField(
      ({ kind, counts }) => (kind === 'uint' && counts === undefined) || kind === 'int',
      (random, value, { kind }) => {
        const number = Number(value);
        const near = [number + 1, Math.max(0, number - 1), 0];
        const far = kind === 'int' ? [8, -9, 2 ** 31 - 1, -(2 ** 31)] : [8, 9, 2 ** 31, 2 ** 32 - 1];
        return random.pick([...near, ...far, ...far]);
      },
    ),
  ],
  [
    'element of an array of whole numbers',
    changeNumbers((random, values, at) => values.with(at, random.pick(elementsNear(values[at] ?? 0)))),
  ],
  ['array of whole numbers, one twice', changeNumbers((_random, values, at) => [...values, values[at] ?? 0])],
  [
    'array of whole numbers, one left out',
    changeNumbers((_random, values, at) => values.filter((_, i) => i !== at), isPerDimension),
  ],
  ['array of whole numbers, empty', changeNumbers(() => [], isPerDimension)],
  [
    'length of the arrays',
    (random, d) => {
      const longer = random.chance(0.5);
      for (const [name, values] of Object.entries(d)) {
        if (isNumbers(values) && isPerDimension(name)) d[name] = longer ? [...values, 1] : values.slice(0, -1);
      }
    },
  ],
  [
    'open: enum value',
    changeField(
      ({ kind, enumName }) => kind === 'enum' && enumName !== 'DataType',
      (random, _value, { enumName }) => random.pick(enumName === undefined ? [] : Object.keys(enums[enumName].values)),
    ),
  ],
  ['data type of a scalar', retypeScalars],
  ['open: scale and bias of another type than float', scaleOthers],
];

/** True if the array must have one element per dimension, which is so for all arrays except `axes`. */
function isPerDimension(name: string): boolean {
  return name !== 'axes';
}

function scaleOthers(_random: Random, d: LooseDescriptor): void {
  const field = fieldsOf(d).find(({ kind }) => kind === 'scaleBias');
  const isFloat = tensorsOf(d).every(({ dataType }) => dataType === 'float32' || dataType === 'float16');
  if (field !== undefined && !isFloat) d[field.name] ??= { scale: 1.5, bias: -0.5 };
}

/** Gives all tensors one data type that the first tensor does not support, if there is such a type. */
function retypeAll(random: Random, d: LooseDescriptor): void {
  const first = fieldsOf(d).find(({ support }) => support !== undefined);
  const supported = first?.support?.[0]?.dataTypes ?? [];
  const dataType = anotherType(random, supported.length < dataTypes.length ? supported : []);
  for (const tensor of tensorsOf(d)) repack(tensor, tensor.sizes, dataType);
}

/** Changes the data type of a scalar. The scalars become 1, which every data type holds. */
function retypeScalars(random: Random, d: LooseDescriptor): void {
  const field = fieldsOf(d).find(({ enumName }) => enumName === 'DataType');
  if (field === undefined) return;
  d[field.name] = random.pick(dataTypes);
  for (const { name, kind } of fieldsOf(d)) if (kind === 'scalar') d[name] = 1;
}

function anotherType(random: Random, than: readonly DataType[]): DataType {
  return random.pick(dataTypes.filter((dataType) => !than.includes(dataType)));
}

function resize(random: Random, tensor: LooseTensor, sizeFrom: (size: number) => number): void {
  const axis = random.int(0, tensor.sizes.length - 1);
  const size = Math.max(1, sizeFrom(tensor.sizes[axis] ?? 1));
  if (tensor.sizes[axis] !== size) repack(tensor, tensor.sizes.with(axis, size));
}

function elementsNear(value: number): number[] {
  const near = value < 0 ? [-value, value - 1] : [0, value + 1, value + 2, Math.max(0, value - 1)];
  return [...near, 7, 8, value < 0 ? -(2 ** 31) : 2 ** 32 - 1];
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === 'number');
}

function changeNumbers(
  change: (random: Random, values: readonly number[], at: number) => number[],
  which: (name: string) => boolean = () => true,
): Mutation[1] {
  return (random, d) => {
    const names = Object.keys(d).filter((name) => which(name) && isNumbers(d[name]));
    const name = names.length > 0 ? random.pick(names) : '';
    const values = d[name];
    if (isNumbers(values)) d[name] = change(random, values, random.int(0, values.length - 1));
  };
}

function changeField(
  which: (field: FieldSchema) => boolean,
  change: (random: Random, value: unknown, field: FieldSchema) => unknown,
): Mutation[1] {
  return (random, d) => {
    const fields = fieldsOf(d).filter(which);
    if (fields.length === 0) return;
    const field = random.pick(fields);
    d[field.name] = change(random, d[field.name], field);
  };
}
