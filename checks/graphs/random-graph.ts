/** Random graphs of operators of all types, connected through values that fit. */
import type { OperatorType, TensorDesc } from 'node-directml';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { stridesOf } from '#lib/tensors/tensor-size.js';
import { numberOf } from '../cases/element-values.js';
import { anyBits, fillTensor, product } from '../cases/layout.js';
import { operatorTypes } from '../operators/cases.js';
import { isTensor, spanOf, type LooseTensor } from '../descriptors/candidate.js';
import { Random } from '../harness/random.js';
import { addCase, candidates, preferred } from './add-case.js';
import { addElementWise, addShape, elementWiseTypes } from './add-reader.js';
import { computed, drawReader } from './draw-case.js';
import { packed } from './glue.js';
import type { GraphCase } from './graph-case.js';
import { flat, GraphWriter, type Source } from './graph-writer.js';
import { isFourBit, slotsOf } from './loose-graph.js';
import { addCopies, addTransposedProduct } from './patterns.js';

const MOST_NODES = 40;
/** The number of nodes that the graph may get at the end, as copies for outputs. */
const RESERVE = 4;
/** Operators that may overwrite their input. */
const inPlaceTypes = operatorTypes.filter(
  (type) => elementWiseTypes.includes(type) || operatorTable[type].fields.some(({ inPlace }) => inPlace !== undefined),
);

/**
 * A graph of 2 to 40 nodes that can be run. It depends only on the seed and its number. Three operators take turns: one is a first
 * node, one is in the middle, and one is last. All others are random.
 */
export function randomGraph(seed: number, index: number): GraphCase {
  const random = Random.of(seed, 'graph', index);
  const writer = new GraphWriter(random, MOST_NODES - RESERVE, computed);
  const wanted = random.pick([2, 4, random.int(3, 10), random.int(3, 20), random.int(10, writer.most)]);
  if (random.chance(0.04)) addSharedWeight(writer);
  if (random.chance(0.05)) addDequantizedProduct(writer);
  if (random.chance(0.08)) addTransposedProduct(writer);
  const turn = (offset: number): OperatorType => operatorTypes[(index + offset) % operatorTypes.length] ?? 'elementWiseAdd';
  const third = Math.floor(operatorTypes.length / 3);
  // The operators whose turn it is come before random ones, which fill the rest. Small graphs have only some of them.
  const places = random.distinct(wanted < 3 ? 1 : wanted < 5 ? 2 : 3, 3);
  if (places.includes(0)) readSoon(writer, addCase(writer, computed.draw(random, turn(0)), 'leaves'));
  if (places.includes(1)) readSoon(writer, addCase(writer, drawReader(writer, turn(third)), 'nodes'));
  if (places.includes(2))
    for (const source of addCase(writer, drawReader(writer, turn(2 * third)), 'nodes')) writer.sealed.add(source);
  grow(writer, wanted);
  addOutputs(writer);
  const leaf = writer.sources.find(({ node, tensor }) => node === null && !isFourBit(tensor));
  if (leaf !== undefined && random.chance(0.08)) writer.output(leaf);
  return { graph: writer.graph, data: writer.data, ...(random.chance(0.4) ? { optimize: false } : {}) };
}

/** Adds nodes until there are as many as wanted. */
export function grow(writer: GraphWriter, wanted: number): void {
  const { random } = writer;
  // A dense graph gives DirectML's memory planning more work: copies, parts, and operators that work in place.
  const isDense = random.chance(0.4);
  while (writer.nodeCount < wanted) addAny(writer, isDense);
}

function addAny(writer: GraphWriter, isDense: boolean): void {
  const { random } = writer;
  if (writer.nodeCount > 0 && random.chance(0.04)) {
    writer.add(random.pick(Object.values(writer.graph.nodes)));
    return;
  }
  const sources = candidates(writer);
  if (random.chance(0.02) && addSwish(writer, sources)) return;
  if (random.chance(0.08) && addCopies(writer, sources)) return;
  if (sources.length > 0 && random.chance(isDense ? 0.6 : 0.4)) {
    const add = random.chance(0.5) ? addElementWise : addShape;
    if (add(writer, preferred(writer, sources)) !== null) return;
  }
  const type = random.pick(isDense && random.chance(0.8) ? inPlaceTypes : operatorTypes);
  const [sequence, state] = addCase(writer, writer.purpose.draw(random, type), 'any');
  // A single node reads the sequence, so it can work in place.
  if (sequence !== undefined && state !== undefined && ['rnn', 'gru', 'lstm'].includes(type) && random.chance(0.6)) {
    addElementWise(writer, sequence, ['elementWiseNegate', 'elementWiseAbs', 'activationRelu', 'activationTanh']);
  }
}

/** Adds a node that reads one of the values. */
function readSoon(writer: GraphWriter, sources: readonly Source[]): void {
  const [source] = sources.filter((one) => !writer.sealed.has(one));
  if (source === undefined) return;
  if (isFourBit(source.tensor)) return addDequantize(writer, source);
  if (writer.random.chance(0.7) && addElementWise(writer, source) !== null) return;
  packed(writer, source);
}

function addDequantize(writer: GraphWriter, source: Source): void {
  const { sizes } = source.tensor;
  const scale: LooseTensor = { dataType: 'float32', sizes: sizes.map(() => 1) };
  const quantizationTensors = [writer.read(writer.leaf(scale, new Uint8Array(Float32Array.of(0.5).buffer), true))];
  const tensors = { inputTensor: writer.read(source), quantizationTensors, outputTensor: { dataType: 'float32', sizes } };
  writer.add({ type: 'dequantize', ...tensors, quantizationType: 'scale' });
}

/** Adds the product of a value and its sigmoid, which DirectML fuses. Returns false if there is no suitable float. */
function addSwish(writer: GraphWriter, sources: readonly Source[]): boolean {
  const floats = sources.filter(({ tensor, hasGaps, isRaw }) => /float(16|32)/.test(tensor.dataType) && !hasGaps && !isRaw);
  if (floats.length === 0) return false;
  const source = writer.random.pick(floats);
  const inputTensor = writer.readFlat(source);
  const outputTensor = flat(source.tensor.dataType, spanOf(source.tensor));
  const sigmoid = writer.one({ type: 'activationSigmoid', inputTensor, outputTensor });
  const pair = [inputTensor, writer.read(sigmoid)];
  const [aTensor, bTensor] = writer.random.chance(0.5) ? pair : pair.toReversed();
  writer.add({ type: 'elementWiseMultiply', aTensor, bTensor, outputTensor });
  return true;
}

/** A gemm whose second factor is dequantized, which DirectML fuses. Other nodes may read the floats, too. */
function addDequantizedProduct(writer: GraphWriter): void {
  const { random, purpose } = writer;
  const test = purpose.draw(random, 'gemm');
  const factor = slotsOf(test.descriptor, 'input').find(({ field }) => field === 'bTensor');
  if (factor === undefined || !isTensor(factor.value) || purpose.domainOf(test, 'bTensor') === 'own') return;
  const { dataType, sizes, strides = null } = factor.value;
  if (spanOf(factor.value) !== product(sizes)) return;
  // Weights whose sizes lie in memory in another order are transposed by the strides with which gemm reads them.
  const steps = stridesOf({ sizes, strides });
  const ordered = [...sizes.keys()].sort((a, b) => (steps[b] ?? 0) - (steps[a] ?? 0)).map((axis) => sizes[axis] ?? 1);
  const integers: LooseTensor = { dataType: random.pick(['int4', 'uint4', 'int8', 'uint8'] as const), sizes: ordered };
  const scales: LooseTensor = { dataType, sizes: ordered.map((size) => random.pick([1, size, size % 2 === 0 ? size / 2 : 1])) };
  // At most 2 beside the case's other numbers.
  const most = 2 / (integers.dataType.endsWith('4') ? 16 : 256);
  const scaleData = fillTensor(random, scales, () => numberOf(dataType, random.fraction() * most));
  const quantizationTensors = [writer.read(writer.leaf(scales, scaleData))];
  const inputTensor = writer.read(writer.leaf(integers, anyBits(random, integers)));
  const outputTensor = { dataType, sizes: ordered };
  const node = { type: 'dequantize', inputTensor, quantizationTensors, outputTensor, quantizationType: 'scale' } as const;
  const floats = writer.one(node, { low: -2, high: 2 });
  addCase(writer, test, 'leaves', { [factor.path]: writer.read(floats, { sizes, strides }) });
}

/** A constant of more than 64 KiB that several nodes read. */
function addSharedWeight(writer: GraphWriter): void {
  const { random } = writer;
  const count = random.int(17_000, 20_000);
  const elements = Float32Array.from({ length: count }, () => random.fraction() * 4 - 2);
  const weight = writer.leaf(flat('float32', count), new Uint8Array(elements.buffer), true);
  for (let reader = 0; reader < 2; reader++) {
    const part = random.int(1, 300);
    const window = { offsets: [random.int(0, count - part)], sizes: [part], strides: [1] };
    writer.add({ type: 'slice', inputTensor: writer.read(weight), outputTensor: flat('float32', part), ...window });
  }
  writer.sealed.add(weight);
}

/**
 * Adds outputs so that every node leads to one. Some values that are read also become outputs, some twice, some in another layout.
 */
export function addOutputs(writer: GraphWriter): void {
  const { random } = writer;
  const leading = new Set(writer.sources.flatMap((source) => (writer.readsOf(source) > 0 ? [source.node] : [])));
  let copies = 0;
  for (const source of writer.sources) {
    if (source.node === null) continue;
    const isNeeded = writer.readsOf(source) === 0 && (!leading.has(source.node) || random.chance(0.6));
    if (!isNeeded && !random.chance(0.1)) continue;
    leading.add(source.node);
    writer.output(source);
    if (random.chance(0.05)) writer.output(source);
    const isPlain = !source.hasGaps && !source.isRaw && !isFourBit(source.tensor) && !writer.sealed.has(source);
    if (isPlain && copies < RESERVE && random.chance(0.08)) {
      copies += 1;
      writer.output(source, random.pick([reversed(source.tensor), { sizes: [spanOf(source.tensor)] }]));
    }
  }
}

/** The elements with their dimensions in reverse order. */
function reversed({ sizes, strides = null }: TensorDesc): Pick<TensorDesc, 'sizes' | 'strides'> {
  return { sizes: sizes.toReversed(), strides: stridesOf({ sizes, strides }).toReversed() };
}
