// @ts-check
// Reads the Web IDL of WebNN from @webref/idl and lib/webnn/extensions.idl: enums, dictionaries and interfaces. Partial definitions
// are merged.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse } from 'webidl2';

/** @typedef {import('webidl2').IDLTypeDescription} IdlType */
/** @typedef {import('webidl2').Argument} IdlArgument */
/** @typedef {{ name: string, type: IdlType, isRequired: boolean, fallback: string | undefined }} Member */
/** @typedef {{ name: string, inherits: string | null, members: Member[] }} Dictionary */
/** `length` counts the required arguments by the specification's overloads only, not by our own. */
/** @typedef {{ name: string, returns: IdlType | null, overloads: IdlArgument[][], length: number }} Operation */
/**
 * @typedef {{ name: string, hasConstructor: boolean, constructor: IdlArgument[], attributes: { name: string, type: IdlType }[],
 * operations: Operation[] }} Interface
 */
/**
 * @typedef {{ enums: Map<string, string[]>, dictionaries: Map<string, Dictionary>, interfaces: Map<string, Interface>,
 * typedefs: Map<string, IdlType> }} Idl
 */

/** Data types that Chromium has in addition. */
const extraDataTypes = ['int4', 'uint4'];
/** Types of WebGPU, which Node.js does not have. */
const absentTypes = ['GPUDevice', 'GPUBuffer'];

/** @returns {Idl} */
export function readIdl(/** @type {string} */ root) {
  const require = createRequire(import.meta.url);
  const sources = [require.resolve('@webref/idl/webnn.idl'), join(root, 'lib/webnn/extensions.idl')];
  /** @type {Idl} */
  const idl = { enums: new Map(), dictionaries: new Map(), interfaces: new Map(), typedefs: new Map() };
  const [own, extensions] = sources.map((path) => parse(readFileSync(path, 'utf8')));
  for (const definition of [...(own ?? []), ...(extensions ?? [])]) {
    if (definition.type === 'enum') {
      const values = definition.values.map(({ value }) => value);
      idl.enums.set(definition.name, definition.name === 'MLOperandDataType' ? [...values, ...extraDataTypes] : values);
    } else if (definition.type === 'typedef') {
      idl.typedefs.set(definition.name, definition.idlType);
    } else if (definition.type === 'dictionary') {
      addDictionary(idl, definition);
    } else if (definition.type === 'interface' && definition.name.startsWith('ML')) {
      addInterface(idl, definition, own?.includes(definition) ?? false);
    }
  }
  return idl;
}

function addDictionary(/** @type {Idl} */ idl, /** @type {import('webidl2').DictionaryType} */ { name, inheritance, members }) {
  const known = idl.dictionaries.get(name) ?? { name, inherits: inheritance ?? null, members: [] };
  for (const member of members) {
    const fallback = member.default === null ? undefined : literal(member.default);
    known.members.push({ name: member.name, type: member.idlType, isRequired: member.required, fallback });
  }
  // Web IDL reads members in the order of their names.
  known.members.sort((a, b) => (a.name < b.name ? -1 : 1));
  idl.dictionaries.set(name, known);
}

function addInterface(
  /** @type {Idl} */ idl,
  /** @type {import('webidl2').InterfaceType} */ { name, members },
  /** @type {boolean} */ isSpecified,
) {
  /** @type {Interface} */
  const known = idl.interfaces.get(name) ?? { name, hasConstructor: false, constructor: [], attributes: [], operations: [] };
  for (const member of members) {
    if (member.type === 'constructor') {
      known.hasConstructor = true;
      known.constructor = member.arguments;
    } else if (member.type === 'attribute') {
      known.attributes.push({ name: member.name, type: member.idlType });
    } else if (member.type === 'operation' && !usesAbsent(member)) {
      const operation = known.operations.find((other) => other.name === member.name);
      const overloads = [member.arguments];
      const length = member.arguments.filter(({ optional }) => !optional).length;
      if (operation === undefined) known.operations.push({ name: member.name ?? '', returns: member.idlType, overloads, length });
      else operation.overloads.push(member.arguments);
      if (operation !== undefined && isSpecified) operation.length = Math.min(operation.length, length);
    }
  }
  idl.interfaces.set(name, known);
}

function usesAbsent(/** @type {import('webidl2').OperationMemberType} */ member) {
  return [member.idlType, ...member.arguments.map(({ idlType }) => idlType)].some(
    (type) => typeof type?.idlType === 'string' && absentTypes.includes(type.idlType),
  );
}

/** Returns a default value in TypeScript; undefined for an empty dictionary, whose members have their own defaults. */
function literal(/** @type {import('webidl2').ValueDescription} */ value) {
  if (value.type === 'dictionary') return undefined;
  if (value.type === 'string') return `'${value.value}'`;
  if (value.type === 'number') return String(Number(value.value));
  if (value.type === 'boolean') return String(value.value);
  throw new Error(`unknown default ${JSON.stringify(value)}`);
}

/** True for [EnforceRange]. The attribute belongs to the type, but the parser keeps it at the argument or member. */
export function isEnforced(/** @type {IdlType} */ type) {
  const holders = [type, /** @type {{ parent?: { extAttrs?: readonly { name: string }[] } }} */ (type).parent];
  return holders.some((holder) => holder?.extAttrs?.some(({ name }) => name === 'EnforceRange'));
}
