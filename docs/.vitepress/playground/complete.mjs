// @ts-check
// Completes operators, the fields of their descriptors and options, and the values of these fields.
import { insertCompletionText, pickedCompletion } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { data as operators } from './completions.data.mjs';

/**
 * @typedef {import('@codemirror/autocomplete').Completion} Completion
 * @typedef {import('@codemirror/autocomplete').CompletionContext} CompletionContext
 * @typedef {import('@codemirror/state').EditorState} EditorState
 * @typedef {import('@codemirror/view').EditorView} EditorView
 * @typedef {import('@lezer/common').SyntaxNode} SyntaxNode
 * @typedef {import('./facts.mjs').FieldCompletion} FieldCompletion
 */

const byName = new Map(operators.map((operator) => [operator.name, operator]));

const types = operators.map(({ name, meaning }) => ({ label: name, type: 'function', info: plain(meaning) }));
const activations = types.filter(({ label }) => label.startsWith('activation'));

/** All data types: those of the fields that hold one. */
const dataTypes = [
  ...new Set(
    operators.flatMap(({ fields }) =>
      fields.flatMap(({ values }) => (values.some(({ name }) => name === 'float32') ? values.map(({ name }) => name) : [])),
    ),
  ),
].map((label) => ({ label, type: 'enum' }));

/** The fields of a description of a tensor. */
const tensorFields = [
  { label: 'dataType', type: 'property', info: 'The type of the elements.' },
  { label: 'sizes', type: 'property', info: 'The sizes, the innermost dimension last.' },
  {
    label: 'strides',
    type: 'property',
    info: 'The distances between elements along each dimension, in elements. Default: packed.',
  },
];

/**
 * A source of completions for CodeMirror.
 * @param {CompletionContext} context
 * @param {() => string} before returns the program that the editor's program continues
 */
export function complete(context, before) {
  const { state, pos, explicit } = context;
  const node = syntaxTree(state).resolveInner(pos, -1);
  if (/Comment/.test(node.name)) return null;
  if (node.name === 'String') return { from: node.from + 1, options: valuesAt(state, node), validFor: /^[\w]*$/ };
  const word = context.matchBefore(/\w*/);
  if (word === null || (word.from === word.to && !explicit)) return null;
  const options = optionsAt(state, node, before);
  return options.length === 0 ? null : { from: word.from, options, validFor: /^\w*$/ };
}

/** @returns {Completion[]} */
function optionsAt(/** @type {EditorState} */ state, /** @type {SyntaxNode} */ node, /** @type {() => string} */ before) {
  const property = within(node, 'Property');
  const object = within(node, 'ObjectExpression');
  const isName = object !== null && (property === null || property.from < object.from || !hasColonBefore(property, node));
  if (isName) return fieldsOf(state, object);
  return within(node, 'ImportDeclaration') === null ? types.map((type) => ({ ...type, apply: importing(before) })) : types;
}

/** Inserts the name of a function, and an import of it if the program has none. */
function importing(/** @type {() => string} */ before) {
  return (
    /** @type {EditorView} */ view,
    /** @type {Completion} */ completion,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) => {
    const { state } = view;
    const { label } = completion;
    const program = state.doc.toString();
    view.dispatch(
      { ...insertCompletionText(state, label, from, to), annotations: pickedCompletion.of(completion) },
      isDeclared(before() + program, label) ? {} : { changes: importOf(program, label) },
    );
  };
}

const imports = /import\s*\{([^}]*?),?\s*\}\s*from\s*(['"])node-directml\/operators\2/;

/** True if the program imports or declares the name. */
function isDeclared(/** @type {string} */ program, /** @type {string} */ name) {
  const lists = [...program.matchAll(/import\s*\{([^}]*)\}/g)].map(([, list = '']) => list);
  return (
    new RegExp(`\\b${name}\\b`).test(lists.join()) || new RegExp(`\\b(?:const|let|var|function)\\s+${name}\\b`).test(program)
  );
}

/** The change that adds the function to the import of functions of operators, or makes one. */
function importOf(/** @type {string} */ program, /** @type {string} */ name) {
  const found = imports.exec(program);
  if (found === null) return { from: 0, insert: `import { ${name} } from 'node-directml/operators';\n` };
  const list = found[1] ?? '';
  const from = found.index + found[0].indexOf('{') + 1;
  if (list.trim() === '') return { from, to: program.indexOf('}', from), insert: ` ${name} ` };
  return { from: from + list.length, insert: `, ${name}` };
}

/** What the string at this node can be. @returns {Completion[]} */
function valuesAt(/** @type {EditorState} */ state, /** @type {SyntaxNode} */ node) {
  const property = node.parent;
  const object = property?.name === 'Property' ? property.parent : null;
  if (property === null || property === undefined || object === null) return [];
  const name = nameOf(state, property);
  if (name === 'dataType') return dataTypes;
  if (name === 'type') return isActivationOf(state, object) ? activations : types;
  const field = operatorOf(state, object)?.fields.find((one) => one.name === name);
  return (field?.values ?? []).map((value) => ({ label: value.name, type: 'enum', info: plain(value.meaning) }));
}

/** What an object can have. @returns {Completion[]} */
function fieldsOf(/** @type {EditorState} */ state, /** @type {SyntaxNode} */ object) {
  const operator = operatorOf(state, object);
  const given = new Set(object.getChildren('Property').map((property) => nameOf(state, property)));
  const isDescriptor = given.has('type');
  if (operator !== undefined) {
    return operator.fields.filter(({ name, isArgument }) => !given.has(name) && (isDescriptor || !isArgument)).map(asOption);
  }
  if (isActivationOf(state, object)) return [{ label: 'type', type: 'property' }];
  return tensorFields.filter(({ label }) => !given.has(label));
}

/** The operator that an object describes by its `type`, or whose function gets the object. */
function operatorOf(/** @type {EditorState} */ state, /** @type {SyntaxNode} */ object) {
  const type = object.getChildren('Property').find((property) => nameOf(state, property) === 'type');
  if (type !== undefined) return byName.get(textOf(state, type.getChild('String')).slice(1, -1));
  const list = object.parent;
  const callee = list?.name === 'ArgList' ? list.parent?.firstChild : null;
  if (callee?.name !== 'VariableName') return undefined;
  const called = textOf(state, callee);
  const [, original = called] = new RegExp(`\\b(\\w+) as ${called}\\b`).exec(state.doc.toString()) ?? [];
  return byName.get(original);
}

/** True for the object of a fused activation. */
function isActivationOf(/** @type {EditorState} */ state, /** @type {SyntaxNode} */ object) {
  const property = object.parent;
  const owner = property?.name === 'Property' ? property.parent : null;
  if (property === null || owner === null || owner === undefined) return false;
  const name = nameOf(state, property);
  return operatorOf(state, owner)?.fields.some((field) => field.name === name && field.isActivation) ?? false;
}

/** @returns {Completion} */
function asOption(/** @type {FieldCompletion} */ { name, need, meaning }) {
  return { label: name, type: 'property', detail: need, info: plain(meaning) };
}

/** The innermost node of this type around a node, or itself. */
function within(/** @type {SyntaxNode} */ node, /** @type {string} */ type) {
  for (let outer = /** @type {SyntaxNode | null} */ (node); outer !== null; outer = outer.parent) {
    if (outer.name === type) return outer;
  }
  return null;
}

/** True if the node is the value of the property and not its name. */
function hasColonBefore(/** @type {SyntaxNode} */ property, /** @type {SyntaxNode} */ node) {
  const colon = property.getChild(':');
  return colon !== null && colon.from < node.to && colon !== node;
}

function nameOf(/** @type {EditorState} */ state, /** @type {SyntaxNode} */ property) {
  return textOf(state, property.getChild('PropertyDefinition'));
}

function textOf(/** @type {EditorState} */ state, /** @type {SyntaxNode | null} */ node) {
  return node === null ? '' : state.sliceDoc(node.from, node.to);
}

/** Without the marks of Markdown. */
function plain(/** @type {string} */ text) {
  return text.replaceAll('`', '');
}
