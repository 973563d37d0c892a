/** `node-directml operators`: the list, and an operator by any of its names. */
import { describe, expect, it } from 'vitest';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { readMarkdown, renderMarkdown } from '#lib/cli/markdown.js';
import { runCli } from '../../checks/harness/run-cli.js';

const names = Object.keys(operatorTable);

describe('the list', () => {
  it('has every operator once, with its family, summary and feature level', async () => {
    const { code, out } = await runCli(['operators', '--json']);
    expect(code).toBe(0);
    const list: { name: string; family: string; summary: string; since: string }[] = JSON.parse(out);
    expect(list.map(({ name }) => name).sort()).toEqual(names.toSorted());
    for (const { family, summary, since } of list) {
      expect(family).toMatch(/^[A-Z]/);
      expect(summary).toMatch(/^[A-Z].*\.$/);
      expect(since).toMatch(/^\d\.\d$/);
    }
  });

  it('groups operators by family and fits the terminal', async () => {
    const { code, out } = await runCli(['operators'], { width: 80 });
    expect(code).toBe(0);
    expect(out).toMatch(/^Matrix products\n {2}gemm +Multiplies matrices/m);
    expect(out).toContain(`${Object.keys(operatorTable).length} operators.`);
    for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  });
});

describe('an operator', () => {
  it('is shown with its fields, defaults, rules and an example', async () => {
    const { code, out, error } = await runCli(['operators', 'gemm'], { width: 110 });
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toMatch(/^gemm\n\nMultiplies matrices/);
    expect(out).toMatch(/ alpha +number +default: 1 /);
    expect(out).toMatch(/^Rules\n {2}- /m);
    expect(out).toMatch(/^Example\n {2}import \{ createDevice \}[^]*^Fields\n/m);
    expect(out).not.toMatch(/\]\(|\*\*|<!--|```/);
  });

  it.each(['MatMul', 'torch.matmul', 'np.dot', 'DML_OPERATOR_GEMM', 'GEMM', 'gemn'])('%s is gemm', async (name) => {
    const { code, out, error } = await runCli(['operators', name, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ name: 'gemm' });
    expect(error).toBe(`'${name}' is gemm in DirectML.\n\n`);
  });

  it.each([
    ['resample', 0, ''],
    ['torch.argsort', 0, "'torch.argsort' is topK"],
    ['Pool', 2, 'there are: averagePooling,'],
    ['ReduceMean', 0, "'ReduceMean' is reduce"],
    ['constructor', 2, "no operator 'constructor'"],
    ['zzzz', 2, 'node-directml operators lists all'],
  ])('%s: exit code %i', async (name, code, message) => {
    const printed = await runCli(['operators', name]);
    expect(printed.code).toBe(code);
    expect(printed.error).toContain(message);
  });

  it('is described in JSON', async () => {
    const { out } = await runCli(['operators', 'gemm', '--json']);
    const facts = JSON.parse(out);
    expect(facts).toMatchObject({ name: 'gemm', value: 54, since: '1.0', summary: expect.stringContaining('Multiplies') });
    expect(facts.rules.length).toBeGreaterThan(3);
    expect(facts.example).toContain('await gemm(');
    const fields = new Map(facts.fields.map((field: { name: string }) => [field.name, field]));
    expect(fields.get('transA')).toMatchObject({
      kind: 'enum',
      values: ['none', 'transpose'],
      needed: expect.stringContaining('none'),
    });
    expect(fields.get('cTensor')).toMatchObject({ role: 'input', optional: true, type: '`TensorDesc`' });
  });

  it('has a summary, fields, rules and an example in JSON, whichever it is', async () => {
    for (const name of names) {
      const { code, out } = await runCli(['operators', name, '--json']);
      const facts = JSON.parse(out);
      expect(code).toBe(0);
      expect(facts).toMatchObject({ name, summary: expect.any(String), rules: expect.any(Array), example: expect.any(String) });
      for (const field of facts.fields)
        expect(field, `${name}.${field.name}`).toMatchObject({ type: expect.any(String), needed: expect.any(String) });
    }
  });
});

describe('Markdown', () => {
  const terminal = { width: 40, hasColors: false, out: () => {}, error: () => {}, progress: () => {} };
  const page = `<!-- A note. -->
# title

Text with \`code\` and a [link](other.md) that goes on
over a line, and [another](https://example.org).

## Table

| name | meaning |
| --- | --- |
| \`a\` | one \\| two |
| \`longer\` | a text that does not fit into forty characters |

- first
- second, which is **bold**

\`\`\`js
if (x) {

  y();
}
\`\`\`
`;

  it('is wrapped to the width of the terminal', () => {
    expect(renderMarkdown(readMarkdown(page), terminal)).toBe(`title

Text with code and a link that goes on
over a line, and another
(https://example.org).

Table
  name    meaning
  a       one | two
  longer  a text that does not fit into
          forty characters

  - first
  - second, which is bold

  if (x) {

    y();
  }`);
  });

  it('puts the last column of a table on a line of its own if it does not fit beside the others', () => {
    const table = '| a | b | c |\n| --- | --- | --- |\n| `aaaaaaaaaaaaaaa` | `bbbbbbbbbbbbb` | some words about it |';
    expect(renderMarkdown(readMarkdown(table), terminal)).toBe(`  a  b
      c
  aaaaaaaaaaaaaaa  bbbbbbbbbbbbb
      some words about it`);
  });
});
