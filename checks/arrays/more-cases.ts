/** Random cases of the functions that create arrays, arrange and index their elements, sort them, and multiply arrays. */
import type { Draw, ArrayOf, DataType } from './draw.js';
import { all, floats, integers, numbers } from './draw.js';

type Generator = (draw: Draw) => readonly unknown[];
type Sizes = readonly number[];

const each = (names: readonly string[], generator: Generator) => Object.fromEntries(names.map((name) => [name, generator]));
const indexTypes: readonly DataType[] = ['int32', 'int32', 'int64', 'uint32'];
const typed = (draw: Draw, types: readonly DataType[] = numbers) => (draw.chance(0.5) ? { dataType: draw.pick(types) } : {});

const creation: Readonly<Record<string, Generator>> = {
  ...each(['zeros', 'ones'], (draw) => [draw.chance(0.2) ? draw.int(1, 9) : draw.sizes(), typed(draw, all)]),
  full: (draw) => [draw.sizes(), draw.int(0, 9), typed(draw, all)],
  ...each(['zerosLike', 'onesLike'], (draw) => [draw.array(numbers), typed(draw)]),
  fullLike: (draw) => [draw.array(numbers), draw.int(0, 9), typed(draw)],
  arange: (draw) => {
    const isWhole = draw.chance(0.6);
    const number = (low: number, high: number) => draw.int(low, high) / (isWhole ? 1 : 4);
    const options = isWhole ? typed(draw, ['int32', 'int64', 'float32']) : { dataType: 'float32' };
    if (draw.chance(0.4)) return [number(0, 20), options];
    const [start, stop] = [number(-9, 9), number(-9, 20)];
    const step = { step: number(1, 3) * Math.sign(stop - start || 1) };
    return [start, stop, draw.chance(0.5) ? { ...options, ...step } : options];
  },
  linspace: (draw) => [draw.int(-9, 9), draw.int(-9, 9), draw.int(0, 12), draw.chance(0.3) ? { endpoint: draw.chance(0.5) } : {}],
  eye: (draw) => [
    draw.int(1, 5),
    {
      ...typed(draw, all),
      ...(draw.chance(0.5) ? { columns: draw.int(1, 5) } : {}),
      ...(draw.chance(0.5) ? { k: draw.int(-5, 5) } : {}),
    },
  ],
  ...each(['tril', 'triu'], (draw) => {
    const x = draw.array(all, draw.sizes(draw.chance(0.05) ? 1 : 2));
    return draw.chance(0.3) ? [x] : [x, { k: draw.int(-5, 5) }];
  }),
  meshgrid: (draw) => [
    Array.from({ length: draw.int(1, 3) }, () => draw.array(['float32'], draw.sizes(1, 1))),
    draw.chance(0.5) ? {} : { indexing: draw.pick(['xy', 'ij']) },
  ],
};

/** Sizes that some arrays are repeated to. */
function alike(draw: Draw, count: number): readonly ArrayOf[] {
  const sizes = draw.sizes();
  const type = [draw.pick(all)];
  return Array.from({ length: count }, () => draw.array(type, draw.beside(sizes)));
}

function widths(draw: Draw, { sizes }: ArrayOf): unknown {
  if (draw.chance(0.2)) return draw.int(0, 2);
  return sizes.map(() => (draw.chance(0.3) ? draw.int(0, 2) : [draw.int(0, 2), draw.int(0, 2)]));
}

const arrangement: Readonly<Record<string, Generator>> = {
  broadcastArrays: (draw) => alike(draw, draw.int(1, 3)),
  unstack: (draw) => {
    const x = draw.array(all);
    return [x, draw.along(x.sizes.length)];
  },
  roll: (draw) => {
    const x = draw.array(all);
    if (draw.chance(0.3)) return [x, draw.int(-9, 9)];
    const axes = draw.axes(x.sizes.length);
    return draw.chance(0.5)
      ? [x, draw.int(-9, 9), { axis: draw.axis(x.sizes.length) }]
      : [x, axes.map(() => draw.int(-4, 4)), { axis: axes }];
  },
  tile: (draw) => [
    draw.array(all),
    draw.chance(0.2) ? draw.int(1, 3) : Array.from({ length: draw.int(1, 5) }, () => draw.int(1, 3)),
  ],
  repeat: (draw) => {
    const x = draw.array(all);
    if (draw.chance(0.2)) return [x, draw.int(1, 3)];
    const axis = draw.int(-x.sizes.length, x.sizes.length - 1);
    const counts = draw.chance(0.5) ? draw.int(1, 3) : Array.from({ length: x.sizes.at(axis) ?? 1 }, () => draw.int(0, 2));
    return [x, counts, { axis }];
  },
  pad: (draw) => {
    const x = draw.array(all);
    const mode = draw.pick(['constant', 'constant', 'edge', 'reflect', 'symmetric']);
    const value = mode === 'constant' && draw.chance(0.5) ? { value: draw.int(0, 9) } : {};
    return [x, widths(draw, x), { ...(mode === 'constant' ? {} : { mode }), ...value }];
  },
};

const cumulative: Readonly<Record<string, Generator>> = {
  ...each(['cumulativeSum', 'cumulativeProd'], (draw) => {
    const x = draw.array(numbers, undefined, [-2, 2]);
    return [x, { ...draw.along(x.sizes.length, 0.9), ...(draw.chance(0.3) ? { includeInitial: true } : {}) }];
  }),
  diff: (draw) => {
    const x = draw.array(numbers);
    return [x, { ...draw.along(x.sizes.length, 0.6), ...(draw.chance(0.3) ? { n: draw.int(1, 3) } : {}) }];
  },
};

/** Indices of an axis of this size, some from its end; out of it sometimes, but not in the results that are compared. */
function indices(draw: Draw, size: number, sizes: Sizes): ArrayOf {
  const dataType = draw.pick(indexTypes);
  return draw.array([dataType], sizes, [dataType.startsWith('u') ? 0 : -size, size - 1]);
}

/** Coordinates of elements, or of parts. No two are the same, unless they may be. */
function coordinates(draw: Draw, { sizes }: ArrayOf, isRepeated = false): ArrayOf {
  const length = draw.int(1, sizes.length);
  const total = sizes.slice(0, length).reduce((product, size) => product * size, 1);
  const distinct = draw.random.distinct(draw.int(1, total), total);
  const places = isRepeated ? distinct.map(() => draw.int(0, total - 1)) : distinct;
  const data = places.flatMap((place) => {
    const own: number[] = [];
    for (let [axis, left] = [length - 1, place]; axis >= 0; axis--) {
      const size = sizes[axis] ?? 1;
      own.unshift(left % size);
      left = Math.floor(left / size);
    }
    return own;
  });
  return { dataType: 'int32', sizes: [places.length, length], data };
}

function updates(draw: Draw, x: ArrayOf, isRepeated: boolean): readonly unknown[] {
  const places = coordinates(draw, x, isRepeated);
  const sizes = [places.sizes[0] ?? 1, ...x.sizes.slice(places.sizes[1] ?? 1)];
  return [x, places, draw.array([x.dataType], draw.beside(sizes))];
}

const indexing: Readonly<Record<string, Generator>> = {
  take: (draw) => {
    const x = draw.array(all);
    if (draw.chance(0.2)) return [x, indices(draw, x.data.length, draw.sizes(1, 2))];
    const axis = draw.axis(x.sizes.length);
    return [x, indices(draw, x.sizes.at(axis) ?? 1, draw.sizes(1, 2)), { axis }];
  },
  takeAlongAxis: (draw) => {
    const x = draw.array(all);
    const axis = draw.int(-x.sizes.length, x.sizes.length - 1);
    const own = x.sizes.map((size) => (draw.chance(0.2) ? 1 : size)).with(axis, draw.int(1, 4));
    return [x, indices(draw, x.sizes.at(axis) ?? 1, draw.chance(0.05) ? draw.sizes() : own), ...(axis === -1 ? [] : [{ axis }])];
  },
  at: (draw) => {
    const x = draw.array(all);
    return [x, coordinates(draw, x)];
  },
  atSet: (draw) => updates(draw, draw.array(all), false),
  atAdd: (draw) => updates(draw, draw.array(numbers), true),
  oneHot: (draw) => [
    indices(draw, draw.int(1, 5), draw.sizes(1, 3)),
    draw.int(1, 5),
    { ...(draw.chance(0.4) ? { axis: draw.pick([0, -1]) } : {}), ...typed(draw) },
  ],
  nonzero: (draw) => [draw.array(numbers, undefined, [-1, 1])],
  ...each(['uniqueAll', 'uniqueCounts', 'uniqueInverse', 'uniqueValues'], (draw) => [draw.array(numbers, undefined, [-3, 3])]),
  searchSorted: (draw) => {
    const x = draw.array(['float32', 'int32'], draw.sizes(1, 1));
    const data = [...x.data].sort((a, b) => Number(a) - Number(b));
    return [{ ...x, data }, draw.array(['float32', 'int32']), draw.chance(0.5) ? {} : { side: draw.pick(['left', 'right']) }];
  },
};

const sorting: Readonly<Record<string, Generator>> = {
  ...each(['sort', 'argsort'], (draw) => {
    const x = draw.array(numbers);
    return [x, { ...draw.along(x.sizes.length), ...(draw.chance(0.4) ? { descending: draw.chance(0.7) } : {}) }];
  }),
  topK: (draw) => {
    const x = draw.array(numbers);
    const axis = draw.int(-x.sizes.length, x.sizes.length - 1);
    const size = x.sizes.at(axis) ?? 1;
    return [
      x,
      draw.chance(0.05) ? size + 1 : draw.int(1, size),
      { axis, ...(draw.chance(0.4) ? { largest: draw.chance(0.5) } : {}) },
    ];
  },
};

const products: Readonly<Record<string, Generator>> = {
  vecdot: (draw) => {
    const sizes = draw.sizes();
    const isFloat = draw.chance(0.7);
    const types = isFloat ? floats : integers;
    const other = [...draw.beside(sizes).slice(0, -1), sizes.at(-1) ?? 1];
    return [draw.array(types, sizes), draw.array(types, draw.chance(0.05) ? draw.sizes() : other)];
  },
  tensordot: (draw) => {
    const types = draw.chance(0.7) ? floats : integers;
    const [x, y] = [draw.sizes(1, 3), draw.sizes(1, 3)];
    const count = draw.int(0, Math.min(x.length, y.length));
    const first = draw.random.distinct(count, x.length);
    const second = draw.random.distinct(count, y.length);
    if (draw.chance(0.5)) {
      const own = [...x.slice(x.length - count), ...y.slice(count)];
      return [draw.array(types, x), draw.array(types, own), { axes: count }];
    }
    const own = y.map((size, axis) => (second.includes(axis) ? (x[first[second.indexOf(axis)] ?? 0] ?? 1) : size));
    return [draw.array(types, x), draw.array(types, draw.chance(0.05) ? y : own), { axes: [first, second] }];
  },
  outer: (draw) => [draw.array(numbers, draw.sizes(1, 1)), draw.array(numbers, draw.sizes(1, draw.chance(0.05) ? 2 : 1))],
  cross: (draw) => {
    const sizes = [...draw.sizes(0, 2), 3];
    return [
      draw.array(floats, sizes),
      draw.array(floats, draw.chance(0.05) ? draw.sizes() : [...draw.beside(sizes).slice(0, -1), 3]),
    ];
  },
  ...each(['diagonal', 'trace'], (draw) => {
    const x = draw.array(numbers, draw.sizes(draw.chance(0.05) ? 1 : 2));
    return draw.chance(0.5) ? [x] : [x, { offset: draw.int(-2, 2) }];
  }),
  einsum,
};

/** Up to three parts with up to six letters; with an arrow and `...` in many. */
function einsum(draw: Draw): readonly unknown[] {
  const letters = ['i', 'j', 'k', 'l', 'A', 'm'];
  const sizes = new Map(letters.map((letter) => [letter, draw.pick([1, 2, 3, 4])]));
  const hasDots = draw.chance(0.25);
  const dots = draw.sizes(0, 2);
  const types = draw.chance(0.7) ? [draw.pick(floats)] : [draw.pick(integers)];
  const terms = Array.from({ length: draw.int(1, 3) }, () => {
    const own = Array.from({ length: draw.int(hasDots ? 0 : 1, 3) }, () => draw.pick(letters));
    const at = hasDots && draw.chance(0.8) ? draw.int(0, own.length) : -1;
    return { own, at };
  });
  const arrays = terms.map(({ own, at }) => {
    const lengths = own.map((letter) => (draw.chance(0.02) ? 5 : (sizes.get(letter) ?? 1)));
    const others = at < 0 ? [] : dots.slice(draw.int(0, dots.length)).map((size) => (draw.chance(0.2) ? 1 : size));
    const all = at < 0 ? lengths : lengths.toSpliced(at, 0, ...others);
    return draw.array(types, all.length === 0 ? [1] : all);
  });
  const text = terms.map(({ own, at }) => (at < 0 ? own : own.toSpliced(at, 0, '...')).join('')).join(',');
  if (draw.chance(0.3)) return [text, ...arrays];
  const used = [...new Set(terms.flatMap(({ own }) => own))];
  const kept = draw.random.distinct(draw.int(0, used.length), used.length).map((i) => used[i] ?? '');
  const result = terms.some(({ at }) => at >= 0) ? kept.toSpliced(draw.int(0, kept.length), 0, '...') : kept;
  return [`${text}->${result.join('')}`, ...arrays];
}

export const moreGenerators: Readonly<Record<string, Generator>> = {
  ...creation,
  ...arrangement,
  ...cumulative,
  ...indexing,
  ...sorting,
  ...products,
};
