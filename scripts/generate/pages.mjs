// Writes docs/operators/: a reference page for each operator.
import { join } from 'node:path';
import { note } from './banner.mjs';
import { anchorOf, differencesOf, readDifferences } from './differences.mjs';
import { readExamples } from './examples.mjs';
import { leavingOutWhatIsFilledIn } from './filled-in.mjs';
import { gradientSection, gradientsOf, gradientsPage } from './gradients.mjs';
import { indexPage } from './index-page.mjs';
import { alsoKnownAs } from './other-names.mjs';
import { exampleProgram } from './page-example.mjs';
import { fieldsTable, inPlaceSentence, tensorsTable, valuesSection } from './page-fields.mjs';
import { readRuleTexts } from './rule-texts.mjs';
import { stemOf, versionsOf, whichVersion } from './versions.mjs';

/** @typedef {import('./facts.mjs').Facts} Facts */
/** @typedef {import('./facts.mjs').Operator} Operator */
/**
 * @typedef {{ facts: Facts, rules: Map<string, import('./rule-texts.mjs').RuleText>,
 *   differences: import('./differences.mjs').Difference[], examples: Map<string, import('./examples.mjs').Example>,
 *   withoutFilledIn: import('./filled-in.mjs').LeaveOut, gradients: Map<string, import('./gradients.mjs').Gradient> }} Sources
 */

/**
 * Returns the text of each page by its path.
 * @returns {Promise<Record<string, string>>}
 */
export async function pageFiles(/** @type {string} */ root, /** @type {Facts} */ facts) {
  const examples = await readExamples(join(root, 'checks', 'operators'));
  const gradients = await gradientsOf(root, facts, examples);
  /** @type {Sources} */
  const sources = {
    facts,
    rules: readRuleTexts(join(root, 'lib')),
    differences: readDifferences(join(root, 'docs/differences.md')),
    examples,
    gradients,
    withoutFilledIn: await leavingOutWhatIsFilledIn(),
  };
  const pages = facts.operators.map((operator) => [`docs/operators/${operator.name}.md`, pageOf(operator, sources)]);
  return {
    'docs/operators/README.md': indexPage(facts),
    'docs/guides/gradients.md': gradientsPage(root, gradients),
    ...Object.fromEntries(pages),
  };
}

/** @returns {string} */
function pageOf(/** @type {Operator} */ operator, /** @type {Sources} */ sources) {
  const { name, nativeName, value, since, url, family, summary } = operator;
  const which = whichVersion(operator, sources.facts.operators);
  const parts = [
    `${note}# ${name}\n\n${summary}\n\n${which === '' ? '' : `${which}\n\n`}` +
      `\`DML_OPERATOR_${nativeName}\` (${value}), from feature level ${since} on · [Microsoft's page](${url}) · ` +
      `[${family}](README.md#${anchorOf(family)})\n`,
    alsoKnownAs(operator),
    exampleOf(operator, sources),
    `## Fields\n\n${fieldsTable(operator, sources.facts.enums)}`,
    valuesSection(operator, sources.facts.enums),
    explanationOf(operator),
    `## Tensors\n\n${tensorsTable(operator)}`,
    inPlaceOf(operator),
    rulesOf(operator, sources),
    fusionOf(operator),
    gradientSection(sources.gradients.get(name)),
    differencesSection(operator, sources),
    seeAlso(operator, sources),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** @returns {string} */
function explanationOf(/** @type {Operator} */ { explanation }) {
  return explanation === undefined ? '' : `## Computation\n\n${explanation.map((line) => `- ${line}\n`).join('')}`;
}

function rulesOf(/** @type {Operator} */ operator, /** @type {Sources} */ { rules, facts }) {
  const { name } = operator;
  const { sentences = [], strict = [] } = rules.get(name) ?? {};
  if (sentences.length === 0) {
    throw new Error(`${name}: its rule has no doc comment, from which the page takes its Rules`);
  }
  const items = [
    ...sentences.filter((sentence) => isAbout(operator, sentence, facts)),
    ...strict.map(({ name: rule, refused, reason }) => {
      const what = refused === null ? '' : ` (${refused})`;
      return `Stricter than DirectML on purpose, \`${rule}\`${what}: ${reason}.`;
    }),
    'The rules for [every tensor](README.md#every-tensor) apply too.',
  ];
  return `## Rules\n\n${items.map((item) => `- ${item}\n`).join('')}`;
}

/** False if the sentence names a field that the operator lacks. Operators with different fields may share a rule. */
function isAbout(/** @type {Operator} */ { fields }, /** @type {string} */ sentence, /** @type {Facts} */ { operators }) {
  const named = [...sentence.matchAll(/`(\w+)[^`]*`/g)].map(([, name]) => name);
  const isField = (/** @type {string | undefined} */ name) =>
    operators.some((operator) => operator.fields.some((field) => field.name === name));
  return named.every((name) => !isField(name) || fields.some((field) => field.name === name));
}

function exampleOf(/** @type {Operator} */ operator, /** @type {Sources} */ { examples, withoutFilledIn }) {
  const example = examples.get(operator.name);
  if (example === undefined) throw new Error(`${operator.name}: no example for its page in checks/operators`);
  const short = { ...example, descriptor: withoutFilledIn(operator, example.descriptor) };
  return `## Example\n\n\`\`\`ts\n${exampleProgram(operator, short)}\`\`\`\n`;
}

function inPlaceOf(/** @type {Operator} */ operator) {
  const sentence = inPlaceSentence(operator);
  if (sentence === null) return '';
  return `## In place\n\n${sentence} if [both have the same layout](README.md#in-place).\n`;
}

function fusionOf(/** @type {Operator} */ { fusion }) {
  if (fusion === undefined) return '';
  const hosts = fusion.into?.map((host) => `[${host}](${host}.md)`).join(', ');
  const into = hosts === undefined ? 'every operator that has a field for an activation' : hosts;
  const fused = '[fused](README.md#activations-that-can-be-fused)';
  return `## Fused\n\nFrom feature level ${fusion.since} on, it can be ${fused} into ${into}.\n`;
}

/** Returns the rows of docs/differences.md about the operator, by section, with a link to each section. */
function differencesSection(/** @type {Operator} */ { name }, /** @type {Sources} */ { differences }) {
  const own = differencesOf(name, differences);
  if (own.length === 0) return '';
  const tables = [...new Set(own.map(({ section }) => section))].map((section) => {
    const rows = own.filter((row) => row.section === section).map(({ cells }) => `| ${cells.join(' | ')} |\n`);
    return `[${section}](../differences.md#${anchorOf(section)}):

| what | documentation | DirectML | this package |
| --- | --- | --- | --- |
${rows.join('')}`;
  });
  return `## Differences

DirectML differs from Microsoft's page, or from what one may expect. Of the [differences](../differences.md), these rows are about
${name}.

${tables.join('\n')}`;
}

/** Links related operators: the name of a gradient has "Grad". */
function seeAlso(/** @type {Operator} */ operator, /** @type {Sources} */ { facts }) {
  const forward = (/** @type {string} */ name) => stemOf(name.replace('Grad', ''));
  const link = (/** @type {Operator} */ { name, since }) => `[${name}](${name}.md) (level ${since})`;
  const versions = versionsOf(operator, facts.operators).filter((other) => other !== operator);
  const kin = facts.operators.filter(
    ({ name }) => stemOf(name) !== stemOf(operator.name) && forward(name) === forward(operator.name),
  );
  const lines = [];
  if (versions.length > 0) {
    lines.push(`Other versions of the operator: ${versions.map(link).join(', ')}.\n`);
  }
  if (kin.length > 0) {
    const what = operator.name.includes('Grad') ? 'It is a gradient of' : 'Its gradients';
    lines.push(`${what}: ${kin.map(link).join(', ')}.\n`);
  }
  return lines.length === 0 ? '' : `## See also\n\n${lines.join('\n')}`;
}
