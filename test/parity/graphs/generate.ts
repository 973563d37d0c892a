/** Random graphs that are right: operators of all types, connected through values that fit. */
import type { OperatorType } from 'node-directml';
import { toJsonValue } from '#lib/graph/json-values.js';
import { operatorTable } from '#lib/schema/generated/table.js';
import { generators, operatorTypes } from '../../operators/cases.js';
import { product } from '../../conformance/layout.js';
import type { Random } from '../../random.js';
import { isTensor, tensorsOf, type LooseDescriptor, type LooseTensor } from '../candidate.js';
import type { LooseGraph, Reference } from './candidate.js';
import { flatView, isFourBit, span } from './layouts.js';
import { shapeNode, transposed } from './shapes.js';
import { leastBytes, referenceTo, setSlot, slotsOf, type NamedValue } from './values.js';

/** Operators that refuse tensors that DirectML owns. */
export const recurrent: readonly OperatorType[] = ['rnn', 'gru', 'lstm'];
/** Operators that may overwrite their input. */
const inPlaceTypes = operatorTypes.filter(
  (type) => isElementWise(type) || operatorTable[type].fields.some(({ inPlace }) => inPlace !== undefined),
);
/** Text that names may end in. */
const ODD_ENDS: readonly string[] = ['.', ' ', 'ä', '[0]', '.outputTensor', '"', '__proto__', '0n'];

export function randomGraph(random: Random, maxNodes: number): LooseGraph {
  return new GraphMaker(random, maxNodes).make();
}

class GraphMaker {
  readonly #random: Random;
  readonly #maxNodes: number;
  readonly #graph: LooseGraph = { inputs: {}, constants: {}, nodes: {}, outputs: {} };
  readonly #values: NamedValue[] = [];
  readonly #read = new Set<string>();
  /** True for a graph that gives DirectML's planning of memory more to do: copies, parts, and operators that work in place. */
  readonly #isDense: boolean;
  #names = 0;

  constructor(random: Random, maxNodes: number) {
    this.#random = random;
    this.#maxNodes = maxNodes;
    this.#isDense = random.chance(0.4);
  }

  make(): LooseGraph {
    while (this.#room > 0) this.#addRandomNode();
    this.#addOutputs();
    this.#disownForRecurrent();
    return this.#graph;
  }

  get #room(): number {
    return this.#maxNodes - Object.keys(this.#graph.nodes).length;
  }

  #addRandomNode(): void {
    if (this.#values.length > 0 && this.#random.chance(this.#isDense ? 0.6 : 0.4)) {
      this.#addShapeNode(this.#random.pick(this.#values.slice(-6)));
      return;
    }
    const descriptor = this.#descriptor();
    const value = this.#random.chance(0.7) ? this.#reshape(descriptor) : undefined;
    for (const slot of slotsOf(descriptor, 'input')) {
      if (!isTensor(slot.value)) continue;
      const isFirst = value !== undefined && slot.position === 0;
      setSlot(descriptor, slot, isFirst ? this.#refer(value, slot.value) : this.#connect(slot.value));
    }
    this.#addNode(descriptor);
  }

  #addShapeNode(value: NamedValue): void {
    const { tensor } = value;
    if (isFourBit(tensor) || product(tensor.sizes) > 2_000) return;
    const read = this.#random.chance(0.2) ? transposed(this.#random, tensor) : { ...tensor };
    const descriptor = shapeNode(this.#random, { dataType: read.dataType, sizes: read.sizes, strides: read.strides ?? null });
    for (const slot of slotsOf(descriptor, 'input')) {
      if (!isTensor(slot.value)) continue;
      setSlot(descriptor, slot, slot.position === 0 ? this.#refer(value, slot.value) : this.#connect(slot.value));
    }
    this.#addNode(descriptor);
  }

  /** The descriptor of a conformance case, with the tensors that a graph allows inside. */
  #descriptor(): LooseDescriptor {
    for (;;) {
      const type = this.#random.pick(this.#isDense && this.#random.chance(0.8) ? inPlaceTypes : operatorTypes);
      const descriptor: LooseDescriptor = structuredClone({
        ...generators[type](this.#random, this.#random.int(0, 9999)).descriptor,
      });
      const tensors = tensorsOf(descriptor);
      // The sandbox's Direct3D has no casts with FLOAT64.
      if (type === 'cast' && tensors.some(({ dataType }) => dataType === 'float64')) continue;
      for (const tensor of tensors) {
        delete tensor.totalTensorSizeInBytes;
        if (isFourBit(tensor)) delete tensor.strides;
      }
      return descriptor;
    }
  }

  /**
   * If all tensors have the same sizes and the operator works element by element: gives them the sizes of a value, which
   * becomes its first input.
   */
  #reshape(descriptor: LooseDescriptor): NamedValue | undefined {
    const tensors = tensorsOf(descriptor);
    const [first] = tensors;
    if (first === undefined || !isElementWise(descriptor.type)) return undefined;
    if (tensors.some(({ sizes }) => String(sizes) !== String(first.sizes))) return undefined;
    const fitting = this.#values.filter(({ tensor }) => tensor.dataType === first.dataType && product(tensor.sizes) < 2_000);
    if (fitting.length === 0) return undefined;
    const value = this.#random.pick(fitting);
    for (const tensor of tensors) {
      tensor.sizes = [...value.tensor.sizes];
      delete tensor.strides;
    }
    first.strides = value.tensor.strides;
    return value;
  }

  /** A reference to a value that can be read as this tensor: one that is there, one made from it, or a new one. */
  #connect(tensor: LooseTensor): Reference {
    const bytes = leastBytes(tensor);
    const fitting = this.#values.filter(({ tensor: own }) => own.dataType === tensor.dataType && leastBytes(own) === bytes);
    if (fitting.length > 0 && this.#random.chance(0.8)) return this.#refer(this.#random.pick(fitting), tensor);
    const made = this.#room > 3 && this.#random.chance(0.6) ? this.#convert(tensor) : undefined;
    return this.#refer(made ?? this.#newLeaf(tensor), tensor);
  }

  #refer(value: NamedValue, tensor: LooseTensor): Reference {
    this.#read.add(value.name);
    return referenceTo(value.name, tensor, new Map([[value.name, value]]));
  }

  /** Makes a value of the right data type and size from any other, by nodes that convert, cut and repeat. */
  #convert(tensor: LooseTensor): NamedValue | undefined {
    const usable = this.#values.filter(({ tensor: own }) => isConvertible(own) && span(own) <= 4_000);
    if (usable.length === 0 || !isConvertible(tensor)) return undefined;
    let value = this.#random.pick(usable);
    const { dataType } = tensor;
    const wanted = span(tensor);
    if (value.tensor.dataType !== dataType) {
      if (value.tensor.dataType === 'float64' || dataType === 'float64') return undefined;
      value = this.#step(value, { type: 'cast' }, { dataType, sizes: [span(value.tensor)] });
    }
    const have = span(value.tensor);
    if (have < wanted) {
      const repeats = Math.ceil(wanted / have);
      value = this.#step(value, { type: 'tile', repeats: [repeats] }, { dataType, sizes: [have * repeats] });
    }
    const offset = this.#random.int(0, span(value.tensor) - wanted);
    const window = { inputWindowOffsets: [offset], inputWindowSizes: [wanted], inputWindowStrides: [1] };
    return this.#step(value, { type: 'slice1', ...window }, { dataType, sizes: [wanted] });
  }

  /** Adds a node that reads the value as one dimension. Returns its output. */
  #step(value: NamedValue, fields: LooseDescriptor, outputTensor: LooseTensor): NamedValue {
    const inputTensor = this.#refer(value, flatView(value.tensor));
    const [output] = this.#addNode({ ...fields, inputTensor, outputTensor });
    if (output === undefined) throw new TypeError(`no output of ${fields.type}`);
    return output;
  }

  #addNode(descriptor: LooseDescriptor): NamedValue[] {
    const tensors = new Set(slotsOf(descriptor).map(({ field }) => field));
    const fields = Object.entries(descriptor).map(([name, field]) => [name, tensors.has(name) ? field : toJsonValue(field)]);
    const node = this.#newName('n');
    this.#graph.nodes[node] = { ...Object.fromEntries(fields), type: descriptor.type };
    const outputs = slotsOf(descriptor, 'output').flatMap(({ path, position, value: tensor }): NamedValue[] =>
      isTensor(tensor) ? [{ name: `${node}.${path}`, tensor, node, position }] : [],
    );
    this.#values.push(...outputs);
    return outputs;
  }

  /** An input or a constant that can be read as the tensor. */
  #newLeaf(tensor: LooseTensor): NamedValue {
    const random = this.#random;
    const isConstant = random.chance(0.35);
    const own: LooseTensor = random.chance(0.7) ? structuredClone(tensor) : flatView(tensor);
    if (random.chance(0.15)) own.totalTensorSizeInBytes = leastBytes(own) + random.int(1, 16);
    if (random.chance(0.1)) own.guaranteedBaseOffsetAlignment = random.pick([16, 32, 64, 256]);
    if (isConstant && random.chance(0.5)) own.flags = 'ownedByDml';
    const name = this.#newName(isConstant ? 'c' : 'i');
    this.#graph[isConstant ? 'constants' : 'inputs'][name] = own;
    const value = { name, tensor: own, node: null, position: 0 };
    this.#values.push(value);
    return value;
  }

  /** Every node leads to an output. Some values that are read are outputs too, and some outputs are views. */
  #addOutputs(): void {
    const random = this.#random;
    const isSequence = ({ node }: NamedValue) => this.#graph.nodes[node ?? '']?.type === 'fillValueSequence';
    for (const value of this.#values.filter(isSequence)) {
      if (this.#read.has(value.name)) continue;
      this.#step(value, { type: 'elementWiseIdentity' }, flatView(value.tensor));
    }
    for (const node of Object.keys(this.#graph.nodes)) {
      const outputs = this.#values.filter((value) => value.node === node && !isSequence(value));
      const isRead = outputs.some(({ name }) => this.#read.has(name));
      const needed = isRead || outputs.length === 0 ? -1 : random.int(0, outputs.length - 1);
      for (const [i, value] of outputs.entries()) {
        if (i === needed || random.chance(this.#isDense ? 0.03 : 0.15)) this.#addOutput(value);
        if (random.chance(0.03)) this.#addOutput(value);
      }
    }
  }

  #addOutput(value: NamedValue): void {
    const read = this.#random.chance(0.15) ? flatView(value.tensor) : value.tensor;
    this.#graph.outputs[this.#newName('o')] = this.#refer(value, read);
  }

  #disownForRecurrent(): void {
    for (const descriptor of Object.values(this.#graph.nodes)) {
      if (!recurrent.includes(descriptor.type)) continue;
      for (const { value } of slotsOf(descriptor, 'input')) {
        const constant = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
        const tensor = this.#graph.constants[String(constant)];
        if (tensor !== undefined) delete tensor.flags;
      }
    }
  }

  #newName(kind: string): string {
    const end = this.#random.chance(0.04) ? this.#random.pick(ODD_ENDS) : '';
    return `${kind}${this.#names++}${end}`;
  }
}

function isConvertible(tensor: LooseTensor): boolean {
  return !isFourBit(tensor);
}

function isElementWise(type: OperatorType): boolean {
  return /^(elementWise|activation)/.test(type) && !/Quantize|Softmax|Hardmax/i.test(type);
}
