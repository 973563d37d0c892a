/**
 * All single changes of a descriptor: of each tensor, of tensors of equal sizes together, of each other field, of fused
 * activations.
 */
import { enums } from '#lib/tensors/generated/enums.js';
import type { FieldSchema } from '#lib/descriptors/types.js';
import type { DataType } from '../cases/case.js';
import { ACTIVATIONS, activationOf } from '../descriptors/fusion.js';
import { fieldsOf, isTensor, repack, type LooseDescriptor, type LooseTensor } from '../descriptors/candidate.js';
import { Random } from '../harness/random.js';

export interface Change {
  readonly what: string;
  readonly descriptor: LooseDescriptor;
}

export function changesOf(descriptor: LooseDescriptor): Change[] {
  const changes: Change[] = [];
  const add = (what: string, change: (copy: LooseDescriptor) => void) => {
    const copy = structuredClone(descriptor);
    change(copy);
    changes.push({ what, descriptor: copy });
  };
  const fields = fieldsOf(descriptor);
  for (const field of fields.filter(({ kind }) => kind === 'tensor')) changeTensor(descriptor, field, add);
  for (const field of fields.filter(({ kind }) => kind === 'tensorArray')) {
    add(`${field.name} one less`, (copy) => (copy[field.name] = arrayOf(copy[field.name]).slice(1)));
    add(
      `${field.name} one twice`,
      (copy) => (copy[field.name] = arrayOf(copy[field.name]).flatMap((x, i) => (i ? [x] : [x, x]))),
    );
  }
  for (const group of alike(descriptor)) {
    group[0]?.sizes.forEach((_, axis) =>
      add(`sizes of ${group.length} alike`, (copy) => {
        for (const tensor of tensorsIn(copy)) if (sameSizes(tensor, group[0])) resize(tensor, axis, 1);
      }),
    );
  }
  for (const field of fields) changeValue(descriptor, field, add);
  for (const { name, kind } of fields) {
    if (kind === 'operator') fuse(name, add);
    if (kind === 'operatorArray') arrayOf(descriptor[name]).forEach((_, i) => replaceActivation(name, i, add));
  }
  return changes;
}

type Add = (what: string, change: (copy: LooseDescriptor) => void) => void;

function changeTensor(descriptor: LooseDescriptor, { name, support, optional }: FieldSchema, add: Add): void {
  const tensor = descriptor[name];
  if (!isTensor(tensor)) {
    const other = tensorsIn(descriptor)[0];
    if (other !== undefined) add(`${name} there`, (copy) => (copy[name] = structuredClone(other)));
    return;
  }
  const change = (what: string, edit: (tensor: LooseTensor) => void) =>
    add(`${name} ${what}`, (copy) => {
      const changed = copy[name];
      if (isTensor(changed)) edit(changed);
    });
  for (const dataType of support?.[0]?.dataTypes ?? []) {
    if (dataType !== tensor.dataType) change('data type', (copy) => repack(copy, copy.sizes, dataType));
  }
  tensor.sizes.forEach((size, axis) => {
    change('size larger', (copy) => resize(copy, axis, size + 1));
    if (size > 1) change('size one', (copy) => resize(copy, axis, 1));
  });
  change('one dimension more', (copy) => repack(copy, [1, ...copy.sizes]));
  if (tensor.sizes.length > 1) change('one dimension less', (copy) => repack(copy, copy.sizes.slice(1)));
  if (optional === true) add(`${name} left out`, (copy) => (copy[name] = null));
}

function changeValue(descriptor: LooseDescriptor, { name, kind, enumName, counts }: FieldSchema, add: Add): void {
  const value = descriptor[name];
  const set = (what: string, changed: unknown) => add(`${name} ${what}`, (copy) => (copy[name] = changed));
  if (kind === 'bool') set('other', value !== true);
  for (const member of enumName === undefined ? [] : Object.keys(enums[enumName].values).filter((one) => one !== value)) {
    add(`${name} member`, (copy) => {
      copy[name] = member;
      // Scalars become 1, which every data type can hold.
      if (enumName === 'DataType') for (const field of fieldsOf(copy)) if (field.kind === 'scalar') copy[field.name] = 1;
    });
  }
  if (kind === 'float') for (const number of [0, -1, -Infinity, Infinity, NaN]) set(`float ${number}`, number);
  if (typeof value === 'number' && (kind === 'uint' || kind === 'int') && counts === undefined) {
    for (const other of [value - 1, value + 1, 0]) if (other >= 0 || kind === 'int') set('number', other);
  }
  if (Array.isArray(value) && value.every((element) => typeof element === 'number')) {
    const numbers: readonly number[] = value;
    set('empty', []);
    set('one more', [...numbers, numbers.at(-1) ?? 1]);
    if (numbers.length > 1) set('one less', numbers.slice(1));
    numbers.forEach((number, i) => {
      for (const other of [number + 1, 0, -number])
        if (other !== number && (other >= 0 || kind === 'intArray')) set('element', numbers.with(i, other));
    });
  }
}

/** Fuses each activation, and one with tensors, which only a standalone activation may have. */
function fuse(name: string, add: Add): void {
  const random = Random.of(0, name);
  for (const type of ACTIVATIONS) add(`${name} ${type}`, (copy) => (copy[name] = activationOf(type, random)));
  const relu = { type: 'activationRelu' };
  add(`${name} tensor`, (copy) => (copy[name] = { ...relu, inputTensor: { dataType: 'float32', sizes: [1] } }));
  add(`${name} null`, (copy) => (copy[name] = { ...relu, inputTensor: null, outputTensor: null }));
}

function replaceActivation(name: string, index: number, add: Add): void {
  const random = Random.of(0, name);
  for (const type of ACTIVATIONS) {
    const activation = activationOf(type, random);
    add(`${name} ${index} ${type}`, (copy) => (copy[name] = arrayOf(copy[name]).with(index, activation)));
  }
}

/** The groups of two or more tensors with equal sizes. */
function alike(descriptor: LooseDescriptor): LooseTensor[][] {
  const groups = new Map<string, LooseTensor[]>();
  for (const tensor of tensorsIn(descriptor)) {
    const key = tensor.sizes.join();
    groups.set(key, [...(groups.get(key) ?? []), tensor]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function tensorsIn(descriptor: LooseDescriptor): LooseTensor[] {
  return Object.values(descriptor).flat().filter(isTensor);
}

function sameSizes(a: LooseTensor, b: LooseTensor | undefined): boolean {
  return a.sizes.join() === b?.sizes.join();
}

function resize(tensor: LooseTensor, axis: number, size: number): void {
  const dataType: DataType = tensor.dataType;
  repack(tensor, tensor.sizes.with(axis, size === tensor.sizes[axis] ? size + 1 : size), dataType);
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
