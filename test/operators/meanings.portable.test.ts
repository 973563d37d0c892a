/** Every field and every member of an enum has a sentence that says what it means, in hover texts and on the operator's page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { enums } from '#lib/tensors/generated/enums.js';
import type { Family, FieldFacts } from '../../lib/descriptors/facts.js';
import { readFacts, written, type Field } from '../../lib/operators/read.js';
import { operators, sentences } from '../support/meanings.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8').replaceAll('\r\n', '\n');
const inCell = (text: string) => text.replaceAll('|', '\\|');

/** The facts, with changes to those of the family scan. */
const withScan = (changed: Partial<Family>) => {
  const scan: Family = { operators: {}, ...written.families['scan'], ...changed };
  return { ...written, families: { ...written.families, scan } };
};

test.each<[string, Partial<FieldFacts>, string]>([
  ['axis', { countField: 'count' }, 'there is no count'],
  ['axis', { default: { rule: 'last axis', of: 'input', source: [] } }, 'there is no input'],
  ['inputTensor', { inPlace: ['outputTensor'] }, 'is no output'],
  ['outputTensor', { inPlace: ['axis'] }, 'axis is no input'],
  ['inputTensor', { support: { '2.1': ['1-8', ['float32']] } }, 'no range of dimension counts: 1-8'],
  ['inputTensor', { support: { '6.0': ['4', ['float32']] } }, 'has no support at feature level'],
  ['inputTensor', { support: { '1.0': ['4', ['float32']], '3.0': ['4', ['float32']] } }, 'the highest level comes first'],
  ['outputTensor', { support: 'axis' }, 'has no support'],
  ['axis', { meaning: 'An axis' }, 'the meaning of cumulativeSummation.axis is no sentence: An axis'],
])('a mistake in the facts about %s is refused: %j', (name, mistake, message) => {
  const { operators: members = {}, ...family } = written.families['scan'] ?? {};
  const operator = members['cumulativeSummation'];
  const field = operator?.fields?.[name];
  if (operator === undefined || field === undefined) throw new Error(`no ${name}`);
  const fields = { ...operator.fields, [name]: { ...field, ...mistake } };
  const changed = { ...family, operators: { ...members, cumulativeSummation: { ...operator, fields } } };
  expect(() => readFacts(withScan(changed))).toThrow(message);
});

test.each([{ under: 'Scans' }, { after: 'scan' }, { after: 'cumulativeProduct' }])(
  'an operator listed %j is refused',
  (listed) => {
    const { operators: members = {} } = written.families['scan'] ?? {};
    const operators = Object.fromEntries(
      Object.entries(members).map(([name, facts], i) => [name, i === 0 ? { ...facts, listed } : facts]),
    );
    expect(() => readFacts(withScan({ operators }))).toThrow('cumulativeSummation is under no heading');
  },
);

describe('the sentences', () => {
  test('are required: a missing one is an error', () => {
    const { epsilon: _epsilon, ...meanings } = written.meanings;
    expect(() => readFacts({ ...written, meanings })).toThrow(/^\w+\.epsilon has no meaning$/);
    const enums = { ...written.enums, PaddingMode: { members: { wrap: { value: 3 } } } };
    expect(() => readFacts({ ...written, enums })).toThrow('PaddingMode.wrap has no meaning');
  });

  test('are refused if nothing uses them', () => {
    const meanings = { ...written.meanings, depth: 'A depth.' };
    expect(() => readFacts({ ...written, meanings })).toThrow('nothing uses the meaning of depth');
    expect(() => readFacts(withScan({ meanings: { depth: 'A depth.' } }))).toThrow('nothing uses the meaning of scan: depth');
  });

  test('are one short sentence each that says more than the name', () => {
    const bad = [...sentences].filter(([key, text]) => {
      const name = key.replace(/^.*\./, '').replace(/Tensors?$/, '');
      const said = text.replaceAll(/^(?:The|An?) |\W/g, '');
      return !/^[A-Z0-9].*\.$/.test(text) || /\. [A-Z]/.test(text) || said.toLowerCase() === name.toLowerCase();
    });
    expect(bad).toEqual([]);
    const long = [...new Set(sentences.values())].filter((text) => text.length > 140);
    expect(long.length).toBeLessThan(12);
  });
});

/** The doc comment of each member of an interface, and of each type, by name: `'GemmDescriptor.alpha'`, `'PaddingMode'`. */
function docsIn(room: string, file: string): Map<string, string> {
  const docs = new Map<string, string>();
  const source = ts.createSourceFile(file, read('lib', room, 'generated', file), ts.ScriptTarget.ES2022, true);
  const docOf = (node: ts.Node) => ts.getJSDocCommentsAndTags(node).map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? '');
  for (const node of source.statements) {
    if (!ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node)) continue;
    docs.set(node.name.text, docOf(node).join('\n'));
    for (const member of ts.isInterfaceDeclaration(node) ? node.members : []) {
      docs.set(`${node.name.text}.${member.name?.getText(source)}`, docOf(member).join('\n'));
    }
  }
  return docs;
}

/** The members that an enum field takes; none for data types. */
const membersOf = ({ enumName, taken }: Field): readonly string[] =>
  enumName === undefined || enumName === 'DataType' ? [] : (taken ?? Object.keys(enums[enumName].values));

describe('hover texts', () => {
  const docs = docsIn('descriptors', 'descriptors.ts');
  const interfaceOf = (type: string) => `${type.charAt(0).toUpperCase()}${type.slice(1)}Descriptor`;

  test('of a descriptor and of its type have the summary of the operator', () => {
    for (const { name, summary } of operators) {
      expect(docs.get(`${interfaceOf(name)}.type`)).toBe(summary);
      expect(docs.get(interfaceOf(name))).toContain(`${summary}\n`);
    }
  });

  test('of a field have its sentence and the sentences of its values', () => {
    const missing = operators.flatMap(({ name: type, fields }) =>
      fields.flatMap((field) => {
        const { name, counts, enumName } = field;
        const doc = docs.get(`${interfaceOf(type)}.${name}`) ?? '';
        if (counts !== undefined) return doc.startsWith('Number of elements of ') ? [] : [`${type}.${name}`];
        const keys = [`${type}.${name}`, ...membersOf(field).map((member) => `${enumName}.${member}`)];
        return keys.filter((key) => !doc.includes(sentences.get(key) ?? 'no sentence')).map((key) => `${type}.${name}: ${key}`);
      }),
    );
    expect(missing).toEqual([]);
  });

  test('of an enum have the sentences of its members', () => {
    const types = docsIn('tensors', 'enums.ts');
    const missing = [...sentences].filter(([key, text]) => {
      const [name = '', member = ''] = key.split('.');
      return Object.hasOwn(enums, name) && !new RegExp(`'${member}'.*: `).test(types.get(name)?.split(text)[0] ?? '');
    });
    expect(missing).toEqual([]);
    expect(types.get('FeatureLevel')).toContain("- `'2.0'`: 18 more operators.");
  });
});

describe('pages', () => {
  test.each(operators)('$name', ({ name: type, fields }) => {
    const page = read('docs', 'operators', `${type}.md`);
    for (const field of fields) {
      const { name, counts, enumName } = field;
      const row = new RegExp(`^\\| \`${name}\` \\| .*$`, 'm').exec(page)?.[0] ?? '';
      expect(row).toContain(counts === undefined ? inCell(sentences.get(`${type}.${name}`) ?? 'no sentence') : 'The length of ');
      for (const member of membersOf(field)) {
        expect(row).toContain(`\`'${member}'\``);
        expect(page).toContain(inCell(sentences.get(`${enumName}.${member}`) ?? 'no sentence'));
      }
    }
  });

  test('have the explanation of the operator', () => {
    for (const { name, explanation } of operators) {
      const section = `## Computation\n\n${(explanation ?? []).map((text) => `- ${text}\n`).join('')}`;
      if (explanation !== undefined) expect(read('docs', 'operators', `${name}.md`)).toContain(section);
    }
  });

  test('of all operators have data types, flags and feature levels', () => {
    const page = read('docs', 'operators', 'README.md');
    for (const name of ['DataType', 'TensorFlags'] as const) {
      for (const member of Object.keys(enums[name].values)) {
        expect(page).toContain(`| \`'${member}'\` | ${sentences.get(`${name}.${member}`)} |`);
      }
    }
    for (const level of Object.keys(enums.FeatureLevel.values))
      expect(page).toMatch(new RegExp(`^\\| ${level} \\| .*operator`, 'm'));
  });
});
