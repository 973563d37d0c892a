// Writes docs/array-functions.md and docs/layer-functions.md: the functions of a module by group, with their doc comments. Each
// group is a program in examples/. It calls its functions, and its first line is the heading and what applies to all of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { note } from './banner.mjs';

/**
 * @typedef {object} Entry a module, such as `node-directml/array`
 * @property {string} file its source
 * @property {string} folder of the programs
 * @property {string} alias the name that programs give to the module
 * @property {readonly string[]} programs in the order of the page
 * @property {string} head the page above the groups
 *
 * @typedef {object} Documented a function
 * @property {string} call its name and its parameters
 * @property {string} meaning
 */

/** @type {Record<string, Entry>} */
const entries = {
  'docs/array-functions.md': {
    file: 'lib/array/index.ts',
    folder: 'examples/arrays',
    alias: 'np',
    programs: [
      ...['creation', 'arithmetic', 'functions', 'comparisons', 'bits', 'reductions', 'along-axes', 'shape', 'indices'],
      ...['sorting', 'products', 'linalg', 'fft', 'random'],
    ],
    head: `# Array functions

All functions of \`node-directml/array\`. [Arrays](guides/arrays.md) explains what they have in common. Names in braces are options.`,
  },
  'docs/layer-functions.md': {
    file: 'lib/nn/index.ts',
    folder: 'examples/layers',
    alias: 'nn',
    programs: [...['activations', 'layers', 'normalizations', 'sequences', 'losses', 'initial-weights', 'optimizers', 'weights']],
    head: `# Layer functions

All functions of \`node-directml/nn\`. [Layers and training](guides/layers.md) explains what they have in common. Names in braces are
options.`,
  },
};

/** @returns {Record<string, string>} the pages by file */
export function functionPages(/** @type {string} */ root) {
  const program = ts.createProgram(
    Object.values(entries).map(({ file }) => join(root, file)),
    { strict: true, types: [], lib: ['lib.es2023.d.ts'], module: ts.ModuleKind.NodeNext },
  );
  return Object.fromEntries(
    Object.entries(entries).map(([page, entry]) => [page, pageOf(root, page, entry, functionsOf(root, entry, program))]),
  );
}

function pageOf(
  /** @type {string} */ root,
  /** @type {string} */ page,
  /** @type {Entry} */ { folder, programs, head },
  /** @type {Map<string, Documented>} */ functions,
) {
  const left = new Map(functions);
  const sections = programs.map((name) => {
    const text = readFileSync(join(root, folder, `${name}.mjs`), 'utf8').replaceAll('\r\n', '\n');
    const [, title = '', rest = '', code = ''] = /^\/\/ ([^.:,]+)([^\n]*)\n(.*)$/s.exec(text) ?? [];
    // A function belongs to the first program that calls it.
    const own = new Set([...code.matchAll(/\w+\.\w+(?=\()/g)].map(([call]) => call).filter((call) => left.has(call)));
    const rows = [...own].map((call) => `| ${left.get(call)?.call} | ${left.get(call)?.meaning} |\n`);
    for (const call of own) left.delete(call);
    const words = rest.replace(/^[.:,] ?/, '');
    const intro = words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}\n\n`;
    return `## ${title}\n\n${intro}| function | what it returns |\n| --- | --- |\n${rows.join('')}\n\`\`\`js\n${code}\`\`\`\n`;
  });
  if (left.size === 0) return `${note}${head}\n\n${sections.join('\n')}`;
  throw new Error(`${page}: no program in ${folder} calls ${[...left.keys()].join(', ')}`);
}

/** The functions of a module by the names that programs call, such as `np.sum` and `fft.rfft`. */
function functionsOf(/** @type {string} */ root, /** @type {Entry} */ { file, alias }, /** @type {ts.Program} */ program) {
  const checker = program.getTypeChecker();
  /** @type {Map<string, Documented>} */
  const found = new Map();
  /** @type {Set<ts.Symbol>} */
  const seen = new Set();
  const visit = (/** @type {ts.Symbol} */ module, /** @type {string} */ prefix) => {
    const exports = checker.getExportsOfModule(module).map((exported) => {
      const { name, flags } = exported;
      return { name, symbol: flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported };
    });
    for (const { name, symbol } of exports) {
      // A function may be in a module of its own kind, too.
      if (seen.has(symbol) || !(symbol.flags & ts.SymbolFlags.Value) || symbol.flags & ts.SymbolFlags.ValueModule) continue;
      seen.add(symbol);
      found.set(`${prefix}.${name}`, documented(name, symbol));
    }
    for (const { name, symbol } of exports) if (symbol.flags & ts.SymbolFlags.ValueModule) visit(symbol, name);
  };
  const documented = (/** @type {string} */ name, /** @type {ts.Symbol} */ symbol) => {
    const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker));
    if (comment === '') throw new Error(`${file}: ${name} has no doc comment`);
    const signature = checker.getTypeOfSymbol(symbol).getCallSignatures().at(-1);
    const parameters = signature?.parameters.flatMap((parameter) => parametersOf(checker, parameter)) ?? [];
    return { call: `\`${name}(${parameters.join(', ')})\``, meaning: comment.replace(/\s+/g, ' ').replaceAll('|', '\\|') };
  };
  const source = program.getSourceFile(join(root, file));
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is no module`);
  visit(module, alias);
  return found;
}

/** The name of a parameter, those of a tuple, or the names of options in braces. @returns {string[]} */
function parametersOf(/** @type {ts.TypeChecker} */ checker, /** @type {ts.Symbol} */ parameter) {
  const shown = (/** @type {string} */ name, /** @type {ts.Type} */ type) => {
    if (name !== 'options' && name !== '__0') return [name];
    const names = checker.getNonNullableType(type).getProperties();
    return names.length === 0 ? [] : [`{ ${names.map((property) => property.name).join(', ')} }`];
  };
  const type = checker.getTypeOfSymbol(parameter);
  const declaration = parameter.valueDeclaration;
  const isRest = declaration !== undefined && ts.isParameter(declaration) && declaration.dotDotDotToken !== undefined;
  if (!isRest) return shown(parameter.name, type);
  if (!checker.isTupleType(type)) return [`...${parameter.name}`];
  const { labeledElementDeclarations: labels = [] } = /** @type {ts.TupleTypeReference} */ (type).target;
  const elements = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
  return elements.flatMap((element, i) => shown(labels[i]?.name.getText() ?? parameter.name, element));
}
