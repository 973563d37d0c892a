/** `node-directml doctor --report` on this machine. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCli } from '../../checks/harness/run-cli.js';

const folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('has the findings, measurements and cases of each adapter, and no personal data', async () => {
  const file = join(folder, 'report.json');
  const { code, out } = await runCli(['doctor', '--report', file], { width: 80 });
  expect(code).toBe(0);
  expect(out).toMatch(/All is well.*\n\nThe report is in .*report\.json\.\n$/);
  const text = readFileSync(file, 'utf8');
  const { findings, adapters } = JSON.parse(text);
  expect(findings.join('\n')).toContain(`Node.js ${process.version.slice(1)} for ${process.platform}-${process.arch}`);
  if (process.platform === 'win32') {
    expect(findings.join('\n')).toMatch(/DirectML\.dll 1\.15\.\d+\.\d+: …\\DirectML\.dll/);
    expect(adapters[0]).toMatchObject({ directmlVersion: expect.stringMatching(/^1\.15/), failures: [] });
    expect(adapters[0].bench.length).toBeGreaterThan(10);
    expect(adapters[0].models.rows).toHaveLength(5);
    expect(adapters[0].conformance).toMatchObject({ seed: 1, operators: 177, cases: 531, mismatches: 0 });
    expect(adapters[0].conformance.together[0]).toMatchObject({ cases: 96, mismatches: 0 });
  } else expect(adapters).toEqual([]);
  // Short names, such as `me`, may be parts of words.
  const personal = [homedir(), dirname(process.cwd()), process.cwd(), tmpdir(), folder, hostname(), `\\${userInfo().username}`];
  for (const name of personal.filter(({ length }) => length > 3)) expect(text).not.toContain(JSON.stringify(name).slice(1, -1));
});

it('says if the file cannot be written', async () => {
  const { code, error } = await runCli(['doctor', '--report', join(folder, 'missing', 'report.json')]);
  expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining('--report') });
});
