/** Builds a graph from a descriptor, which may be any value. Each property is read once. */
import { at, describe, DirectMLError, fieldError, shorten, type Place } from '../errors.js';
import { operatorTable } from '../schema/generated/table.js';
import type { FieldSchema } from '../schema/types.js';
import { isOperatorType } from '../validation/index.js';
import { isArray, namesOf, readArray, readObject, readOwn } from '../validation/input.js';
import type { ResolvedTensor } from '../validation/resolved.js';
import { strict, type StrictRule } from '../validation/strict.js';
import type { GraphBuilder } from './graph-builder.js';
import { fromJsonText } from './json-values.js';
import type { Value } from './value.js';

const CODE = 'ERR_INVALID_GRAPH';
const root: Place = { operator: 'compileGraph', field: '' };

/** A value as a field of a node, or an output, names it. */
interface Reference {
  readonly name: string;
  /** Null if the value is read in its own layout. */
  readonly layout: ReadonlyMap<string, unknown> | null;
  readonly place: Place;
}

const viewFields = ['value', 'sizes', 'strides'];

/** Fields of a tensor that a view does not change, and why. */
const ownFields = new Map<string, readonly [rule: StrictRule, why: string]>([
  ['dataType', ['graph-data-types', 'a node such as cast changes the data type']],
  ['totalTensorSizeInBytes', ['graph-padding', 'a view has the size of its value']],
  ['guaranteedBaseOffsetAlignment', ['graph-alignment', 'a view has the alignment of its value']],
  ['flags', ['graph-owned-inputs', 'constants of the graph are owned by DirectML where it takes them']],
]);

/** All References, which tells them from objects of the user. */
const references = new WeakSet<object>();

interface ReadNode {
  readonly name: string;
  /** The fields of the node; its inputs are References or arrays of them. */
  readonly fields: Map<string, unknown>;
  readonly references: readonly Reference[];
}

/**
 * Adds everything that the descriptor has to the builder. Returns the values of the outputs by name.
 *
 * @param readData Returns the data for a constant; `given` is its field `data`.
 */
export function readDescriptor(
  builder: GraphBuilder,
  descriptor: unknown,
  readData: (name: string, given: unknown, tensor: ResolvedTensor) => unknown,
): Readonly<Record<string, Value>> {
  const parts = readObject(descriptor, root, ['inputs', 'constants', 'nodes', 'outputs']);
  for (const [name, desc, place] of entriesOf(parts.get('inputs') ?? {}, at(root, 'inputs'))) {
    within(place, () => builder.input(name, desc));
  }
  for (const [name, desc, place] of entriesOf(parts.get('constants') ?? {}, at(root, 'constants'))) {
    const { data, rest } = withoutData(desc, place);
    within(place, () => builder.constant(name, rest, (tensor) => readData(name, data, tensor)));
  }
  const nodes = entriesOf(parts.get('nodes'), at(root, 'nodes')).map(([name, node, place]) => readNode(name, node, place));
  for (const node of inOrder(nodes, new Set(builder.valueNames))) addNode(builder, node);
  const outputs = new Map<string, Value>();
  for (const [name, given, place] of entriesOf(parts.get('outputs'), at(root, 'outputs'))) {
    outputs.set(name, valueFor(builder, readReference(given, place)));
  }
  return Object.fromEntries(outputs);
}

function entriesOf(value: unknown, place: Place): (readonly [string, unknown, Place])[] {
  if (typeof value !== 'object' || value === null || isArray(value, place)) {
    throw fieldError('ERR_INVALID_DESCRIPTOR', place, 'an object with a property per name', describe(value));
  }
  return namesOf(value, place).map((name) => {
    const inner = at(place, shorten(name));
    return [name, readOwn(value, name, inner), inner];
  });
}

/** Runs `add`, and makes its errors name the place in the descriptor. */
function within<T>(place: Place, add: () => T): T {
  try {
    return add();
  } catch (error) {
    if (!(error instanceof DirectMLError) || error.expected === undefined) throw error;
    const { code, operator = place.operator, expected, given = '' } = error;
    // Arguments of methods that the descriptor does not call itself.
    const own = (error.field ?? '').replace(/^(?:name|options\.name|descriptor|layout)(?:\.|$)/, '');
    const field = own === '' ? place.field : at(place, own).field;
    const why = / \((.*)\)$/s.exec(error.message)?.[1];
    const method = isOperatorType(operator) ? operator : place.operator;
    throw fieldError(code, { operator: method, field }, expected, given, { why, cause: error });
  }
}

function withoutData(desc: unknown, place: Place): { readonly data: unknown; readonly rest: unknown } {
  if (typeof desc !== 'object' || desc === null || isArray(desc, place)) return { data: undefined, rest: desc };
  const fields = new Map(namesOf(desc, place).map((name) => [name, readOwn(desc, name, place)]));
  const data = fields.get('data');
  fields.delete('data');
  return { data, rest: withoutPrototype(fields) };
}

function withoutPrototype(fields: ReadonlyMap<string, unknown>): object {
  const object: Record<string, unknown> = { __proto__: null };
  for (const [name, value] of fields) object[name] = value;
  return object;
}

function readNode(name: string, node: unknown, place: Place): ReadNode {
  if (typeof node !== 'object' || node === null || isArray(node, place)) {
    throw fieldError('ERR_INVALID_DESCRIPTOR', place, 'the descriptor of an operator', describe(node));
  }
  const given = new Map(namesOf(node, place).map((field) => [field, readOwn(node, field, place)]));
  const type = given.get('type');
  const schemas: readonly FieldSchema[] = isOperatorType(type) ? operatorTable[type].fields : [];
  const read: Reference[] = [];
  const refer = (value: unknown, inner: Place) => {
    const reference = readReference(value, inner);
    read.push(reference);
    return reference;
  };
  const fields = new Map<string, unknown>();
  for (const [field, value] of given) {
    const schema = schemas.find((candidate) => candidate.name === field);
    const inner = at(place, shorten(field));
    if (schema?.role !== 'input')
      fields.set(field, schema?.role === 'output' || field === 'type' ? value : deepFromJson(value, inner));
    else if (value === null || value === undefined) fields.set(field, value);
    else if (schema.kind !== 'tensorArray') fields.set(field, refer(value, inner));
    else
      fields.set(
        field,
        readArray(value, inner, 'an array of names of values').map((element, i) => refer(element, at(inner, i))),
      );
  }
  return { name, fields, references: read };
}

/** Numbers that JSON lacks are strings in every field, and in the fields of activations and scales. */
function deepFromJson(value: unknown, place: Place): unknown {
  if (typeof value !== 'object' || value === null) return fromJsonText(value);
  if (isArray(value, place)) return readArray(value, place).map((element, i) => deepFromJson(element, at(place, i)));
  return withoutPrototype(
    new Map(namesOf(value, place).map((name) => [name, deepFromJson(readOwn(value, name, place), at(place, shorten(name)))])),
  );
}

function readReference(given: unknown, place: Place): Reference {
  if (typeof given === 'string') return referenceOf(given, null, place);
  if (typeof given !== 'object' || given === null || isArray(given, place)) {
    throw fieldError(CODE, place, 'the name of a value, or { value, sizes, strides }', describe(given));
  }
  const read = readObject(given, place, [...viewFields, ...ownFields.keys()]);
  for (const [field, [rule, why]] of ownFields) {
    if (!read.has(field)) continue;
    const expected = `one of ${viewFields.join(', ')}`;
    throw strict(rule, fieldError('ERR_UNKNOWN_FIELD', at(place, field), expected, `'${field}'`, { why }));
  }
  const name = read.get('value');
  if (typeof name !== 'string') throw fieldError(CODE, at(place, 'value'), 'the name of a value', describe(name));
  return referenceOf(name, read, place);
}

function referenceOf(name: string, layout: Reference['layout'], place: Place): Reference {
  const reference = { name, layout, place };
  references.add(reference);
  return reference;
}

/** The nodes, each after those that it reads. `leaves` are the names of inputs and constants. */
function inOrder(nodes: readonly ReadNode[], leaves: ReadonlySet<string>): readonly ReadNode[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const nodeOf = (reference: string) => (leaves.has(reference) ? undefined : byName.get(nodeNameOf(reference)));
  const readNodes = ({ references }: ReadNode) => references.flatMap(({ name }) => nodeOf(name) ?? []);
  const readers = new Map(nodes.map((node): [ReadNode, ReadNode[]] => [node, []]));
  const missing = new Map<ReadNode, number>();
  for (const node of nodes) {
    const read = readNodes(node);
    missing.set(node, read.length);
    for (const before of read) readers.get(before)?.push(node);
  }
  const ordered = nodes.filter((node) => missing.get(node) === 0);
  // The list grows while it is read.
  for (const node of ordered) {
    for (const reader of readers.get(node) ?? []) {
      const left = (missing.get(reader) ?? 0) - 1;
      missing.set(reader, left);
      if (left === 0) ordered.push(reader);
    }
  }
  if (ordered.length < nodes.length)
    throw cycleAmong(
      nodes.filter((node) => (missing.get(node) ?? 0) > 0),
      nodeOf,
    );
  return ordered;
}

/** The error for nodes of which each reads another one of them: names one that depends on itself. */
function cycleAmong(nodes: readonly ReadNode[], nodeOf: (reference: string) => ReadNode | undefined): DirectMLError {
  const among = new Set(nodes);
  const visited = new Set<ReadNode>();
  const before = ({ references }: ReadNode) =>
    references.find(({ name }) => {
      const node = nodeOf(name);
      return node !== undefined && among.has(node);
    });
  let node = nodes[0];
  while (node !== undefined && !visited.has(node)) {
    visited.add(node);
    node = nodeOf(before(node)?.name ?? '');
  }
  const reference = node === undefined ? undefined : before(node);
  const place = reference?.place ?? at(root, 'nodes');
  const why = 'the nodes form a cycle';
  return fieldError(CODE, place, 'a value that does not depend on this node', describe(reference?.name), { why });
}

/** The node of a name such as `conv.outputTensor`; no field has a dot in its name. */
function nodeNameOf(reference: string): string {
  return reference.slice(0, Math.max(0, reference.lastIndexOf('.')));
}

function addNode(builder: GraphBuilder, { name, fields }: ReadNode): void {
  const place = at(at(root, 'nodes'), shorten(name));
  const descriptor = new Map(
    [...fields].map(([field, value]): [string, unknown] => {
      if (isReference(value)) return [field, valueFor(builder, value)];
      if (Array.isArray(value))
        return [field, value.map((element: unknown) => (isReference(element) ? valueFor(builder, element) : element))];
      return [field, value];
    }),
  );
  within(place, () => builder.add(withoutPrototype(descriptor), name));
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && references.has(value);
}

function valueFor(builder: GraphBuilder, { name, layout, place }: Reference): Value {
  const value = builder.valueOf(name);
  if (value === undefined) throw builder.unknownValue(name, place);
  if (layout === null || (!layout.has('sizes') && !layout.has('strides'))) return value;
  const view = withoutPrototype(new Map([...layout].filter(([field]) => field !== 'value')));
  return within(place, () => value.view(view));
}
