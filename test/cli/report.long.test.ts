/** `node-directml doctor --report` on this machine. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCli } from '../../checks/harness/run-cli.js';

const folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('has the findings, measurements and cases of each adapter, and no personal data', async () => {
  const file = join(folder, 'report.md');
  const { code, out } = await runCli(['doctor', '--report', file], { width: 80 });
  expect(code).toBe(0);
  expect(out).toMatch(/All is well.*\n\nThe report is in .*report\.md\.\n$/);
  const report = readFileSync(file, 'utf8');
  expect(report).toContain(`Node.js ${process.version.slice(1)} for ${process.platform}-${process.arch}`);
  if (process.platform === 'win32') {
    expect(report).toMatch(/DirectML\.dll 1\.15\.\d+\.\d+: …\\DirectML\.dll/);
    expect(report).toMatch(/## Adapter 1, .*: benchmark\n\n~~~~~text\nnode-directml .*\nDirectML 1\.15.*\n\n +time/);
    expect(report).toMatch(
      /## Adapter 1, .*: conformance\n\n~~~~~text\n[^~]*ok +scatterNd +3 cases[^~]*\n177 operators, 531 cases, 0 mis/,
    );
    expect(report).toMatch(/ok +two devices of .* at the same time: 96 cases, 0 mismatches/);
  }
  // Short names, such as `me`, may be parts of words.
  const personal = [homedir(), dirname(process.cwd()), process.cwd(), tmpdir(), folder, hostname(), `\\${userInfo().username}`];
  for (const text of personal.filter(({ length }) => length > 3)) expect(report).not.toContain(text);
});

it('says if the file cannot be written', async () => {
  const { code, error } = await runCli(['doctor', '--report', join(folder, 'missing', 'report.md')]);
  expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining('--report') });
});
