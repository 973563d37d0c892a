// Reads the texts of the rules. Each operator's rule has a doc comment in lib/operators/<family>/rule.ts, beside the code that it
// describes, and the reference pages take their text from there. `{@inheritDoc name}` in it inserts the doc comment of another
// declaration in scope, so sentences that several rules share are written once. The names of the strict rules that an operator's
// rule can throw are found by following its calls. If the name of a strict rule does not say what it refuses, the tag `@refused`
// of the check says it.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * `refused` says what the rule refuses, if its name does not say it.
 * @typedef {{ name: string, refused: string | null, reason: string }} StrictText
 * @typedef {{ sentences: string[], strict: StrictText[] }} RuleText
 */

/**
 * Returns the text of each operator's rule, by the operator's name.
 * @returns {Map<string, RuleText>}
 */
export function readRuleTexts(/** @type {string} */ lib) {
  const folder = join(lib, 'operators');
  const files = readdirSync(folder)
    .map((family) => join(folder, family, 'rule.ts'))
    .filter((file) => existsSync(file));
  const strictFile = join(lib, 'descriptors', 'strict.ts');
  const program = ts.createProgram([...files, strictFile], {
    // Only symbols are used, and they do not need TypeScript's standard library.
    noLib: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  const checker = program.getTypeChecker();
  const reasons = strictReasons(program.getSourceFile(strictFile));
  /** @type {Map<string, RuleText>} */
  const texts = new Map();
  for (const file of files) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    for (const symbol of module === undefined ? [] : checker.getExportsOfModule(module)) {
      const strict = [...strictRulesOf(symbol, checker)].map(([name, refused]) => ({
        name,
        refused,
        reason: reasons.get(name) ?? '',
      }));
      texts.set(symbol.name, { sentences: sentences(textOf(symbol, checker)), strict });
    }
  }
  return texts;
}

/**
 * Returns the doc comment of a constant, or else that of its initializer: another constant, or the function it calls.
 * @returns {string}
 */
function textOf(/** @type {ts.Symbol} */ symbol, /** @type {ts.TypeChecker} */ checker) {
  const target = unalias(symbol, checker);
  const own = ts.displayPartsToString(target.getDocumentationComment(checker));
  if (own !== '') return inherited(own, target, checker);
  const initializer = initializerOf(target);
  if (initializer === undefined) return '';
  const origin = ts.isCallExpression(initializer) ? initializer.expression : initializer;
  const next = ts.isIdentifier(origin) ? checker.getSymbolAtLocation(origin) : undefined;
  return next === undefined ? '' : textOf(next, checker);
}

/** Replaces each `{@inheritDoc name}` in the text by the text of that declaration. */
function inherited(/** @type {string} */ text, /** @type {ts.Symbol} */ owner, /** @type {ts.TypeChecker} */ checker) {
  return text.replaceAll(/\{@inheritDoc\s+(\w+)\}/g, (_, /** @type {string} */ name) => {
    const [source] = owner.declarations ?? [];
    const inScope = source === undefined ? [] : checker.getSymbolsInScope(source, ts.SymbolFlags.Value | ts.SymbolFlags.Type);
    const symbol = inScope.find((candidate) => candidate.name === name);
    const found = symbol === undefined ? '' : textOf(symbol, checker);
    if (found === '') throw new Error(`${owner.name}: {@inheritDoc ${name}} names nothing that has a doc comment`);
    return found;
  });
}

/**
 * Returns the names of the strict rules, each with the text of its check's tag `@refused`.
 * @returns {Map<string, string | null>}
 */
function strictRulesOf(/** @type {ts.Symbol} */ rule, /** @type {ts.TypeChecker} */ checker) {
  /** @type {Map<string, string | null>} */
  const names = new Map();
  /** @type {Set<ts.Symbol>} */
  const seen = new Set();
  visit(rule);
  return names;

  function visit(/** @type {ts.Symbol} */ symbol) {
    const target = unalias(symbol, checker);
    if (seen.has(target)) return;
    seen.add(target);
    const body = target.valueDeclaration;
    if (body !== undefined && /[\\/](rule|checks|axes)\.ts$/.test(body.getSourceFile().fileName)) walk(body);
  }

  function walk(/** @type {ts.Node} */ node) {
    if (ts.isCallExpression(node) && /^strict(ly)?$/.test(node.expression.getText())) {
      const name = node.arguments[0];
      if (name !== undefined && ts.isStringLiteral(name)) names.set(name.text, refusedBy(node.arguments[1], checker));
    }
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (symbol !== undefined) visit(symbol);
    ts.forEachChild(node, walk);
  }
}

/** Returns the text of the tag `@refused` of the function that `() => check(operator)` calls; null without the tag. */
function refusedBy(/** @type {ts.Expression | undefined} */ check, /** @type {ts.TypeChecker} */ checker) {
  if (check === undefined || !ts.isArrowFunction(check) || !ts.isCallExpression(check.body)) return null;
  const tags = checker.getSymbolAtLocation(check.body.expression)?.getJsDocTags(checker) ?? [];
  const tag = tags.find(({ name }) => name === 'refused');
  return tag === undefined ? null : ts.displayPartsToString(tag.text);
}

/** Reads the names and reasons in `strictRules`. */
function strictReasons(/** @type {ts.SourceFile | undefined} */ source) {
  /** @type {Map<string, string>} */
  const reasons = new Map();
  if (source !== undefined) ts.forEachChild(source, walk);
  return reasons;

  function walk(/** @type {ts.Node} */ node) {
    if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer)) {
      reasons.set(node.name.getText().replaceAll("'", ''), node.initializer.text);
    }
    ts.forEachChild(node, walk);
  }
}

function unalias(/** @type {ts.Symbol} */ symbol, /** @type {ts.TypeChecker} */ checker) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function initializerOf(/** @type {ts.Symbol} */ symbol) {
  const declaration = symbol.valueDeclaration;
  return declaration !== undefined && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
}

/** @returns {string[]} */
function sentences(/** @type {string} */ text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? [] : line.split(/(?<=\.) (?=[A-Z`])/);
}
