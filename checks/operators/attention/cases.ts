/** Cases and tolerances of multi-head attention. */
import type { TensorDesc } from 'node-directml';
import type { Random } from '../../harness/random.js';
import type { ConformanceCase, DataType, WholeDescriptor } from '../../cases/case.js';
import { floatElement } from '../../cases/element-values.js';
import { fillTensors, ones, randomTensor } from '../../cases/layout.js';
import { withSpecials } from '../../cases/special-values.js';
import type { ComputedRow } from '../../tolerance/row.js';

const ATTENTION: ComputedRow = {
  ulp: 105,
  perTerm: 16,
  magnitude: 2,
  narrowed: 3,
  reason:
    'the softmax weights have 25 ULP, because they span at most four binades; each rounding of a score is 0.5 ULP of 16, ' +
    'which the exponentials and their sum double; a score rounds a product and a sum per element, and five more times for ' +
    'biases, scale and mask; the output rounds a product and a sum per key; with float16, the exponentials, sums and weights ' +
    'truncate to float16',
};

/**
 * Ordinary inputs keep values (with their bias) within 2 and scores within 16. Special inputs give scores of any size, or push
 * all open keys below the masked ones, whose scores are near the filter value. The tolerance leaves no room for rounding errors
 * of that size, so the reference has to compute scores in exactly DirectML's steps.
 */
export const tolerances = { multiheadAttention: ATTENTION, multiheadAttention1: ATTENTION };

type MaskType = WholeDescriptor<'multiheadAttention'>['maskType'];
type Layout = (typeof LAYOUTS)[number];

interface Shape {
  readonly batch: number;
  readonly heads: number;
  /** The number of heads of keys and values. Several query heads may share such a head. */
  readonly keyHeads: number;
  readonly queries: number;
  readonly keys: number;
  readonly past: number;
  readonly size: number;
  readonly valueSize: number;
}

interface Mask {
  readonly maskTensor: TensorDesc | null;
  readonly maskType: MaskType;
  readonly maskFilterValue: number;
  readonly element: (element: number) => number;
}

const LAYOUTS = ['separate', 'queryKey', 'keyValue', 'queryKeyValue'] as const;
const MASK_TYPES: readonly MaskType[] = [
  'none',
  'keySequenceLength',
  'keySequenceEndStart',
  'keyQuerySequenceLengthStartEnd',
  'boolean',
];

/**
 * With float16, elements are multiples of 1/4, so that nothing is rounded before the softmax: DirectML keeps scores as
 * float16. With float32, no score is larger than 16; the tolerance relies on that.
 */
export function multiheadAttention(random: Random, index: number): ConformanceCase {
  const { fields, shape, data } = attention(random, index, false);
  return { descriptor: { type: 'multiheadAttention', ...fields, headCount: shape.heads }, data };
}

/**
 * Like `multiheadAttention`. In some cases, keys and values are appended to those that the present-key and present-value
 * outputs already hold: here, the bytes with which every output is filled before the dispatch.
 */
export function multiheadAttention1(random: Random, index: number): ConformanceCase {
  const isCached = random.chance(0.4);
  const { fields, shape, data } = attention(random, index, true, isCached);
  const counts = { queryHeadCount: shape.heads, keyValueHeadCount: shape.keyHeads };
  if (!isCached) return { descriptor: { type: 'multiheadAttention1', ...fields, ...counts }, data };
  const { batch, keyHeads, keys, size, valueSize } = shape;
  const room = keys + random.int(0, 4);
  const pastSequenceLengthsTensor: TensorDesc = { dataType: 'int32', sizes: [...onesInFront(random, 1), batch] };
  // A query before the first key gets the filter value from every key. A large filter value would absorb the scores' digits.
  const least = fields.maskFilterValue < -100 ? 0 : -1;
  const present = (last: number) =>
    randomTensor(random, fields.outputTensor.dataType, [...onesInFront(random, 4), batch, keyHeads, room, last], 'output');
  return {
    descriptor: {
      type: 'multiheadAttention1',
      ...fields,
      ...{ ...counts, pastSequenceLengthsTensor },
      ...{ outputPresentKeyTensor: present(size), outputPresentValueTensor: present(valueSize) },
    },
    data: {
      ...data,
      ...fillTensors(random, { pastSequenceLengthsTensor: [pastSequenceLengthsTensor, () => random.int(least, room + 1)] }),
    },
  };
}

function attention(random: Random, index: number, isShared: boolean, isCached = false) {
  const dataType: DataType = index % 2 === 0 ? 'float32' : 'float16';
  const isExact = dataType === 'float16' || random.chance(0.5);
  const layout = LAYOUTS[Math.floor(index / 2) % 4] ?? 'separate';
  const maskType = isCached ? 'none' : (MASK_TYPES[Math.floor(index / 8) % 5] ?? 'none');
  const shape = shapeOf(random, layout, isShared);
  const hasPast = !isCached && shape.past > 0;
  const tensor = (role: 'input' | 'output', sizes: readonly number[]) =>
    randomTensor(random, dataType, [...onesInFront(random, sizes.length), ...sizes], role);
  const sometimes = (role: 'input' | 'output', ...sizes: readonly number[]) => (random.chance(0.4) ? tensor(role, sizes) : null);
  const { batch, heads, keyHeads, queries, keys, past, size, valueSize } = shape;
  const leading = ones(random.int(0, 2));
  const sources = sourcesOf(shape, layout, (sizes) =>
    randomTensor(random, dataType, sizes.length === 3 ? [...leading, ...sizes] : sizes, 'input'),
  );
  const biasTensor = sometimes('input', heads * size + keyHeads * (size + valueSize));
  const relativePositionBiasTensor = isCached ? null : sometimes('input', batch, heads, queries, past + keys);
  const pastKeyTensor = hasPast ? tensor('input', [batch, keyHeads, past, size]) : null;
  const pastValueTensor = hasPast ? tensor('input', [batch, keyHeads, past, valueSize]) : null;
  const { element, ...mask } = maskOf(random, maskType, shape, isExact);
  const share = random.pick([0, 0, 0, 0.5]);
  const plain = () => floatElement(dataType, isExact ? random.int(-4, 4) / 4 : random.fraction() * 2 - 1);
  const special = withSpecials(random, dataType, share);
  // In float16, a weight that underflows to 0 turns an infinite value into NaN, and so does a score that overflows.
  const half = () => (random.chance(share / 10) ? floatElement(dataType, NaN) : plain());
  const number = () => (dataType === 'float16' ? half : special(plain));
  // If huge values cancel, the last bits of their weights decide the result. With one sign, they can only overflow.
  const sign = random.pick([1, -1]);
  const value = () => {
    const any = number();
    return () => alike(any(), sign);
  };
  return {
    shape,
    fields: {
      ...sources,
      ...{ biasTensor, relativePositionBiasTensor, pastKeyTensor, pastValueTensor, ...mask },
      outputTensor: randomTensor(random, dataType, [...leading, batch, queries, heads * valueSize], 'output'),
      outputPresentKeyTensor: sometimes('output', batch, keyHeads, past + keys, size),
      outputPresentValueTensor: sometimes('output', batch, keyHeads, past + keys, valueSize),
      scale: isExact ? random.pick([1, 0.5, -0.25]) : Math.fround(random.fraction() - 0.5),
    },
    data: fillTensors(random, {
      ...Object.fromEntries(
        Object.entries(sources).map(([name, source]) => [name, [source, /value/i.test(name) ? value() : number()]]),
      ),
      biasTensor: [biasTensor, value()],
      maskTensor: [mask.maskTensor, element],
      relativePositionBiasTensor: [relativePositionBiasTensor, number()],
      pastKeyTensor: [pastKeyTensor, number()],
      pastValueTensor: [pastValueTensor, value()],
    }),
  };
}

/** Gives a number above 1e9 in magnitude this sign. Returns any other number unchanged. */
function alike(element: number, sign: number): number {
  return Number.isFinite(element) && Math.abs(element) > 1e9 ? sign * Math.abs(element) : element;
}

/** Queries, keys and values that are stacked in one tensor have the same sequence length and head size. */
function shapeOf(random: Random, layout: Layout, isShared: boolean): Shape {
  const queries = random.int(1, 5);
  const size = random.int(1, 6);
  const keyHeads = random.int(1, isShared ? 2 : 3);
  const isStacked = layout === 'queryKey' || layout === 'queryKeyValue';
  return {
    batch: random.int(1, 3),
    heads: isShared && !isStacked ? keyHeads * random.int(1, 3) : keyHeads,
    keyHeads,
    queries,
    keys: isStacked ? queries : random.int(1, 6),
    past: random.chance(0.4) ? random.int(1, 3) : 0,
    size,
    valueSize: layout === 'separate' || layout === 'queryKey' ? random.int(1, 6) : size,
  };
}

function sourcesOf(shape: Shape, layout: Layout, tensor: (sizes: readonly number[]) => TensorDesc) {
  const { batch, heads, keyHeads, queries, keys, size, valueSize } = shape;
  switch (layout) {
    case 'separate':
      return {
        queryTensor: tensor([batch, queries, heads * size]),
        keyTensor: tensor([batch, keys, keyHeads * size]),
        valueTensor: tensor([batch, keys, keyHeads * valueSize]),
      };
    case 'queryKey':
      return {
        stackedQueryKeyTensor: tensor([batch, queries, heads, 2, size]),
        valueTensor: tensor([batch, keys, keyHeads * valueSize]),
      };
    case 'keyValue':
      return {
        queryTensor: tensor([batch, queries, heads * size]),
        stackedKeyValueTensor: tensor([batch, keys, keyHeads, 2, size]),
      };
    case 'queryKeyValue':
      return { stackedQueryKeyValueTensor: tensor([batch, queries, heads, 3, size]) };
  }
}

/**
 * If a query has no open key, a filter value of the usual size (-1000 or -10000) absorbs all digits of its scores. With such a
 * value, every query therefore has an open key. With a small filter value, the mask is random.
 */
function maskOf(random: Random, maskType: MaskType, shape: Shape, isExact: boolean): Mask {
  const { batch, heads, queries, keys, past } = shape;
  const total = past + keys;
  const isStrong = maskType !== 'keyQuerySequenceLengthStartEnd' && random.chance(0.5);
  const maskFilterValue = isStrong ? random.pick([-1000, -10000]) : random.pick(isExact ? [2, -4, -16] : [2, -3]);
  const mask = (sizes: readonly number[], element: (element: number) => number): Mask => {
    const all = [...onesInFront(random, sizes.length), ...sizes];
    // A broadcast mask could close all keys.
    const maskTensor: TensorDesc = isStrong ? { dataType: 'int32', sizes: all } : randomTensor(random, 'int32', all, 'input');
    return { maskTensor, maskType, maskFilterValue, element };
  };
  switch (maskType) {
    case 'none':
      return { maskTensor: null, maskType, maskFilterValue, element: () => 0 };
    case 'keySequenceLength':
      return mask([1, batch], () => (isStrong ? random.int(1, total) : random.int(-1, total + 1)));
    case 'keySequenceEndStart':
      return mask([2, batch], (i) =>
        isStrong
          ? i < batch
            ? random.int(Math.ceil(total / 2), total)
            : random.int(0, Math.ceil(total / 2) - 1)
          : random.int(-1, total + 1),
      );
    case 'keyQuerySequenceLengthStartEnd':
      return mask([3 * batch + 2], (i) => {
        if (i < batch) return random.int(0, total);
        if (i <= 2 * batch) return (i - batch) * queries + random.int(-1, 1);
        return (i - 2 * batch - 1) * total + random.int(-1, 2);
      });
    case 'boolean': {
      const open = random.int(0, total - 1);
      const any = () => (!isStrong && isExact && random.chance(0.1) ? random.pick([2, -1]) : random.int(0, 1));
      return mask([batch, heads, queries, total], (i) => (i % total === open ? 1 : any()));
    }
  }
}

function onesInFront(random: Random, count: number): number[] {
  return ones(random.chance(0.7) ? 0 : random.int(0, 5 - count));
}
