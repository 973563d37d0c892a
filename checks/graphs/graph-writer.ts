/** Writes a graph value by value and node by node, and remembers the facts about its values that later nodes need. */
import type { OperatorType, TensorDesc } from 'node-directml';
import { bitsOf } from '#lib/tensors/data-types.js';
import { base64, type ConformanceCase, type DataType } from '../cases/case.js';
import { product } from '../cases/layout.js';
import { count } from '../harness/report.js';
import { spanOf, type LooseDescriptor, type LooseTensor } from '../descriptors/candidate.js';
import type { Random } from '../harness/random.js';
import type { Bounds, Domain } from './domains.js';
import {
  isReference,
  nameIn,
  referenceTo,
  resultsOf,
  slotsOf,
  type LooseGraph,
  type NamedValue,
  type Reference,
} from './loose-graph.js';

/** A value that nodes may read. */
export interface Source extends NamedValue {
  /** Some bytes between its elements are not defined, so that it can be read only in its own layout. */
  readonly hasGaps: boolean;
  /** True if it may have signaling float16 NaN, which operators that move elements may or may not make quiet. */
  readonly isRaw: boolean;
  /** The known bounds of its elements; null if they may be anything. */
  readonly bounds: Bounds | null;
}

/** The purpose of a graph, which decides what its nodes may be. */
export interface Purpose {
  /** A case of the operator that can be a node. */
  readonly draw: (random: Random, type: OperatorType) => ConformanceCase;
  /** The values that an input of the case may read besides the case's own data. */
  readonly domainOf: (test: ConformanceCase, field: string) => Domain;
}

/** Odd endings of names. */
const ODD_ENDS: readonly string[] = ['.', ' ', 'ä', '[0]', '.outputTensor', '"', '__proto__', '0n'];

export class GraphWriter {
  readonly graph: LooseGraph = { inputs: {}, constants: {}, nodes: {}, outputs: {} };
  /** The bytes of the inputs, in Base64. */
  readonly data: Record<string, string> = {};
  /** All values, in the order in which they were added. */
  readonly sources: Source[] = [];
  /** Values that no node may read. */
  readonly sealed = new Set<Source>();
  readonly #reads = new Map<string, number>();
  #names = 0;

  /** @param most The number of nodes that the graph should not exceed */
  constructor(
    readonly random: Random,
    readonly most: number,
    readonly purpose: Purpose,
  ) {}

  get nodeCount(): number {
    return Object.keys(this.graph.nodes).length;
  }

  /** Adds an input with all these bytes, or a constant with the bytes up to its last element. */
  leaf(tensor: TensorDesc, bytes: Uint8Array, isConstant = this.random.chance(0.5)): Source {
    const name = this.#newName(isConstant ? 'c' : 'x');
    const own: LooseTensor = { ...tensor, sizes: [...tensor.sizes] };
    if (isConstant) {
      delete own.totalTensorSizeInBytes;
      const used = Math.ceil((spanOf(tensor) * bitsOf(tensor.dataType)) / 8);
      const ownership = this.random.pick(['shared', 'directml', 'default'] as const);
      const data = base64(bytes.subarray(0, used));
      this.graph.constants[name] = { ...own, data, ...(ownership === 'default' ? {} : { ownership }) };
    } else {
      this.graph.inputs[name] = own;
      this.data[name] = base64(bytes);
    }
    const source = { name, tensor: own, node: null, position: 0, hasGaps: false, isRaw: false, bounds: null };
    this.sources.push(source);
    return source;
  }

  /** Adds a node, whose inputs are references, and returns its outputs. */
  add(descriptor: LooseDescriptor, bounds: Bounds | null = null): Source[] {
    const { type } = descriptor;
    const name = `${this.#newName('n')}_${type}`;
    // A copy, because callers share tensors between nodes.
    const node = structuredClone(descriptor);
    this.graph.nodes[name] = node;
    for (const { value } of slotsOf(node, 'input')) if (isReference(value)) count(this.#reads, nameIn(value));
    const added = resultsOf(name, node).map((value) => {
      const hasGaps = spanOf(value.tensor) > product(value.tensor.sizes);
      const isRaw = value.tensor.dataType === 'float16' && type.startsWith('elementWiseBit');
      return { ...value, hasGaps, isRaw, bounds };
    });
    this.sources.push(...added);
    // The coordinates after the count are not defined.
    for (const source of added) if (type === 'nonzeroCoordinates' && source.position === 1) this.sealed.add(source);
    return added;
  }

  /** Adds a node with one output. */
  one(descriptor: LooseDescriptor, bounds?: Bounds | null): Source {
    const [source] = this.add(descriptor, bounds);
    if (source === undefined) throw new TypeError(`${descriptor.type} has an output`);
    return source;
  }

  /** A reference to a value in this layout, by default its own. */
  read(source: Source, { sizes, strides }: Pick<TensorDesc, 'sizes' | 'strides'> = source.tensor): Reference {
    return referenceTo(source, { dataType: source.tensor.dataType, sizes: [...sizes], strides });
  }

  /** A reference to the elements in memory, as one dimension. */
  readFlat(source: Source): Reference {
    return this.read(source, { sizes: [spanOf(source.tensor)] });
  }

  /** How often a value is read, by nodes and as an output. */
  readsOf({ name }: NamedValue): number {
    return this.#reads.get(name) ?? 0;
  }

  output(source: Source, layout?: Pick<TensorDesc, 'sizes' | 'strides'>): void {
    const reference = this.read(source, layout);
    this.graph.outputs[this.#newName('y')] = reference;
    count(this.#reads, nameIn(reference));
  }

  #newName(kind: string): string {
    return `${kind}${this.#names++}${this.random.chance(0.04) ? this.random.pick(ODD_ENDS) : ''}`;
  }
}

/** A packed tensor with one dimension. */
export function flat(dataType: DataType, count: number): LooseTensor {
  return { dataType, sizes: [count] };
}
