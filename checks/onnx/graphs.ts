/** Operators on sequences and optionals, and those that run graphs of their own. */
import type { NodeLine, SmallGraph } from '../networks/small-model.js';
import type { Random } from '../harness/random.js';
import type { Draws, OnnxCase } from './case.js';
import { eitherEnd, numbers, range, Sketch, sizes, type Type } from './sketch.js';

const opsets = range(13, 22);
const types: readonly Type[] = ['float32', 'float32', 'int32', 'int64', 'float64'];

/** A sequence of some tensors, then one that is inserted, one that is removed, and one that is taken out. */
function sequence(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const type = random.pick(types);
  const count = random.int(1, 4);
  const given = Array.from({ length: count }, (_, i) => `in${i}`);
  for (const _ of given) sketch.drawn(type, sizes(random, random.int(0, 3), 3));
  const isEmpty = random.chance(0.3);
  const made: NodeLine = isEmpty
    ? ['SequenceEmpty', '', 'made', { dtype: { float32: 1, int32: 6, int64: 7, float64: 11 }[type as 'float32'] }]
    : ['SequenceConstruct', given.join(' '), 'made'];
  const length = isEmpty ? 0 : count;
  const at = (from: number, to: number) => {
    sketch.tensor(random.pick(['int32', 'int64']), [], [random.int(from, to)], 0.6);
    return `in${sketch.count - 1}`;
  };
  const inserted = random.chance(0.7) ? ` ${at(-length, length)}` : '';
  const erased = random.chance(0.7) ? ` ${at(-length - 1, length)}` : '';
  const taken = length === 0 ? at(-1, 0) : at(-length, length - 1);
  const source = length === 0 ? 'inserted' : 'erased';
  return sketch.finish(
    [
      made,
      ['SequenceInsert', `made in0${inserted}`, 'inserted'],
      ['SequenceErase', `inserted${erased}`, 'erased'],
      ['SequenceAt', `${source} ${taken}`, 'taken'],
      ['SequenceLength', 'erased', 'length'],
    ],
    ['taken', 'length'],
  );
}

/** Parts of a tensor, joined again along another axis or a new one. */
function split(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const dims = sizes(random, random.int(1, 4), 5);
  const axis = random.int(0, dims.length - 1);
  const length = dims[axis] ?? 1;
  sketch.drawn(random.pick(types), dims);
  const form = random.pick(['ones', 'number', 'list']);
  const even = random.pick(range(1, length).filter((size) => length % size === 0));
  if (form === 'number') sketch.tensor('int64', [], [random.chance(0.5) ? even : random.int(1, length)], 0.8);
  if (form === 'list') sketch.list('int64', random.chance(0.5) ? numbers(length / even, () => even) : partition(random, length));
  // ONNX says that sizes overrule `keepdims`. onnxruntime removes the dimension if they are 1.
  const isKept = form !== 'ones' || random.chance(0.5);
  const parts = {
    axis: eitherEnd(random, axis, dims.length),
    ...(isKept && random.chance(0.7) ? {} : { keepdims: Number(isKept) }),
  };
  const isNew = dims.length === 1 && !isKept ? true : random.chance(0.4);
  const rank = dims.length - Number(!isKept) + Number(isNew);
  const joined = { axis: eitherEnd(random, random.int(0, rank - 1), rank), new_axis: Number(isNew) };
  return sketch.finish(
    [
      ['SplitToSequence', form === 'ones' ? 'in0' : 'in0 in1', 'parts', parts],
      ['ConcatFromSequence', 'parts', 'out', joined],
      ['SequenceLength', 'parts', 'length'],
    ],
    ['out', 'length'],
  );
}

function partition(random: Random, length: number): number[] {
  const first = random.int(1, length);
  return first === length ? [first] : [first, ...partition(random, length - first)];
}

/** What an optional holds, or whether it holds something. */
function optional(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(18, 22));
  sketch.drawn(random.pick(types), sizes(random, random.int(0, 3), 4));
  return sketch.finish(
    [
      ['Optional', 'in0', 'kept'],
      ['OptionalHasElement', 'kept', 'has'],
      ['OptionalGetElement', 'kept', 'out'],
    ],
    ['out', 'has'],
  );
}

/** One of two graphs, which also see what is around them. */
function branch(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const type = random.pick<Type>(['float32', 'int32']);
  const dims = sizes(random, random.int(1, 3), 4);
  sketch.tensor('bool', [], [random.int(0, 1)], 0.5);
  sketch.drawn(type, dims);
  sketch.drawn(type, dims);
  const graph = (operator: string): SmallGraph => ({ outputs: '? made', nodes: [[operator, 'in1 in2', 'made']] });
  return sketch.finish([['If', 'in0', 'out', { then_branch: graph('Add'), else_branch: graph('Mul') }]], ['out']);
}

/** A sum that grows, and all that it was, until it is above a limit or the trips end. */
function loop(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const dims = sizes(random, random.int(0, 2), 3);
  const [hasTrips, hasLimit, starts] = [random.chance(0.7), random.chance(0.5), random.chance(0.9)];
  sketch.tensor('int64', [], [random.int(1, 6)], 0.6);
  sketch.tensor('bool', [], [Number(starts)], 0.6);
  sketch.drawn('float32', dims, 3, 0.2);
  sketch.tensor('float32', [], [random.int(1, 20)], 0.5);
  const isLimited = hasLimit || !hasTrips;
  const body: SmallGraph = {
    // Without trips, onnxruntime knows only the sizes that stand here.
    inputs: `int64 trip []; bool going []; float32 sum [${dims.join()}]`,
    outputs: `? goes; ? next; float32 was [${dims.join()}]`,
    nodes: [
      ['Cast', 'trip', 'step', { to: 1 }],
      ['Abs', 'sum', 'size'],
      ['Add', 'size step', 'moved'],
      ['Add', 'moved in3', 'next'],
      ['ReduceMax', 'next', 'most', { keepdims: 0 }],
      ['Mul', 'in3 in3', 'limit'],
      isLimited ? ['Less', 'most limit', 'goes'] : ['Identity', 'going', 'goes'],
      ['Mul', 'next next', 'was'],
    ],
  };
  return sketch.finish([['Loop', `${hasTrips ? 'in0' : '-'} in1 in2`, 'last all', { body }]], ['last', 'all']);
}

/** Sums along an axis, forwards or backwards. */
function scan(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const rank = random.int(1, 3);
  const dims = sizes(random, rank, 4);
  const axes = [random.int(0, rank - 1), random.int(0, rank - 1)];
  const length = random.int(1, 5);
  const inner = (axis: number) => dims.toSpliced(axis, 1);
  // Both scanned tensors have the same parts.
  const part = inner(axes[0] ?? 0);
  sketch.drawn('float32', part);
  for (const axis of axes) sketch.drawn('float32', part.toSpliced(axis, 0, length));
  const either = () => [random.int(0, 1), random.int(0, 1)];
  const maybe = (name: string, value: () => readonly number[]) => (random.chance(0.6) ? { [name]: value() } : {});
  const turned = (list: readonly number[]) => list.map((axis) => eitherEnd(random, axis, rank));
  const attributes = {
    num_scan_inputs: 2,
    ...(axes.some((axis) => axis > 0) || random.chance(0.4) ? { scan_input_axes: turned(axes) } : {}),
    ...maybe('scan_input_directions', either),
    ...maybe('scan_output_directions', either),
    ...maybe('scan_output_axes', () => turned([random.int(0, rank - 1), random.int(0, rank - 1)])),
    body: {
      inputs: 'float32 sum; float32 a; float32 b',
      outputs: '? next; ? one; ? other',
      nodes: [
        ['Mul', 'a b', 'one'],
        ['Add', 'sum one', 'next'],
        ['Sub', 'next a', 'other'],
      ],
    } satisfies SmallGraph,
  };
  return sketch.finish([['Scan', 'in0 in1 in2', 'last ones others', attributes]], ['last', 'ones', 'others']);
}

/** A graph for each tensor of a sequence. */
function mapped(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(17, 22));
  const dims = sizes(random, random.int(1, 3), 4);
  const count = random.int(1, 3);
  const names = Array.from({ length: count }, (_, i) => `in${i}`);
  for (const _ of names) sketch.drawn('float32', dims);
  sketch.drawn('float32', dims);
  const body: SmallGraph = {
    inputs: 'float32 a; float32 b',
    outputs: 'float32 made; int64 shape',
    nodes: [
      ['Mul', 'a b', 'made'],
      ['Shape', 'a', 'shape'],
    ],
  };
  return sketch.finish(
    [
      ['SequenceConstruct', names.join(' '), 'items'],
      ['SequenceMap', `items in${count}`, 'products shapes', { body }],
      ['ConcatFromSequence', 'products', 'out', { axis: 0 }],
      ['ConcatFromSequence', 'shapes', 'sizes', { axis: 0, new_axis: 1 }],
    ],
    ['out', 'sizes'],
  );
}

export const graphDraws: Draws = {
  SequenceInsert: sequence,
  SplitToSequence: split,
  Optional: optional,
  If: branch,
  Loop: loop,
  Scan: scan,
  SequenceMap: mapped,
};
