/** Candidates of any operator: a conformance case's descriptor, valid, or with one thing about it changed. */
import type { FinishedOperatorType } from '#lib/schema/generated/finished.js';
import { INDEX_TYPES, VALUE_TYPES } from '../conformance/case.js';
import { generators } from '../conformance/cases/index.js';
import type { Random } from '../random.js';
import {
  isTensor,
  type Candidate,
  type LooseDescriptor,
  type LooseTensor,
  type Mutation,
} from './candidate.js';
import { tensorMutations } from './tensor-mutations.js';

export function candidateOf(operator: FinishedOperatorType): (random: Random) => Candidate {
  return (random) => {
    // A copy, for generators may share arrays between tensors.
    const descriptor: LooseDescriptor = structuredClone({
      ...generators[operator](random, random.int(0, 9999)).descriptor,
    });
    if (random.chance(0.2)) return { rule: 'valid', descriptor };
    const names = Object.keys(descriptor).filter((name) => isTensor(descriptor[name]));
    const [rule, mutate] = random.pick([
      ...OWN,
      ...OWN,
      ...tensorMutations<LooseDescriptor>(names, 'outputTensor'),
    ]);
    mutate(random, descriptor);
    return { rule, descriptor };
  };
}

const OWN: readonly Mutation<LooseDescriptor>[] = [
  [
    'data type of one tensor',
    (random, d) =>
      change(random, d, (tensor) => {
        tensor.dataType = random.pick([...VALUE_TYPES, ...INDEX_TYPES]);
        delete tensor.totalTensorSizeInBytes;
      }),
  ],
  [
    'data type of all tensors',
    (random, d) => {
      const dataType = random.pick(VALUE_TYPES);
      for (const tensor of tensorsOf(d)) {
        tensor.dataType = dataType;
        delete tensor.totalTensorSizeInBytes;
      }
    },
  ],
  [
    'size of one tensor',
    (random, d) =>
      change(random, d, (tensor) => {
        const axis = random.int(0, tensor.sizes.length - 1);
        tensor.sizes = tensor.sizes.with(
          axis,
          Math.max(1, (tensor.sizes[axis] ?? 1) + random.pick([-1, 1, 2])),
        );
        repack(tensor);
      }),
  ],
  [
    'size made one',
    (random, d) =>
      change(random, d, (tensor) => {
        tensor.sizes = tensor.sizes.with(random.int(0, tensor.sizes.length - 1), 1);
        repack(tensor);
      }),
  ],
  [
    'dimension count of one tensor',
    (random, d) =>
      change(random, d, (tensor) => {
        tensor.sizes = random.chance(0.5) ? [1, ...tensor.sizes] : tensor.sizes.slice(1);
        repack(tensor);
      }),
  ],
  [
    'nine dimensions',
    (_random, d) => {
      for (const tensor of tensorsOf(d)) {
        tensor.sizes = [...new Array<number>(Math.max(0, 9 - tensor.sizes.length)).fill(1), ...tensor.sizes];
        repack(tensor);
      }
    },
  ],
  [
    'whole-number field',
    (random, d) => {
      const names = Object.keys(d).filter(
        (name) => typeof d[name] === 'number' && /axis|dimension/i.test(name),
      );
      if (names.length > 0) d[random.pick(names)] = random.pick([0, 1, 2, 3, 4, 7, 8, 9, 0xffffffff]);
    },
  ],
  [
    'array of whole numbers',
    (random, d) => {
      const names = Object.keys(d).filter((name) => isNumbers(d[name]));
      const name = names.length > 0 ? random.pick(names) : '';
      const values = d[name];
      if (isNumbers(values)) d[name] = brokenArray(random, values);
    },
  ],
];

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === 'number');
}

/** An element changed, repeated or left out, or none at all. */
function brokenArray(random: Random, values: readonly number[]): number[] {
  const at = random.int(0, Math.max(0, values.length - 1));
  switch (random.int(0, 3)) {
    case 0:
      return values.with(at, random.pick([0, 1, 2, 3, 7, 8, 0xffffffff]));
    case 1:
      return [...values, values[at] ?? 0];
    case 2:
      return values.filter((_, i) => i !== at);
    default:
      return [];
  }
}

function change(random: Random, descriptor: LooseDescriptor, mutate: (tensor: LooseTensor) => void): void {
  mutate(random.pick(tensorsOf(descriptor)));
}

function tensorsOf(descriptor: LooseDescriptor): LooseTensor[] {
  return Object.values(descriptor).flatMap((value) =>
    Array.isArray(value) ? value.filter(isTensor) : isTensor(value) ? [value] : [],
  );
}

function repack(tensor: LooseTensor): void {
  delete tensor.strides;
  delete tensor.totalTensorSizeInBytes;
}
