/** Small operators of every type, with memory for one dispatch. */
import type { Binding, DirectMLBuffer, OperatorDescriptor } from 'node-directml';
import { operatorTable } from '#lib/schema/generated/table.js';
import { tensorSize } from '../conformance/layout.js';
import { minimalDescriptors } from '../coverage/generated/minimal-descriptors.js';
import { isTensor } from '../parity/candidate.js';
import type { Random } from '../random.js';

const descriptors: readonly OperatorDescriptor[] = Object.values(minimalDescriptors);
/** Between tensors in one buffer. */
const ALIGNMENT = 256;

export function anyDescriptor(random: Random): OperatorDescriptor {
  return random.pick(descriptors);
}

/** Casts with FLOAT64 are more than the sandbox can do. */
export function runsEverywhere({ type }: OperatorDescriptor): boolean {
  return type !== 'cast';
}

export interface Layout {
  readonly sizeInBytes: number;
  /** By field; a list for an array of tensors. */
  readonly fields: readonly { readonly name: string; readonly isArray: boolean; readonly places: readonly Place[] }[];
}

interface Place {
  readonly offset: number;
  readonly size: number;
}

/** Where the tensors of a descriptor lie in a buffer of their own. */
export function layoutOf(descriptor: OperatorDescriptor): Layout {
  let end = 0;
  const values = new Map<string, unknown>(Object.entries(descriptor));
  const fields = operatorTable[descriptor.type].fields
    .filter(({ role, name }) => role !== undefined && values.get(name) !== undefined)
    .map(({ name }) => {
      const value = values.get(name);
      const tensors = [value].flat().filter(isTensor);
      const places = tensors.map((tensor): Place => {
        const place = { offset: end, size: tensorSize(tensor) };
        end = Math.ceil((end + place.size) / ALIGNMENT) * ALIGNMENT;
        return place;
      });
      return { name, isArray: Array.isArray(value), places };
    })
    .filter(({ places }) => places.length > 0);
  return { sizeInBytes: Math.max(end, ALIGNMENT), fields };
}

/** Zeros, bytes of 0 and 1, or any. A region of any size is the one thing that the data can ask for without end. */
export function dataFor(random: Random, descriptor: OperatorDescriptor, size: number): Uint8Array<ArrayBuffer> {
  const most = random.pick('roiTensor' in descriptor ? [0, 1] : [0, 1, 255]);
  return random.bytes(size).map((byte) => byte & most);
}

/** May be changed by whoever makes something wrong of it. */
export type LooseBindings = Record<string, Binding | Binding[]>;

export function bindingsIn({ fields }: Layout, buffer: DirectMLBuffer): LooseBindings {
  const bindings: LooseBindings = {};
  for (const { name, isArray, places } of fields) {
    const ranges = places.map((place) => ({ buffer, ...place }));
    const [only] = ranges;
    if (isArray) bindings[name] = ranges;
    else if (only !== undefined) bindings[name] = only;
  }
  return bindings;
}
