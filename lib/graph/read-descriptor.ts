/** Builds a graph from a descriptor, which may be any value. Each property is read once. */
import { at, describe, fieldError, shorten, type Place } from '../values/errors.js';
import { isOperatorType } from '../operators/resolve.js';
import { isArray, namesOf, readArray, readObject, readOwn } from '../values/input.js';
import type { ResolvedTensor } from '../descriptors/resolved.js';
import { unknownOperator } from '../descriptors/operator-names.js';
import { tensorFieldNames } from '../descriptors/tensor.js';
import { within } from './error-place.js';
import type { GraphBuilder } from './graph-builder.js';
import { fromJsonValue } from './json-values.js';
import { maxEdges, maxNodes, maxTensors } from './limits.js';
import { inOrder } from './node-order.js';
import { readAll, readOperator, withoutPrototype } from './read-fields.js';
import type { Value } from './value.js';
import type { ConstantData } from './resolved-graph.js';
import { readReference, valueFor, type Reference } from './value-reference.js';

const CODE = 'ERR_INVALID_GRAPH';
const root: Place = { operator: 'compileGraph', field: '' };
const nodesPlace = at(root, 'nodes');

/** What the descriptor of a constant has besides the tensor. */
interface GivenConstant {
  readonly data: unknown;
  readonly ownership: unknown;
}

interface ReadNode {
  readonly name: string;
  readonly place: Place;
  /** The fields that are no values. */
  readonly fields: Map<string, unknown>;
  readonly inputs: ReadonlyMap<string, ReadInput>;
  /** Those of all inputs. */
  readonly references: readonly Reference[];
}

interface ReadInput {
  /** True for a field with several tensors. */
  readonly isList: boolean;
  readonly references: readonly Reference[];
}

/**
 * Adds everything that the descriptor has to the builder. Returns the values of the outputs by name.
 *
 * @param readData Returns the data for a constant.
 */
export function readDescriptor(
  builder: GraphBuilder,
  descriptor: unknown,
  readData: (name: string, given: GivenConstant, tensor: ResolvedTensor) => ConstantData,
): Readonly<Record<string, Value>> {
  const parts = readObject(descriptor, root, ['inputs', 'constants', 'nodes', 'outputs']);
  for (const [name, desc, place] of entriesOf(parts.get('inputs') ?? {}, at(root, 'inputs'), maxTensors, 'inputs')) {
    within(place, () => builder.input(name, desc));
  }
  for (const [name, desc, place] of entriesOf(parts.get('constants') ?? {}, at(root, 'constants'), maxTensors, 'constants')) {
    const { rest, ...given } = withoutData(desc, place);
    within(place, () => builder.constant(name, rest, (tensor) => readData(name, given, tensor)));
  }
  for (const node of inOrder(readNodes(parts.get('nodes')), nodesPlace, (name) => builder.has(name))) addNode(builder, node);
  const outputs = new Map<string, Value>();
  for (const [name, given, place] of entriesOf(parts.get('outputs'), at(root, 'outputs'), maxTensors, 'outputs')) {
    outputs.set(name, valueFor(builder, readReference(given, place)));
  }
  return Object.fromEntries(outputs);
}

/** Counts the names before it reads a value. */
function entriesOf(value: unknown, place: Place, most: number, what: string): (readonly [string, unknown, Place])[] {
  if (typeof value !== 'object' || value === null || isArray(value, place)) {
    throw fieldError('ERR_INVALID_DESCRIPTOR', place, 'an object with a property per name', describe(value));
  }
  const names = namesOf(value, place);
  if (names.length > most) throw fieldError(CODE, place, `at most ${most} ${what}`, `${names.length}`);
  return names.map((name) => [name, readOwn(value, name, place), at(place, shorten(name))]);
}

function withoutData(desc: unknown, place: Place): GivenConstant & { readonly rest: unknown } {
  if (typeof desc !== 'object' || desc === null || isArray(desc, place)) {
    return { data: undefined, ownership: undefined, rest: desc };
  }
  const fields = readAll(desc, place, [...tensorFieldNames, 'data', 'ownership']);
  const given = { data: fields.get('data'), ownership: fields.get('ownership') };
  fields.delete('data');
  fields.delete('ownership');
  return { ...given, rest: withoutPrototype(fields) };
}

/** Reads no more than a graph may have: an array that many nodes share is read for each of them. */
function readNodes(given: unknown): readonly ReadNode[] {
  let edges = 0;
  return entriesOf(given, nodesPlace, maxNodes, 'nodes').map(([name, value, place]) => {
    const node = readNode(name, value, place);
    edges += node.references.length;
    if (edges > maxEdges) throw fieldError(CODE, nodesPlace, `at most ${maxEdges} inputs of nodes`, 'more');
    return node;
  });
}

function readNode(name: string, node: unknown, place: Place): ReadNode {
  if (typeof node !== 'object' || node === null || isArray(node, place)) {
    throw fieldError('ERR_INVALID_DESCRIPTOR', place, 'the descriptor of an operator', describe(node));
  }
  const { fields, schemas } = readOperator(node, place);
  const type = fields.get('type');
  if (!isOperatorType(type)) throw unknownOperator(type, at(place, 'type'));
  const inputs = new Map<string, ReadInput>();
  for (const { name: field, role, kind } of schemas) {
    const value = fields.get(field);
    if (value === undefined || value === null) continue;
    const here = at(place, field);
    if (role !== 'input') {
      fields.set(field, fromJsonValue(kind, value, here));
      continue;
    }
    const isList = kind === 'tensorArray';
    const read = (element: unknown, i: number) => readReference(element, at(here, i));
    const references = isList ? readArray(value, here, 'an array of names of values').map(read) : [readReference(value, here)];
    inputs.set(field, { isList, references });
  }
  return { name, place, fields, inputs, references: [...inputs.values()].flatMap(({ references }) => references) };
}

function addNode(builder: GraphBuilder, { name, place, fields, inputs }: ReadNode): void {
  const values = [...inputs].map(([field, { isList, references }]): [string, unknown] => {
    const found = references.map((reference) => valueFor(builder, reference));
    return [field, isList ? found : found[0]];
  });
  within(place, () => builder.add(withoutPrototype(new Map([...fields, ...values])), name));
}
