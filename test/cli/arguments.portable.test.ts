/** Help, wrong arguments, exit codes, and output into a pipe. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { runCli, spawnCli } from '../../checks/harness/run-cli.js';

// eslint-disable-next-line no-control-regex -- the escape character begins each color sequence
const escape = /\x1b/;
const commands = ['doctor', 'adapters', 'operators', 'run', 'conformance'];
const manifest: { version: string } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

describe('help', () => {
  it.each([['--help'], ['-h'], ['help']])('%s lists the commands', async (argument) => {
    const { code, out } = await runCli([argument]);
    expect(code).toBe(0);
    for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command} +[A-Z]`, 'm'));
  });

  it('is also shown without a command, as an error', async () => {
    expect(await runCli([])).toMatchObject({ code: 2, out: expect.stringContaining('Commands') });
  });

  it.each(commands)('of %s can be asked for in three ways', async (command) => {
    const { code, out } = await runCli([command, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`node-directml ${command}`);
    expect(out).toMatch(/--json +print JSON/);
    expect(out).toContain('Exit codes: 0');
    expect(await runCli([command, '-h'])).toMatchObject({ code: 0, out });
    expect(await runCli(['help', command])).toMatchObject({ code: 0, out });
  });

  it.each([40, 80, 120])('fits a terminal of %i characters', async (width) => {
    for (const command of commands) {
      const { out } = await runCli([command, '--help'], { width });
      // Examples keep their layout, and a long word is not cut.
      const lines = out.split('\n').filter((line) => !line.startsWith('  ') && line.includes(' '));
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(width);
    }
  });
});

describe('wrong arguments', () => {
  it.each([
    [['docter'], "no command 'docter' (did you mean 'doctor'?)"],
    [['devices'], "no command 'devices' (did you mean 'adapters'?)"],
    [['zzz'], "no command 'zzz' (there are: doctor, adapters"],
    [['--jsn'], "no option '--jsn' (there are: --help, --version)"],
    [['--versoin'], "no option '--versoin' (did you mean '--version'?)"],
    [['doctor', '--jsn'], "no option --jsn (did you mean '--json'?)"],
    [['doctor', '-x'], 'no option -x'],
    [['doctor', '--constructor'], 'no option --constructor'],
    [['doctor', '--json=yes'], '--json takes no value'],
    [['doctor', 'now'], "doctor takes no argument 'now'"],
    [['help', 'docter'], "did you mean 'doctor'?"],
  ])('%j', async (args, message) => {
    const { code, out, error } = await runCli(args, { width: 120 });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(message);
    expect(error).toContain('node-directml --help');
  });
});

test('as a process: prints the version, sets exit codes, and prints no colors into a pipe', async () => {
  const all = await Promise.all([['--version'], ['doctr'], ['--help']].map((args) => spawnCli(args, { FORCE_COLOR: '1' })));
  expect(all.map(({ code }) => code)).toEqual([0, 2, 0]);
  expect(all[0]?.out.trim()).toBe(manifest.version);
  for (const { out, error } of all) expect(out + error).not.toMatch(escape);
});

test('prints colors on a terminal', async () => {
  expect((await runCli(['--help'], { hasColors: true })).out).toMatch(escape);
});
