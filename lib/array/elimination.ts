/** Elimination and Cholesky's decomposition of batches of small matrices: one step of the graph for each column. */
import {
  argmax,
  elementWiseAbs,
  elementWiseDivide,
  elementWiseIf,
  elementWiseLogicalEquals,
  elementWiseLogicalLessThan,
  elementWiseLogicalOr,
  elementWiseModulusFloor,
  elementWiseMultiply,
  elementWiseNegate,
  elementWiseSqrt,
  gatherElements,
  gemm,
  join,
  padding,
  reduce,
} from '../functions/index.js';
import type { Value } from '../graph/value.js';
import { part } from './parts.js';
import { as, constantIn } from './values.js';

type Float = Value<'float32'>;
type Indices = Value<'int32'>;

/** What elimination finds, for each step in order. */
interface Eliminated {
  /** `[batch, n, 1]` */
  readonly pivots: Float;
  /** Their rows: `[batch, n, 1]` */
  readonly rows: Indices;
  /** What became of the columns beside the matrices, in the order of their rows; undefined if there are none. */
  readonly beside: Float | undefined;
}

/**
 * Gauss-Jordan elimination of `[batch, n, n + columns]`. The pivot is the largest element of its column in the rows that had none
 * yet; rows stay where they are. A pivot of 0 divides as 1 if `isSafe`: then there is nothing left to eliminate.
 */
export function eliminated(matrices: Float, isSafe: boolean): Eliminated {
  const [batch = 1, n = 1] = matrices.sizes;
  const numbers = constantIn(matrices, 'int32', [1, n, 1], [...new Array(n).keys()]).broadcastTo([batch, n, 1]);
  const [pivots, rows]: [Float[], Indices[]] = [[], []];
  let rest: Float | undefined = matrices;
  let used: Value<'uint8'> | undefined;
  for (let step = 0; step < n && rest !== undefined; step++) {
    const column: Float = firstColumn(rest);
    const sizes = elementWiseAbs(column);
    const outputTensor = { dataType: 'int32' } as const;
    const candidates = used === undefined ? sizes : elementWiseIf(used, -1, sizes);
    const row = argmax(candidates, { axes: [1], axisDirection: 'increasing', outputTensor });
    const isPivot = elementWiseLogicalEquals(numbers, row);
    used = used === undefined ? isPivot : elementWiseLogicalOr(used, isPivot);
    const pivotRow: Float = atRows(rest, row);
    const pivot = firstColumn(pivotRow);
    pivots.push(pivot);
    rows.push(row);
    const divisor = isSafe ? elementWiseIf(elementWiseLogicalEquals(pivot, 0), 1, pivot) : pivot;
    const factors = elementWiseIf(isPivot, 0, elementWiseDivide(column, divisor));
    const before: Float | undefined = withoutFirst(rest);
    const own = withoutFirst(pivotRow);
    rest = before && own && gemm(factors, own, { cTensor: before, alpha: -1 });
  }
  return { pivots: join(pivots, { axis: 1 }), rows: join(rows, { axis: 1 }), beside: rest };
}

/** What matrices `[batch, n, n]` are multiplied with to give `[batch, n, columns]`. */
export function solutions(matrices: Float, columns: Float): Float {
  const { pivots, rows, beside } = eliminated(join([matrices, columns], { axis: 2 }), false);
  if (beside === undefined) throw new TypeError('no columns beside the matrices');
  return elementWiseDivide(atRows(beside, rows), pivots);
}

/** The rows of matrices at indices `[batch, count, 1]`. */
function atRows(matrices: Float, rows: Indices): Float {
  const [batch = 1, count = 1] = rows.sizes;
  return gatherElements(matrices, rows.broadcastTo([batch, count, matrices.sizes[2] ?? 1]), { axis: 1 });
}

/** Numbers `[batch, 1, 1]`, negative if an odd number of pairs of rows changed places. */
export function signed(numbers: Float, { rows }: Eliminated): Float {
  const [, n = 1] = rows.sizes;
  const isLater = Array.from({ length: n * n }, (_, i) => Number(i % n > Math.floor(i / n)));
  const isLess = as(elementWiseLogicalLessThan(rows.transpose([0, 2, 1]), rows), 'int32') as Indices;
  const changed = elementWiseMultiply(isLess, constantIn(rows, 'int32', [1, n, n], isLater));
  const count = reduce(changed, { function: 'sum', axes: [1, 2] });
  const isOdd = elementWiseLogicalEquals(elementWiseModulusFloor(count, 2), 1);
  return elementWiseIf(isOdd, elementWiseNegate(numbers), numbers);
}

/** The triangles L of symmetric matrices L Lᵀ, `[batch, n, n]`, of which it reads the lower triangles. */
export function lowerTriangles(matrices: Float): Float {
  const columns: Float[] = [];
  for (let rest: Float | undefined = matrices; rest !== undefined;) {
    const column: Float = firstColumn(rest);
    const root: Float = elementWiseDivide(column, elementWiseSqrt(part(column, 1, 0, 1) as Float));
    columns.push(padding(root, { startPadding: [0, columns.length, 0], endPadding: [0, 0, 0] }));
    const below = root.sizes[1] === 1 ? undefined : (part(root, 1, 1, (root.sizes[1] ?? 1) - 1) as Float);
    const inner: Float | undefined = below && (part(withoutFirst(rest) ?? rest, 1, 1, below.sizes[1] ?? 1) as Float);
    rest = below && inner && gemm(below, below, { transB: 'transpose', cTensor: inner, alpha: -1 });
  }
  return join(columns, { axis: 2 });
}

function firstColumn(x: Float): Float {
  return part(x, 2, 0, 1) as Float;
}

/** The other columns, if there are any. */
function withoutFirst(x: Float): Float | undefined {
  const [, , columns = 1] = x.sizes;
  return columns === 1 ? undefined : (part(x, 2, 1, columns - 1) as Float);
}
