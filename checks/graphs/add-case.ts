/** Adds the operator of a conformance case to a graph, and connects its inputs with other nodes. */
import { fromBase64, type ConformanceCase } from '../cases/case.js';
import { isTensor, spanOf, type LooseDescriptor, type LooseTensor } from '../descriptors/candidate.js';
import type { Domain } from './domains.js';
import { bytesFor, type Bytes } from './graph-case.js';
import { canBecome, carried, fits, fitted, MOST_GLUE } from './glue.js';
import { flat, type GraphWriter, type Source } from './graph-writer.js';
import { isFourBit, setSlot, slotsOf, type Reference } from './loose-graph.js';

/** What feeds a node: only inputs and constants; at least one other node; or anything. */
type Feeding = 'leaves' | 'nodes' | 'any';

/**
 * Adds the case as a node, after the nodes that make its inputs, and returns its outputs. `given` has references for some slots, by
 * path.
 */
export function addCase(
  writer: GraphWriter,
  test: ConformanceCase,
  feeding: Feeding,
  given: Readonly<Record<string, Reference>> = {},
): Source[] {
  const node: LooseDescriptor = { ...test.descriptor };
  let isFed = feeding !== 'nodes' || Object.keys(given).length > 0;
  for (const slot of slotsOf(node)) {
    const { field, element, path, role, value: tensor } = slot;
    if (!isTensor(tensor)) continue;
    if (role === 'output') {
      // Only inputs and constants may be padded.
      const { totalTensorSizeInBytes: _padding, ...plain } = tensor;
      setSlot(node, slot, plain);
      continue;
    }
    const texts = test.data[field];
    const own = fromBase64(String(Array.isArray(texts) ? texts[element ?? 0] : texts));
    const connect = () => {
      const source = feeding === 'leaves' ? null : connected(writer, tensor, own, writer.purpose.domainOf(test, field), !isFed);
      if (source === null) return writer.read(writer.leaf(tensor, own));
      isFed ||= source.node !== null;
      return writer.read(source, tensor);
    };
    setSlot(node, slot, given[path] ?? connect());
  }
  return writer.add(node);
}

/** A value that can be read as the tensor; null if the case's own data are to be read. */
function connected(writer: GraphWriter, tensor: LooseTensor, own: Bytes, domain: Domain, mustBeNode: boolean): Source | null {
  const { random } = writer;
  const hasRoom = writer.nodeCount + MOST_GLUE < writer.most;
  if (!mustBeNode && random.chance(domain === 'own' ? 0.6 : 0.2)) return null;
  const count = spanOf(tensor);
  const values = candidates(writer);
  if (domain !== 'own' && !random.chance(0.15)) {
    const direct = values.filter((source) => fits(source, tensor.dataType, count, domain));
    if (direct.length > 0) return preferred(writer, direct);
    const others = values.filter((source) => canBecome(source.tensor.dataType, tensor.dataType));
    if (others.length > 0 && (hasRoom || mustBeNode)) {
      return fitted(writer, preferred(writer, others), tensor.dataType, count, domain);
    }
  }
  if (isFourBit(tensor) || (!mustBeNode && !hasRoom)) return null;
  const packed = flat(tensor.dataType, count);
  const leaf = writer.leaf(packed, bytesFor(packed, own));
  const shuffled = random.distinct(values.length, values.length).flatMap((i) => values[i] ?? []);
  return carried(writer, leaf, shuffled);
}

/** The values that nodes may read. */
export function candidates({ sources, sealed }: GraphWriter): Source[] {
  return sources.filter((source) => !sealed.has(source));
}

/** Prefers values that nothing reads yet, and late ones, so that graphs become deep. */
export function preferred(writer: GraphWriter, sources: readonly Source[]): Source {
  const { random } = writer;
  const unread = sources.filter((source) => source.node !== null && writer.readsOf(source) === 0);
  if (unread.length > 0 && random.chance(0.6)) return random.pick(unread);
  return random.pick(random.chance(0.5) ? sources.slice(-6) : sources);
}
