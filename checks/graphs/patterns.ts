/** Nodes that a graph may do without: copies, transposes that undo each other, casts there and back, transposed factors. */
import { bitsOf } from '#lib/tensors/data-types.js';
import { packedStrides } from '#lib/tensors/tensor-size.js';
import { numberOf } from '../cases/element-values.js';
import { fillTensor, product } from '../cases/layout.js';
import type { DataType } from '../cases/case.js';
import { isTensor, type LooseTensor } from '../descriptors/candidate.js';
import { addCase } from './add-case.js';
import { addElementWise } from './add-reader.js';
import { canBecome } from './glue.js';
import type { GraphWriter, Source } from './graph-writer.js';
import { slotsOf } from './loose-graph.js';

const dataTypes: readonly DataType[] = ['float32', 'float16', 'int32', 'int16', 'int8', 'uint32', 'uint16', 'uint8'];

/** Copies a value once or twice, and reads the last copy. Other nodes may read any of them. Returns false if no value fits. */
export function addCopies(writer: GraphWriter, sources: readonly Source[]): boolean {
  const { random } = writer;
  const fitting = sources.filter(({ tensor, hasGaps, isRaw }) => !hasGaps && !isRaw && bitsOf(tensor.dataType) >= 8);
  if (fitting.length === 0) return false;
  const source = random.pick(fitting);
  const { sizes } = source.tensor;
  const order = random.distinct(sizes.length, sizes.length);
  const first = random.chance(0.3) ? castCopy(writer, source) : copied(writer, source, order);
  const inverse = order.map((_, axis) => order.indexOf(axis));
  const kind = random.int(0, 3);
  const last = kind === 0 ? first : copied(writer, first, kind === 1 ? inverse : random.distinct(sizes.length, sizes.length));
  if (random.chance(0.7)) addElementWise(writer, last);
  return true;
}

/** The value with its dimensions in another order. */
function copied(writer: GraphWriter, source: Source, order: readonly number[]): Source {
  const { dataType, sizes, strides } = source.tensor;
  const own = strides ?? packedStrides(sizes);
  const view = { sizes: order.map((axis) => sizes[axis] ?? 1), strides: order.map((axis) => own[axis] ?? 0) };
  const outputTensor = { dataType, sizes: view.sizes };
  return writer.one({ type: 'elementWiseIdentity', inputTensor: writer.read(source, view), outputTensor }, source.bounds);
}

/** The value after casts to another data type and back. */
function castCopy(writer: GraphWriter, source: Source): Source {
  const { dataType, sizes } = source.tensor;
  const other = writer.random.pick([dataType, ...dataTypes]);
  if (!canBecome(dataType, other) || !canBecome(other, dataType)) return copied(writer, source, [...sizes.keys()]);
  const cast = writer.one({ type: 'cast', inputTensor: writer.read(source), outputTensor: { dataType: other, sizes } });
  return writer.one({ type: 'cast', inputTensor: writer.read(cast), outputTensor: { dataType, sizes } });
}

/** A gemm with a factor that is a transposed matrix, or a copy of one. */
export function addTransposedProduct(writer: GraphWriter): void {
  const { random, purpose } = writer;
  const test = purpose.draw(random, 'gemm');
  const factors = slotsOf(test.descriptor, 'input').filter(
    ({ field }) => field !== 'cTensor' && purpose.domainOf(test, field) !== 'own',
  );
  const factor = factors.length === 0 ? undefined : random.pick(factors);
  if (factor === undefined || !isTensor(factor.value)) return;
  const { dataType, sizes } = factor.value;
  const exchanged = [...sizes.slice(0, -2), ...sizes.slice(-2).reverse()];
  const tensor: LooseTensor = { dataType, sizes: exchanged };
  const matrix = writer.leaf(
    tensor,
    fillTensor(random, tensor, () => numberOf(dataType, random.fraction() * 4 - 2)),
  );
  const strides = packedStrides(exchanged);
  const view = { sizes: [...sizes], strides: [...strides.slice(0, -2), ...strides.slice(-2).reverse()] };
  const order = [...sizes.keys()].map((axis) => (axis < sizes.length - 2 ? axis : 2 * sizes.length - 3 - axis));
  const given = random.chance(0.3) ? writer.read(matrix, view) : writer.read(copied(writer, matrix, order));
  if (product(sizes) > 0) addCase(writer, test, 'leaves', { [factor.path]: given });
}
