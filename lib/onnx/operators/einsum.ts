/** Einsum: sums of products over named dimensions. */
import { packedStrides, productOf } from '../../validation/tensor-size.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import { broadcast, elementsOf, permuted, reshaped, withLayout, stridesOf, type HostOperand, type Operand } from '../operand.js';
import { dot, matMul } from './matrix-helpers.js';
import { partOf } from './move-helpers.js';
import { reduced, upTo } from './tensor-helpers.js';

/** A tensor whose dimensions have names, each once. */
interface Named {
  readonly operand: Operand;
  readonly names: readonly string[];
}

export function einsum(node: Node): Operand {
  const { inputs } = node;
  const [left = '', right] = node.text('equation', '').replace(/\s/g, '').split('->');
  const terms = left.split(',');
  if (terms.length !== inputs.length) throw new RangeError(`${terms.length} terms are given for ${inputs.length} inputs`);
  const named = inputs.map((operand, i) => namedOnce(node, operand, namesOf(terms[i] ?? '', operand.dims.length)));
  const output = right === undefined ? impliedOutput(left, named) : outputOf(right, named);
  const sizes = sizesOf(named, output);
  const full = named.map(({ operand, names }) => ({
    names,
    operand: broadcast(
      operand,
      names.map((name) => sizes.get(name) ?? 1),
    ),
  }));
  return isSimple(full) ? contracted(node, full, output) : loop(node, full, output, sizes);
}

/** A name for each dimension. Those of an ellipsis are numbers, counted from the last of them. */
function namesOf(term: string, rank: number): readonly string[] {
  const [before = '', after, ...others] = term.split('...');
  const count = rank - before.length - (after?.length ?? 0);
  const isRight = others.length === 0 && (after === undefined ? count === 0 : count >= 0);
  if (!isRight || !/^[A-Za-z]*$/.test(before + (after ?? ''))) throw new RangeError(`'${term}' does not name ${rank} dimensions`);
  return [...lettersOf(before), ...upTo(count).map((i) => `${count - 1 - i}`), ...lettersOf(after)];
}

function lettersOf(term = ''): readonly string[] {
  return Array.from(term);
}

function ellipsisOf(named: readonly Named[]): readonly string[] {
  const found = named.flatMap(({ names }) => names.filter(isNumber));
  return [...new Set(found)].sort((a, b) => Number(b) - Number(a));
}

function isNumber(name: string): boolean {
  return /^\d/.test(name);
}

/** Without an arrow: the ellipsis, then the letters that occur once, in the order of the alphabet. */
function impliedOutput(left: string, named: readonly Named[]): readonly string[] {
  const letters = lettersOf(left.replace(/[^A-Za-z]/g, ''));
  const single = letters.filter((letter) => letters.indexOf(letter) === letters.lastIndexOf(letter));
  return [...ellipsisOf(named), ...single.sort()];
}

function outputOf(right: string, named: readonly Named[]): readonly string[] {
  const [before = '', after] = right.split('...');
  const names = [...lettersOf(before), ...(after === undefined ? [] : ellipsisOf(named)), ...lettersOf(after)];
  if (new Set(names).size !== names.length) throw new RangeError(`the output '${right}' has a dimension twice`);
  return names;
}

function sizesOf(named: readonly Named[], output: readonly string[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { operand, names } of named) {
    for (const [i, name] of names.entries()) {
      const size = operand.dims[i] ?? 1;
      const known = sizes.get(name) ?? 1;
      if (known !== 1 && size !== 1 && known !== size) throw new RangeError(`'${name}' has the sizes ${known} and ${size}`);
      sizes.set(name, known === 1 ? size : known);
    }
  }
  for (const name of output) if (!sizes.has(name)) throw new RangeError(`no input has the dimension '${name}'`);
  return sizes;
}

/** A dimension that is named twice becomes the diagonal. */
function namedOnce(node: Node, operand: Operand, names: readonly string[]): Named {
  const first = names.findIndex((name, i) => names.includes(name, i + 1));
  if (first < 0) return { operand, names };
  const second = names.indexOf(names[first] ?? '', first + 1);
  const size = operand.dims[first] ?? 1;
  if (operand.dims[second] !== size) throw new RangeError(`'${names[first] ?? ''}' has two sizes`);
  const others = upTo(names.length).filter((i) => i !== first && i !== second);
  const outer = others.map((i) => operand.dims[i] ?? 1);
  const flat = node.reshape(permuted(operand, [...others, first, second]), [...outer, size * size]);
  const diagonal = partOf(node, flat, outer.length, 0, size * size, size + 1);
  return namedOnce(node, diagonal, [...others.map((i) => names[i] ?? ''), names[first] ?? '']);
}

/** True if DirectML can multiply and sum these; it adds no integers of 8 or 16 bits, and no 64-bit floats. */
function isSimple(named: readonly Named[]): boolean {
  return named.every(({ operand }) => /^(float(16|32)|u?int(32|64))$/.test(operand.dataType));
}

/** Two at a time, from the first on. */
function contracted(node: Node, named: readonly Named[], output: readonly string[]): Operand {
  const [first, ...others] = named;
  if (first === undefined) throw new RangeError('there are no inputs');
  let result = first;
  for (const [i, other] of others.entries()) {
    const later = new Set([...output, ...others.slice(i + 1).flatMap(({ names }) => names)]);
    result = pairOf(node, summed(node, result, later, other), summed(node, other, later, result), later);
  }
  const { operand, names } = summed(node, result, new Set(output));
  return permuted(
    operand,
    output.map((name) => names.indexOf(name)),
  );
}

/** Without the dimensions that nothing else has. */
function summed(node: Node, { operand, names }: Named, later: ReadonlySet<string>, other?: Named): Named {
  const isKept = (name: string) => later.has(name) || (other?.names.includes(name) ?? false);
  const axes = upTo(names.length).filter((i) => !isKept(names[i] ?? ''));
  if (axes.length === 0) return { operand, names };
  const sum = reduced(node, 'sum', operand, axes);
  const dims = sum.dims.filter((_, i) => !axes.includes(i));
  return { operand: node.reshape(sum, dims), names: names.filter(isKept) };
}

/** The product of two tensors, as one of matrices: of a batch that both have, and of what only one has. */
function pairOf(node: Node, a: Named, b: Named, later: ReadonlySet<string>): Named {
  const shared = a.names.filter((name) => b.names.includes(name));
  const batch = shared.filter((name) => later.has(name));
  const inner = shared.filter((name) => !later.has(name));
  const rows = a.names.filter((name) => !shared.includes(name));
  const columns = b.names.filter((name) => !shared.includes(name));
  const names = [...batch, ...rows, ...columns];
  if (inner.length === 0) return { names, operand: elementByElement(node, a, b, names) };
  const left = matrices(node, a, batch, rows, inner);
  const right = matrices(node, b, batch, inner, columns);
  const dims = names.map((name) => sizeIn(a, name) ?? sizeIn(b, name) ?? 1);
  return { names, operand: reshaped(matMul(node, left, right), dims) };
}

function sizeIn({ operand, names }: Named, name: string): number | undefined {
  return operand.dims[names.indexOf(name)];
}

/** With three dimensions, each of several that have names. */
function matrices(node: Node, named: Named, ...groups: readonly (readonly string[])[]): Operand {
  const order = groups.flat().map((name) => named.names.indexOf(name));
  const dims = groups.map((names) => productOf(names.map((name) => sizeIn(named, name) ?? 1)));
  return node.reshape(permuted(named.operand, order), dims);
}

function elementByElement(node: Node, a: Named, b: Named, names: readonly string[]): Operand {
  const spread = ({ operand, names: own }: Named) => {
    const strides = stridesOf(operand);
    const places = names.map((name) => own.indexOf(name));
    return withLayout(
      operand,
      places.map((i) => operand.dims[i] ?? 1),
      places.map((i) => strides[i] ?? 0),
    );
  };
  return node.arithmetic('elementWiseMultiply', spread(a), spread(b));
}

/** Of the data types that DirectML does not add: all indices, one after the other. */
function loop(node: Node, named: readonly Named[], output: readonly string[], sizes: ReadonlyMap<string, number>): Operand {
  const inner = [...sizes.keys()].filter((name) => !output.includes(name));
  const dimsOf = (names: readonly string[]) => names.map((name) => sizes.get(name) ?? 1);
  const [outer, rest] = [dimsOf(output), dimsOf(inner)];
  return node.computeOne(
    named.map(({ operand }) => operand),
    (...given) => {
      const [first, ...others] = given.map((operand, i) => lookUp(operand, named[i]?.names ?? [], [...output, ...inner]));
      if (first === undefined || given[0] === undefined) throw new RangeError('there are no inputs');
      const type = given[0];
      const count = productOf(rest);
      const elements = upTo(productOf(outer)).map((place) =>
        dot(
          type,
          (k) => [
            first(place * count + k),
            others.reduce<number | bigint>((all, each) => times(all, each(place * count + k)), 1),
          ],
          count,
        ),
      );
      return hostOperand(type.dataType, outer, elements);
    },
  );

  /** The element of an input at a place of all dimensions together. */
  function lookUp(operand: HostOperand, names: readonly string[], all: readonly string[]): (place: number) => number | bigint {
    const elements = elementsOf(operand);
    const own = packedStrides(operand.dims);
    const allSizes = dimsOf(all);
    const steps = packedStrides(allSizes);
    const strides = all.map((name) => (names.includes(name) ? (own[names.indexOf(name)] ?? 0) : 0));
    return (place) => {
      const index = strides.reduce(
        (sum, stride, i) => sum + stride * (Math.floor(place / (steps[i] ?? 1)) % (allSizes[i] ?? 1)),
        0,
      );
      return elements[index] ?? 0;
    };
  }
}

function times(a: number | bigint, b: number | bigint): number | bigint {
  return typeof b === 'bigint' ? BigInt(a) * b : Number(a) * b;
}
