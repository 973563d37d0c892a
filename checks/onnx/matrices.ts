/** Products of matrices. */
import type { Random } from '../harness/random.js';
import type { Draws, OnnxCase } from './case.js';
import { floatOf, order, range, Sketch, sizes, type Type } from './sketch.js';

const opsets = range(7, 22);

/** Sizes that broadcast to `dims`. */
function broadcasting(random: Random, dims: readonly number[]): number[] {
  const kept = dims.slice(random.chance(0.3) ? random.int(0, dims.length) : 0);
  return kept.map((size) => (random.chance(0.3) ? 1 : size));
}

function matMul(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const inner = random.int(1, 7);
  const batch = sizes(random, random.int(0, 3), 4);
  const [rows, columns] = [random.int(1, 6), random.int(1, 6)];
  const a = random.chance(0.2) ? [inner] : [...broadcasting(random, batch), rows, inner];
  const b = random.chance(0.2) ? [inner] : [...broadcasting(random, batch), inner, columns];
  const types: readonly Type[] = sketch.opset >= 9 ? ['float32', 'float32', 'float64', 'int32', 'int64'] : ['float32', 'float64'];
  const type = random.pick(types);
  sketch.drawn(type, a);
  sketch.drawn(type, b);
  return sketch.finish('MatMul');
}

function gemm(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const [rows, inner, columns] = [random.int(1, 6), random.int(1, 7), random.int(1, 6)];
  const [turnsA, turnsB] = [random.chance(0.4), random.chance(0.4)];
  const type = random.pick<Type>(['float32', 'float32', 'float64']);
  if (turnsA || random.chance(0.2)) sketch.attribute('transA', turnsA ? 1 : 0);
  if (turnsB || random.chance(0.2)) sketch.attribute('transB', turnsB ? 1 : 0);
  sketch.maybe('alpha', () => (random.chance(0.1) ? { float: 0 } : floatOf(random, -2, 2)));
  sketch.maybe('beta', () => (random.chance(0.1) ? { float: 0 } : floatOf(random, -2, 2)));
  sketch.drawn(type, turnsA ? [inner, rows] : [rows, inner]);
  sketch.drawn(type, turnsB ? [columns, inner] : [inner, columns]);
  if (sketch.opset < 11 || random.chance(0.6)) {
    const shapes = [[rows, columns], [columns], [1, columns], [rows, 1], [1, 1], [1], []];
    sketch.drawn(type, random.pick(shapes));
  }
  return sketch.finish('Gemm');
}

/** Terms of letters, some of which are in several terms or twice in one. */
function einsum(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(12, 22), 1);
  const letters = ['a', 'b', 'c', 'd', 'e', 'X', 'Y'].slice(0, random.int(1, 7));
  const lengths = new Map(letters.map((letter) => [letter, random.int(1, 4)]));
  const hasEllipsis = random.chance(0.3);
  const space = sizes(random, random.int(0, 2), 3);
  const type = random.pick<Type>(['float32', 'float32', 'float64', 'int32', 'int64']);
  const used = new Set<string>();
  const places: string[] = [];
  const terms = Array.from({ length: random.pick([1, 2, 2, 3]) }, () => {
    // An ellipsis of fewer dimensions than another one, and a tensor without dimensions, end the process of onnxruntime.
    const outer = hasEllipsis ? space.map((size) => (random.chance(0.3) ? 1 : size)) : [];
    const count = random.int(outer.length > 0 ? 0 : 1, Math.min(3, letters.length));
    const own = order(random, letters.length)
      .slice(0, count)
      .map((i) => letters[i] ?? 'a');
    if (own.length > 0 && random.chance(0.15)) own.push(random.pick(own));
    for (const letter of own) used.add(letter);
    places.push(...own);
    const at = random.int(0, own.length);
    const dims = own.map((letter) => lengths.get(letter) ?? 1);
    sketch.drawn(type, [...dims.slice(0, at), ...outer, ...dims.slice(at)], type === 'int32' || type === 'int64' ? 5 : 2);
    return own.slice(0, at).join('') + (hasEllipsis ? '...' : '') + own.slice(at).join('');
  });
  let equation = terms.join(random.pick([',', ', ']));
  if (random.chance(0.8)) {
    const all = [...used];
    const kept = order(random, all.length)
      .slice(0, random.int(0, Math.min(4, all.length)))
      .map((i) => all[i] ?? 'a');
    const at = random.int(0, kept.length);
    const output = kept.slice(0, at).join('') + (hasEllipsis ? '...' : '') + kept.slice(at).join('');
    equation += random.pick(['->', ' -> ']) + output;
  }
  sketch.attribute('equation', equation);
  return sketch.finish('Einsum');
}

export const matrixDraws: Draws = { MatMul: matMul, Gemm: gemm, Einsum: einsum };
