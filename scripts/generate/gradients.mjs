// Says of each operator by which operators its gradient is computed, or why it has none. Asks the rules themselves: adds the
// example of the operator's page to a graph, and its gradient, and looks which nodes there are then.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadModules } from './load-module.mjs';

/** @typedef {import('../../lib/descriptors/generated/descriptors.js').OperatorType} OperatorType */
/**
 * Its operators and refusals, or why there is none.
 * @typedef {{ by: readonly string[], not: readonly string[] } | string} Gradient
 */

const place = /(?<=<!-- gradients: made by npm run generate -->\n)[^]*(?=<!-- end of gradients -->)/;
const copies = ['elementWiseIdentity'];
const dataTypes = [
  'float32',
  'float16',
  'float64',
  'uint64',
  'uint32',
  'uint16',
  'uint8',
  'uint4',
  'int64',
  'int32',
  'int16',
  'int8',
  'int4',
];

/**
 * Loads the rules, and with them generated files: call it after those are written.
 * @returns {Promise<Map<string, Gradient>>}
 */
export async function gradientsOf(
  /** @type {string} */ root,
  /** @type {import('./facts.mjs').Facts} */ facts,
  /** @type {Map<string, import('./examples.mjs').Example>} */ examples,
) {
  const files = ['api/graphs/graph.ts', 'gradients/backward.ts', 'gradients/rule-of.ts', 'values/errors.ts'];
  const [{ Graph }, { backward }, { gradientRuleOf }, { DirectMLError }] =
    /** @type {[typeof import('../../lib/api/graphs/graph.js'), typeof import('../../lib/gradients/backward.js'), typeof import('../../lib/gradients/rule-of.js'), typeof import('../../lib/values/errors.js')]} */ (
      await loadModules(...files.map((name) => join(root, 'lib', name)))
    );

  /** @returns {Gradient} */
  const gradientOf = (/** @type {string} */ name) => {
    const rule = gradientRuleOf(/** @type {OperatorType} */ (name));
    const example = examples.get(name);
    if (typeof rule === 'string' || example === undefined) return String(rule);
    const context = { featureLevel: '6.4', backend: { info: { tensorDataTypes: dataTypes } } };
    const graph = new Graph(/** @type {any} */ (context));
    const { descriptor, values } = withValues(graph, example);
    const outputs = Object.values(graph.addAny(descriptor)).flat().filter(isFloat);
    /** @type {Set<string>} */
    const by = new Set();
    /** @type {Set<string>} */
    const not = new Set();
    const add = graph.addAny.bind(graph);
    graph.addAny = (given) => {
      by.add(/** @type {{ type: string }} */ (given).type);
      return add(given);
    };
    for (const [i, output] of outputs.entries()) {
      const { dataType, sizes } = output;
      const gradient = graph.input(`gradient ${i}`, { dataType, sizes });
      for (const value of values.filter(isFloat)) {
        try {
          backward(graph, output, gradient, [value]);
        } catch (error) {
          if (!(error instanceof DirectMLError)) throw error;
          not.add(error.message.replace(/^.*? has no gradient: |; stopGradient.*$/g, ''));
        }
      }
    }
    return { by: [...by].filter((type) => !copies.includes(type)).sort(), not: [...not] };
  };
  return new Map(facts.operators.map(({ name }) => [name, gradientOf(name)]));
}

/** The descriptor of an example with inputs of the graph in it. */
function withValues(
  /** @type {import('../../lib/api/graphs/graph.js').Graph} */ graph,
  /** @type {import('./examples.mjs').Example} */ { descriptor, inputs },
) {
  /** @type {import('../../lib/graph/value.js').Value[]} */
  const values = [];
  const input = (/** @type {string} */ name, /** @type {any} */ desc) => {
    const { dataType, sizes } = desc;
    const value = graph.input(name, { dataType, sizes });
    values.push(value);
    return value;
  };
  const tensors = Object.keys(inputs).flatMap((name) => /** @type {any} */ (descriptor[name]));
  // Examples of arithmetic are of integers.
  const isOfIntegers = !tensors.some(isFloat);
  const asFloats = (/** @type {any} */ value) => {
    if (dataTypes.includes(value)) return 'float32';
    return value?.dataType ? { ...value, dataType: 'float32' } : value;
  };
  const fields = Object.entries(descriptor).map(([field, given]) => {
    const value = isOfIntegers ? asFloats(given) : given;
    if (!Object.hasOwn(inputs, field)) return [field, value];
    const list = Array.isArray(value) ? value.map((desc, i) => input(`${field} ${i}`, desc)) : input(field, value);
    return [field, list];
  });
  return { descriptor: Object.fromEntries(fields), values };
}

function isFloat(/** @type {{ readonly dataType: string }} */ { dataType }) {
  return dataType.startsWith('float');
}

/** The section of an operator's page. @returns {string} */
export function gradientSection(/** @type {Gradient | undefined} */ gradient) {
  if (gradient === undefined) return '';
  const link = (/** @type {string} */ name) => `[${name}](${name}.md)`;
  const what = typeof gradient === 'string' ? `None: ${gradient}.` : sentenceOf(gradient, link);
  return `## Gradient\n\n${what} See [gradients](../guides/gradients.md).\n`;
}

/** @returns {string} */
function sentenceOf(/** @type {Exclude<Gradient, string>} */ { by, not }, /** @type {(name: string) => string} */ link) {
  const how = by.length === 0 ? 'Handed on as it is.' : `Computed by ${by.map(link).join(', ')}.`;
  return [how, ...not.map((why) => `Not of all inputs or forms: ${why}.`)].join(' ');
}

/** Returns docs/guides/gradients.md with the present tables. @returns {string} */
export function gradientsPage(/** @type {string} */ root, /** @type {Map<string, Gradient>} */ gradients) {
  const text = readFileSync(join(root, 'docs/guides/gradients.md'), 'utf8').replaceAll('\r\n', '\n');
  if (!place.test(text)) throw new Error('docs/guides/gradients.md has no place for the tables');
  /** @type {Map<string, string[]>} */
  const none = new Map();
  for (const [name, gradient] of gradients) {
    if (typeof gradient === 'string') none.set(gradient, [...(none.get(gradient) ?? []), name]);
  }
  const reasons = [...none].map(([why, names]) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${why} |\n`);
  const link = (/** @type {string} */ name) => `[${name}](../operators/${name}.md)`;
  const rows = [...gradients].flatMap(([name, gradient]) =>
    typeof gradient === 'string' ? [] : [`| ${link(name)} | ${sentenceOf(gradient, (other) => `\`${other}\``)} |\n`],
  );
  return text.replace(
    place,
    () => `
| operators without a gradient | why |
| --- | --- |
${reasons.join('')}
::: details The gradients of the other ${rows.length} operators, in the form that their pages show

| operator | gradient |
| --- | --- |
${rows.join('')}
:::

`,
  );
}
