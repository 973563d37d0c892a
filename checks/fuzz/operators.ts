/** Small operators of every type, with memory for one dispatch. */
import type { Binding, DirectMLBuffer, OperatorDescriptor } from 'node-directml';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { tensorSize } from '../cases/layout.js';
import { minimalDescriptors } from '../cases/generated/minimal-descriptors.js';
import { isTensor } from '../descriptors/candidate.js';
import type { Random } from '../harness/random.js';

const descriptors: readonly OperatorDescriptor[] = Object.values(minimalDescriptors);
/** The alignment of tensors in one buffer, in bytes. */
const ALIGNMENT = 256;

export function anyDescriptor(random: Random): OperatorDescriptor {
  return random.pick(descriptors);
}

/** False for casts with float64, which the sandbox cannot run. */
export function runsEverywhere({ type }: Pick<OperatorDescriptor, 'type'>): boolean {
  return type !== 'cast';
}

export interface Layout {
  readonly sizeInBytes: number;
  /** The positions of the tensors, by field. */
  readonly fields: readonly { readonly name: string; readonly isArray: boolean; readonly places: readonly Place[] }[];
}

interface Place {
  readonly offset: number;
  readonly size: number;
}

/** The tensors of a descriptor, and arrays of tensors, by field. */
export function tensorsIn(descriptor: OperatorDescriptor): (readonly [name: string, value: unknown])[] {
  const values = new Map<string, unknown>(Object.entries(descriptor));
  const fields = operatorTable[descriptor.type].fields.filter(({ role }) => role !== undefined);
  return fields.map(({ name }) => [name, values.get(name)]);
}

/** Lays out tensors in one buffer, from the byte `start` on. */
export function layoutOf(tensors: readonly (readonly [name: string, value: unknown])[], start = 0): Layout {
  let end = start;
  const fields = tensors.map(([name, value]) => {
    const own = [value].flat().filter(isTensor);
    const places = own.map((tensor): Place => {
      const place = { offset: end, size: tensorSize(tensor) };
      end = Math.ceil((end + place.size) / ALIGNMENT) * ALIGNMENT;
      return place;
    });
    return { name, isArray: Array.isArray(value), places };
  });
  return { sizeInBytes: Math.max(end, ALIGNMENT), fields: fields.filter(({ places }) => places.length > 0) };
}

/** Bindings that may be made invalid. */
export type LooseBindings = Record<string, Binding | Binding[]>;

export function bindingsIn({ fields }: Layout, buffer: DirectMLBuffer): LooseBindings {
  const bindings = fields.flatMap(({ name, isArray, places }): [string, Binding | Binding[]][] => {
    const ranges = places.map((place) => ({ buffer, ...place }));
    const [only] = ranges;
    return isArray ? [[name, ranges]] : only === undefined ? [] : [[name, only]];
  });
  return Object.fromEntries(bindings);
}
