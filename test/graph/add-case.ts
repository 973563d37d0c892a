/** Adds the operator of a conformance case to a graph, and connects its inputs with other nodes. */
import type { TensorDesc, ValueReference } from 'node-directml';
import { bitsOf } from '#lib/data-types/table.js';
import { fromBase64, type ConformanceCase } from '../conformance/case.js';
import type { Random } from '../random.js';
import { domainOf, type Domain } from './domains.js';
import { portsOf, type CasePort } from './draw-case.js';
import { canBecome, carried, fits, fitted, MOST_GLUE } from './glue.js';
import { flat, flatBytes, spanOf, type GraphWriter, type Source } from './graph-writer.js';

/** What feeds a node: only inputs and constants, at least one other node, or anything. */
export type Feeding = 'leaves' | 'nodes' | 'any';

/** A graph that is being made. */
export interface Making {
  readonly writer: GraphWriter;
  readonly random: Random;
  /** The number of nodes that it may have. */
  readonly most: number;
  /** Values that no node may read. */
  readonly sealed: Set<Source>;
}

/** Adds the case as a node, after the nodes that make its inputs. Returns its outputs; `given` are references by field. */
export function addCase(
  making: Making,
  test: ConformanceCase,
  feeding: Feeding,
  given: Readonly<Record<string, ValueReference>> = {},
): Source[] {
  const { writer } = making;
  const { descriptor, data } = test;
  const ports = portsOf(descriptor);
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(descriptor) as [string, unknown][]) {
    if (name !== 'type' && ports.every(({ field }) => field !== name)) fields[name] = value;
  }
  let isFed = feeding !== 'nodes' || Object.keys(given).length > 0;
  for (const { field, isArray, tensors } of ports.filter(({ role }) => role === 'input')) {
    const domain = domainOf(test, field);
    const references = tensors.map((tensor, i) => {
      const reference = given[field];
      if (reference !== undefined) return reference;
      const texts = data[field];
      const own = fromBase64(String(Array.isArray(texts) ? texts[i] : texts));
      const isRefused = bitsOf(tensor.dataType) === 4;
      if (feeding === 'leaves' || isRefused) return fresh(making, tensor, own);
      const reads = connected(making, tensor, own, domain, !isFed);
      isFed ||= reads.isNode;
      return reads.reference;
    });
    fields[field] = isArray ? references : references[0];
  }
  const outputs = Object.fromEntries(ports.filter(({ role }) => role === 'output').map(outputOf));
  const added = writer.add(descriptor.type, fields, outputs);
  sealUndefined(making, added);
  return added;
}

/** Seals what no node may read: past the count, nothing is promised about the coordinates. */
export function sealUndefined({ sealed }: Making, sources: readonly Source[]): void {
  for (const source of sources) if (source.name.endsWith('nonzeroCoordinates.outputCoordinatesTensor')) sealed.add(source);
}

/** Without padding, which outputs of nodes do not have. */
function outputOf({ field, isArray, tensors }: CasePort): [string, TensorDesc | TensorDesc[]] {
  const plain = tensors.map(({ dataType, sizes, strides = null }) => ({
    dataType,
    sizes,
    ...(strides === null ? {} : { strides }),
  }));
  const [first = { dataType: 'float32', sizes: [1] }] = plain;
  return [field, isArray ? plain : first];
}

interface Connection {
  readonly reference: ValueReference;
  readonly isNode: boolean;
}

function connected(making: Making, tensor: TensorDesc, own: Uint8Array, domain: Domain, mustBeNode: boolean): Connection {
  const { writer, random, most } = making;
  const hasRoom = writer.nodeCount + MOST_GLUE < most;
  const mayBeOwn = domain === 'own' ? 0.6 : 0.2;
  if (!mustBeNode && random.chance(mayBeOwn)) return { reference: fresh(making, tensor, own), isNode: false };
  const count = spanOf(tensor);
  if (domain !== 'own' && !random.chance(0.15)) {
    const direct = candidates(making).filter((source) => fits(source, tensor.dataType, count, domain));
    if (direct.length > 0) {
      const source = preferred(making, direct);
      return { reference: writer.read(source, tensor), isNode: !source.isLeaf };
    }
    const others = candidates(making).filter((source) => canBecome(source.tensor.dataType, tensor.dataType));
    if (others.length > 0 && (hasRoom || mustBeNode)) {
      const source = fitted(writer, random, preferred(making, others), tensor.dataType, count, domain);
      return { reference: writer.read(source, tensor), isNode: !source.isLeaf };
    }
  }
  if (!mustBeNode && !hasRoom) return { reference: fresh(making, tensor, own), isNode: false };
  const leaf = freshLeaf(making, flat(tensor.dataType, count), flatBytes(tensor, own));
  const source = carried(writer, random, leaf, shuffled(random, candidates(making)));
  return { reference: writer.read(source, tensor), isNode: true };
}

function fresh(making: Making, tensor: TensorDesc, own: Uint8Array): ValueReference {
  return making.writer.read(freshLeaf(making, tensor, own));
}

function freshLeaf({ writer, random }: Making, tensor: TensorDesc, own: Uint8Array): Source {
  return random.chance(0.5) ? writer.input(tensor, own) : writer.constant(tensor, own);
}

/** The values that nodes may read. */
export function candidates({ writer, sealed }: Making): Source[] {
  return writer.sources.filter((source) => !sealed.has(source) && bitsOf(source.tensor.dataType) > 4);
}

/** Mostly a value that nothing reads yet, or a late one, so that graphs become deep. */
export function preferred({ writer, random }: Making, sources: readonly Source[]): Source {
  const unread = sources.filter((source) => !source.isLeaf && writer.readsOf(source) === 0);
  if (unread.length > 0 && random.chance(0.6)) return random.pick(unread);
  return random.chance(0.5) ? random.pick(sources.slice(-6)) : random.pick(sources);
}

function shuffled<T>(random: Random, values: readonly T[]): T[] {
  return random.distinct(values.length, values.length).flatMap((i) => values.slice(i, i + 1));
}
