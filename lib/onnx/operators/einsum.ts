/** Einsum: sums of products over named dimensions. */
import { bitsOf, isFloat } from '../../tensors/data-types.js';
import { packedStrides, productOf } from '../../tensors/tensor-size.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import { broadcast, numbersOf, permuted, reshaped, stridesOf, withLayout, type Operand } from '../operand.js';
import { convert } from './convert.js';
import { coordinatesOf, dot } from './in-memory.js';
import { matMul } from './matrix-helpers.js';
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
  const named = inputs.map((operand, i) => namedOnce(operand, namesOf(terms[i] ?? '', operand.dims.length)));
  const output = outputOf(right ?? impliedOutput(left), named);
  const sizes = sizesOf(named, output);
  const dataType = inputs[0]?.dataType ?? 'float32';
  // DirectML adds no integers of 8 or 16 bits.
  const isSmall = !isFloat(dataType) && bitsOf(dataType) < 32;
  const full = named.map(({ operand, names }) => {
    const wide = isSmall ? convert(node, operand, { dataType: 'int32', isBool: false }) : operand;
    const dims = names.map((name) => sizes.get(name) ?? 1);
    return { names, operand: broadcast(wide, dims) };
  });
  if (dataType === 'float64') return loop(node, full, output, sizes);
  return convert(node, contracted(node, full, output), { dataType, isBool: false });
}

/** A name for each dimension. Those of an ellipsis are numbers, counted from the last of them. */
function namesOf(term: string, rank: number): readonly string[] {
  const [before = '', after, ...others] = term.split('...');
  const count = rank - before.length - (after?.length ?? 0);
  const isRight = others.length === 0 && (after === undefined ? count === 0 : count >= 0);
  if (!isRight || !/^[A-Za-z]*$/.test(before + (after ?? ''))) throw new RangeError(`'${term}' does not name ${rank} dimensions`);
  return [...Array.from(before), ...upTo(count).map((i) => `${count - 1 - i}`), ...Array.from(after ?? '')];
}

/** The ellipsis, then the letters that occur once, in the order of the alphabet. */
function impliedOutput(left: string): string {
  const letters = Array.from(left.replace(/[^A-Za-z]/g, ''));
  const single = letters.filter((letter) => letters.indexOf(letter) === letters.lastIndexOf(letter));
  return `...${single.sort().join('')}`;
}

function outputOf(right: string, named: readonly Named[]): readonly string[] {
  const [before = '', after] = right.split('...');
  const numbers = named.flatMap(({ names }) => names.filter((name) => /^\d/.test(name)));
  const ellipsis = [...new Set(numbers)].sort((a, b) => Number(b) - Number(a));
  const names = [...Array.from(before), ...(after === undefined ? [] : ellipsis), ...Array.from(after ?? '')];
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
function namedOnce(operand: Operand, names: readonly string[]): Named {
  const first = names.findIndex((name, i) => names.includes(name, i + 1));
  if (first < 0) return { operand, names };
  const name = names[first] ?? '';
  const second = names.indexOf(name, first + 1);
  if (operand.dims[first] !== operand.dims[second]) throw new RangeError(`'${name}' has two sizes`);
  const strides = stridesOf(operand);
  const kept = [...upTo(names.length).filter((i) => i !== first && i !== second), first];
  const diagonal = withLayout(
    operand,
    kept.map((i) => operand.dims[i] ?? 1),
    kept.map((i) => (strides[i] ?? 0) + (i === first ? (strides[second] ?? 0) : 0)),
  );
  return namedOnce(
    diagonal,
    kept.map((i) => names[i] ?? ''),
  );
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

/** Of float64, which DirectML does not add: all indices, one after the other. */
function loop(node: Node, named: readonly Named[], output: readonly string[], sizes: ReadonlyMap<string, number>): Operand {
  const inner = [...sizes.keys()].filter((name) => !output.includes(name));
  const [outer, rest] = [output, inner].map((names) => names.map((name) => sizes.get(name) ?? 1));
  const [dims, names, count] = [[...(outer ?? []), ...(rest ?? [])], [...output, ...inner], productOf(rest ?? [])];
  return node.computeOne(
    named.map(({ operand }) => operand),
    (...given) => {
      const readers = given.map((operand, i) => {
        const [numbers, own, strides] = [numbersOf(operand), named[i]?.names ?? [], packedStrides(operand.dims)];
        const steps = names.map((name) => strides[own.indexOf(name)] ?? 0);
        return (coordinates: readonly number[]) => numbers[dot(coordinates, steps)] ?? 0;
      });
      const elements = upTo(productOf(outer ?? [])).map((place) =>
        upTo(count).reduce((sum, k) => {
          const [first = 0, ...others] = readers.map((read) => read(coordinatesOf(place * count + k, dims)));
          return sum + first * others.reduce((a, b) => a * b, 1);
        }, 0),
      );
      return hostOperand('float64', outer ?? [], elements);
    },
  );
}
