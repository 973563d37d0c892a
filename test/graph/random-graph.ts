/**
 * Random graphs of 2 to 40 nodes. A graph depends only on the seed and its number. Three operators of each graph are chosen in
 * turn, one to be a first node, one in the middle, one last; all others at random.
 */
import type { OperatorType, TensorDesc } from 'node-directml';
import { bitsOf } from '#lib/data-types/table.js';
import { product } from '../conformance/layout.js';
import { operatorTypes } from '../operators/cases.js';
import { Random } from '../random.js';
import { addCase, candidates, preferred, sealUndefined, type Making } from './add-case.js';
import { drawCase, drawReader } from './draw-case.js';
import { addElementWise } from './element-wise.js';
import { packed } from './glue.js';
import type { GraphCase } from './graph-case.js';
import { flat, GraphWriter, spanOf, type Source } from './graph-writer.js';

const MOST_NODES = 40;
/** Nodes that the graph may get at the end: copies for outputs. */
const RESERVE = 4;

export function randomGraph(seed: number, index: number): GraphCase {
  const random = Random.of(seed, 'graph', index);
  const most = MOST_NODES - RESERVE;
  const making: Making = { writer: new GraphWriter(), random, most, sealed: new Set() };
  const { writer } = making;
  const wanted = random.pick([2, 4, random.int(3, 10), random.int(3, 20), random.int(10, most)]);
  if (random.chance(0.04)) addSharedWeight(making);
  const turn = (offset: number): OperatorType => operatorTypes[(index + offset) % operatorTypes.length] ?? 'elementWiseAdd';
  const third = Math.floor(operatorTypes.length / 3);
  // The places in turn go before random ones, which fill what is left; small graphs have only some of them.
  const places = random.distinct(wanted < 3 ? 1 : wanted < 5 ? 2 : 3, 3);
  if (places.includes(0)) readSoon(making, addCase(making, drawCase(random, turn(0)), 'leaves'));
  if (places.includes(1)) readSoon(making, addCase(making, drawReader(random, turn(third)), 'nodes'));
  if (places.includes(2))
    for (const source of addCase(making, drawReader(random, turn(2 * third)), 'nodes')) making.sealed.add(source);
  while (writer.nodeCount < wanted) addAny(making);
  addOutputs(making);
  return writer.finish();
}

function addAny(making: Making): void {
  const { random } = making;
  if (making.writer.nodeCount > 0 && random.chance(0.04)) {
    sealUndefined(making, making.writer.repeat(random));
    return;
  }
  const sources = candidates(making);
  if (random.chance(0.02) && addSwish(making, sources)) return;
  if (sources.length > 0 && random.chance(0.4) && addElementWise(making, preferred(making, sources)) !== null) return;
  const outputs = addCase(making, drawCase(random, random.pick(operatorTypes)), 'any');
  const [sequence] = outputs;
  // A sequence that a single node reads, which can work in its place.
  if (sequence !== undefined && outputs.length > 1 && /_(rnn|gru|lstm)\./.test(sequence.name) && random.chance(0.6)) {
    addElementWise(making, sequence, ['elementWiseNegate', 'elementWiseAbs', 'activationRelu', 'activationTanh']);
  }
}

/** Adds a node that reads one of the values. */
function readSoon(making: Making, sources: readonly Source[]): void {
  const { writer, random } = making;
  const readable = sources.filter((source) => !making.sealed.has(source));
  const [source] = readable;
  if (source === undefined) return;
  if (bitsOf(source.tensor.dataType) === 4) return addDequantize(making, source);
  if (random.chance(0.7) && addElementWise(making, source) !== null) return;
  packed(writer, source);
}

function addDequantize({ writer }: Making, source: Source): void {
  const { sizes } = source.tensor;
  const scale: TensorDesc = { dataType: 'float32', sizes: sizes.map(() => 1) };
  const scaleTensor = writer.constant(scale, new Uint8Array(Float32Array.of(0.5).buffer));
  const fields = { inputTensor: writer.read(source), quantizationType: 'scale', quantizationTensors: [writer.read(scaleTensor)] };
  writer.addOne('dequantize', fields, { dataType: 'float32', sizes });
}

/** A value times its sigmoid, which DirectML fuses. Returns false if there is no float to do that with. */
function addSwish({ writer, random }: Making, sources: readonly Source[]): boolean {
  const floats = sources.filter(({ tensor, hasGaps, isRaw }) => /float(16|32)/.test(tensor.dataType) && !hasGaps && !isRaw);
  if (floats.length === 0) return false;
  const source = random.pick(floats);
  const tensor = flat(source.tensor.dataType, spanOf(source.tensor));
  const sigmoid = writer.addOne('activationSigmoid', { inputTensor: writer.read(source, tensor) }, tensor);
  const pair = [writer.read(source, tensor), writer.read(sigmoid)];
  const [aTensor, bTensor] = random.chance(0.5) ? pair : pair.toReversed();
  writer.addOne('elementWiseMultiply', { aTensor, bTensor }, tensor);
  return true;
}

/** A constant of more than 64 KiB that several nodes read. */
function addSharedWeight(making: Making): void {
  const { writer, random } = making;
  const count = random.int(17_000, 20_000);
  const tensor = flat('float32', count);
  const elements = Float32Array.from({ length: count }, () => random.fraction() * 4 - 2);
  const weight = writer.constant(tensor, new Uint8Array(elements.buffer));
  for (let reader = 0; reader < 2; reader++) {
    const part = random.int(1, 300);
    const offsets = [random.int(0, count - part)];
    const fields = { inputTensor: writer.read(weight), offsets, sizes: [part], strides: [1] };
    writer.addOne('slice', fields, flat('float32', part));
  }
  making.sealed.add(weight);
}

/** Every value that nothing reads becomes an output, and some others, some twice, some in another layout. */
function addOutputs(making: Making): void {
  const { writer, random } = making;
  const sources = writer.sources.filter(({ isLeaf }) => !isLeaf);
  let copies = 0;
  for (const source of sources) {
    const isUnread = writer.readsOf(source) === 0;
    if (!isUnread && !random.chance(0.1)) continue;
    writer.output(source);
    // DirectML copies no 4-bit tensor.
    if (random.chance(0.05) && bitsOf(source.tensor.dataType) > 4) writer.output(source);
    const isPlain = !source.hasGaps && !source.isRaw && bitsOf(source.tensor.dataType) > 4 && !making.sealed.has(source);
    if (isPlain && copies < RESERVE && random.chance(0.08)) {
      copies += 1;
      writer.output(source, random.pick([reversed(source.tensor), { sizes: [spanOf(source.tensor)] }]));
    }
  }
  const leaf = writer.sources.find(({ isLeaf, tensor }) => isLeaf && bitsOf(tensor.dataType) > 4);
  if (leaf !== undefined && copies < RESERVE && random.chance(0.08)) writer.output(leaf);
}

/** The elements with their dimensions in reverse order. */
function reversed({ sizes, strides = null }: TensorDesc): Pick<TensorDesc, 'sizes' | 'strides'> {
  const own = strides ?? sizes.map((_, axis) => product(sizes.slice(axis + 1)));
  return { sizes: sizes.toReversed(), strides: own.toReversed() };
}
