/** What a save leaves as it was, and what it leaves behind. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { saveNpy, saveSafetensors } from 'node-directml/files';
import { deviceOn } from '../support/devices.js';
import { gist, rejected } from '../support/errors.js';

const device = deviceOn('reference');
const all = mkdtempSync(join(tmpdir(), 'node-directml-saving-'));
afterAll(() => rmSync(all, { recursive: true }));

const isWindows = process.platform === 'win32';
const program = fileURLToPath(new URL('interrupted-save.mjs', import.meta.url));
let folder = '';
let count = 0;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = join(all, `${count++}`);
  mkdirSync(folder);
});

/** The path of a link; null where links cannot be made: Windows needs a privilege for that, and the sandbox has none. */
function link(target: string, name: string): string | null {
  try {
    symlinkSync(target, at(name));
  } catch {
    return null;
  }
  if (lstatSync(at(name), { throwIfNoEntry: false })?.isSymbolicLink() === true) return at(name);
  // In the sandbox, a link to a file that is missing becomes another file, without an error.
  rmSync(at(name), { force: true, recursive: true });
  return null;
}

function tensor() {
  return device().createTensor({ dataType: 'uint8', sizes: [3] }, [1, 2, 3]);
}

/** The last bytes of a file that {@link tensor} was saved in. */
function saved(name: string): number[] {
  return [...readFileSync(at(name)).subarray(-3)];
}

describe('what was there', () => {
  test.each([0o600, 0o640, 0o664, 0o755])('a file keeps its permissions, %i', async (mode) => {
    writeFileSync(at('a.npy'), 'before');
    chmodSync(at('a.npy'), mode);
    // Windows has fewer.
    const before = statSync(at('a.npy')).mode;
    await saveNpy(at('a.npy'), tensor());
    expect([saved('a.npy'), statSync(at('a.npy')).mode]).toEqual([[1, 2, 3], before]);
    await saveSafetensors(at('a.npy'), { x: tensor() });
    expect([saved('a.npy'), statSync(at('a.npy')).mode]).toEqual([[1, 2, 3], before]);
  });

  test('nobody else can read a file while it replaces a private one', async () => {
    writeFileSync(at('a.npy'), 'before');
    chmodSync(at('a.npy'), 0o600);
    const modes = new Set<number>();
    const onProgress = () => {
      for (const name of readdirSync(folder)) modes.add(statSync(at(name)).mode);
    };
    await saveNpy(at('a.npy'), tensor(), { onProgress });
    expect([...modes]).toEqual([statSync(at('a.npy')).mode]);
  });

  test('a file keeps its owner', async () => {
    const { uid, gid } = statSync(folder);
    // Only an administrator may give files away.
    const owner = uid === 0 && !isWindows ? [1234, 4321] : [uid, gid];
    writeFileSync(at('a.npy'), 'before');
    chownSync(at('a.npy'), owner[0] ?? 0, owner[1] ?? 0);
    await saveNpy(at('a.npy'), tensor());
    const { uid: newUid, gid: newGid } = statSync(at('a.npy'));
    expect([newUid, newGid]).toEqual(owner);
  });

  test('the group of a file whose owner cannot be kept may do no more than all others', async () => {
    writeFileSync(at('a.npy'), 'before');
    chmodSync(at('a.npy'), 0o676);
    const handle = await open(at('a.npy'));
    const stats = await handle.stat();
    await handle.close();
    const files = Object.getPrototypeOf(handle) as Pick<typeof handle, 'chown' | 'stat'>;
    const stat = vi.spyOn(files, 'stat').mockResolvedValue(Object.assign(stats, { uid: stats.uid + 1 }));
    const chown = vi.spyOn(files, 'chown').mockRejectedValue(Object.assign(new Error('chown EPERM'), { code: 'EPERM' }));
    await saveNpy(at('a.npy'), tensor()).finally(() => [stat, chown].forEach((spy) => spy.mockRestore()));
    expect([saved('a.npy'), statSync(at('a.npy')).mode & 0o777]).toEqual([[1, 2, 3], 0o666]);
  });

  test('a folder that appears under the name while the file is written stays', async () => {
    const onProgress = () => {
      mkdirSync(at('a.npy'));
    };
    expect(gist(await rejected(saveNpy(at('a.npy'), tensor(), { onProgress })))).toEqual(['ERR_INVALID_FILE', at('a.npy')]);
    expect(readdirSync(folder)).toEqual(['a.npy']);
  });

  test('a file that only may be read is not replaced', async () => {
    writeFileSync(at('a.npy'), 'before');
    chmodSync(at('a.npy'), 0o444);
    const save = saveNpy(at('a.npy'), tensor());
    // An administrator may write it.
    if (process.getuid?.() === 0) await save;
    else expect((await rejected(save)).code).toBe('ERR_INVALID_FILE');
    expect(statSync(at('a.npy')).mode & 0o777).toBe(0o444);
    expect(readdirSync(folder)).toEqual(['a.npy']);
    chmodSync(at('a.npy'), 0o666);
  });

  test('a link stays, and what it leads to is written', async () => {
    mkdirSync(at('other'));
    writeFileSync(at('other/a.npy'), 'before');
    const links = {
      folder: link(at('other'), 'folder'),
      near: link('../other/a.npy', 'other/near'),
      far: link(join('folder', 'near'), 'far'),
      dangling: link(at('other/new.npy'), 'dangling'),
    };
    const before = [readdirSync(folder), readdirSync(at('other'))];
    await saveNpy(links.far ?? at('other/a.npy'), tensor());
    await saveNpy(links.dangling ?? at('other/new.npy'), tensor());
    expect([saved('other/a.npy'), saved('other/new.npy')]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    for (const path of Object.values(links)) expect(path === null || lstatSync(path).isSymbolicLink()).toBe(true);
    expect([readdirSync(folder), readdirSync(at('other'))]).toEqual([before[0], [...(before[1] ?? []), 'new.npy'].sort()]);
  });

  test('links in a circle are refused', async () => {
    // Where there are no links, a folder stands for them.
    const circle = link(at('b'), 'a') ?? folder;
    link(at('a'), 'b');
    expect(gist(await rejected(saveNpy(circle, tensor())))).toEqual(['ERR_INVALID_FILE', circle]);
  });

  test('a device, a pipe and a folder are refused, also behind a link', async () => {
    // Never a device in which a wrong save could do harm.
    const special = isWindows ? devNull : at('pipe');
    if (!isWindows) execFileSync('mkfifo', [special]);
    mkdirSync(at('inner'));
    const links = [link(special, 'to-pipe') ?? special, link(at('inner'), 'to-folder') ?? at('inner')];
    const before = readdirSync(folder);
    for (const path of [special, at('inner'), `${at('missing')}/`, ...links]) {
      const { code, field, expected } = await rejected(saveNpy(path, tensor()));
      expect([code, field, expected]).toEqual(['ERR_INVALID_FILE', path, 'a file']);
    }
    expect(readdirSync(folder)).toEqual(before);
    if (!isWindows) expect(statSync(special).isFIFO()).toBe(true);
  });

  test('a relative path is that of the folder when the call begins', async () => {
    const before = process.cwd;
    process.cwd = () => folder;
    const onProgress = () => (process.cwd = () => tmpdir());
    try {
      await saveNpy('a.npy', tensor(), { onProgress });
    } finally {
      process.cwd = before;
    }
    expect(saved('a.npy')).toEqual([1, 2, 3]);
  });
});

describe('a save that does not end', () => {
  const children: ChildProcess[] = [];
  const start = (ending: string) => {
    const child = spawn(process.execPath, [program, at('a.npy'), ending], { stdio: ['ignore', 'pipe', 'ignore'] });
    children.push(child);
    return child;
  };
  // Also if a test failed: one that waits would hold pipes of other tests open on Windows.
  afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));
  const end = async (child: ChildProcess) => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.exitCode;
  };

  test('leaves nothing when its process ends', async () => {
    writeFileSync(at('a.npy'), 'before');
    expect(await end(start('exit'))).toBe(7);
    expect(await end(start('throw'))).not.toBe(0);
    expect(readdirSync(folder)).toEqual(['a.npy']);
    expect(readFileSync(at('a.npy'), 'utf8')).toBe('before');
  });

  test('is removed by the next one after its process was killed', async () => {
    writeFileSync(at('a.npy'), 'before');
    await end(start('kill'));
    expect(readdirSync(folder)).toHaveLength(2);
    expect(readFileSync(at('a.npy'), 'utf8')).toBe('before');
    await saveNpy(at('b.npy'), tensor());
    expect(readdirSync(folder)).toHaveLength(3);
    await saveNpy(at('a.npy'), tensor());
    expect(readdirSync(folder).sort()).toEqual(['a.npy', 'b.npy']);
  });

  test('stays if its process runs for another user', async () => {
    await end(start('kill'));
    const [left = ''] = readdirSync(folder);
    const denied = Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw denied;
    });
    await saveNpy(at('a.npy'), tensor()).finally(() => kill.mockRestore());
    expect(readdirSync(folder).sort()).toEqual(['a.npy', left].sort());
  });

  test('stays while another save of the same file begins in its thread', async () => {
    const large = device().createTensor({ dataType: 'uint8', sizes: [3 * 2 ** 22] });
    const others: Promise<void>[] = [];
    await saveNpy(at('a.npy'), large, { onProgress: () => others.push(saveNpy(at('a.npy'), tensor())) });
    await Promise.all(others);
    expect(readdirSync(folder)).toEqual(['a.npy']);
  });

  test('stays while its process may still be at it', async () => {
    const child = start('wait');
    await once(child.stdout, 'data');
    const [other = ''] = readdirSync(folder);
    expect(other).toContain(String(child.pid));
    const ofOtherMachine = other.replace(/npy\.[\da-f]{8}/, 'npy.01234567');
    const old = ofOtherMachine.replace(/[\da-f]{8}\.tmp$/, '01234567.tmp');
    const ofThisProcess = other.replace(String(child.pid), String(process.pid));
    const ofEarlier = ofThisProcess.replace(/[\da-f]{8}\.tmp$/, '01234567.tmp');
    const unlike = [`${other}.npy`, `b${other}`, 'a.npy.tmp'];
    const hours = (past: number) => new Date(Date.now() - past * 3_600_000);
    for (const name of [ofOtherMachine, old, ofThisProcess, ofEarlier, ...unlike]) writeFileSync(at(name), 'part');
    utimesSync(at(ofOtherMachine), hours(20), hours(20));
    for (const name of [old, ...unlike]) utimesSync(at(name), hours(30), hours(30));
    const started = process.uptime() / 3600;
    utimesSync(at(ofEarlier), hours(started + 1), hours(started + 1));
    const onProgress = () => {
      expect(readdirSync(folder)).toEqual(expect.arrayContaining([other, ofOtherMachine, ofThisProcess]));
    };
    await Promise.all([saveNpy(at('a.npy'), tensor(), { onProgress }), saveNpy(at('a.npy'), tensor(), { onProgress })]);
    expect(readdirSync(folder).sort()).toEqual(['a.npy', other, ofOtherMachine, ofThisProcess, ...unlike].sort());
    child.kill('SIGKILL');
    await end(child);
    await saveNpy(at('a.npy'), tensor());
    expect(readdirSync(folder).sort()).toEqual(['a.npy', ofOtherMachine, ofThisProcess, ...unlike].sort());
  });
});
