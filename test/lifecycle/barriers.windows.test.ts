/**
 * Random recordings have the same results on any GPU as in-order execution. The sandbox's GPU runs everything in order, so a
 * missing barrier changes no result there. Instead, the bridge logs what is recorded, and this test checks the log for the barriers
 * that the commands need.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { judgeRecording, type Recording } from '../support/barriers.js';

interface Recorded {
  readonly names: readonly string[];
  readonly recordings: readonly Recording[];
  readonly temporary: { readonly once: readonly string[]; readonly twice: readonly string[] };
  readonly persistent: Readonly<Record<'compiled' | 'once' | 'twice' | 'together', readonly string[]>>;
  readonly copies: Readonly<Record<'apart' | 'again' | 'reaching', readonly string[]>>;
  readonly wrong: number;
}

const program = fileURLToPath(new URL('programs/recordings.mjs', import.meta.url));
const SEED = 20260101;
const RECORDINGS = 200;
/** True if the sandbox's bridge is loaded; other Direct3D DLLs would replace it. */
const hasBridge = process.env['NODE_DIRECTML_SANDBOX_RUN'] !== undefined && process.env['NODE_DIRECTML_D3D_DLLS'] === undefined;
let recorded: Recorded;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'node-directml-'));
  try {
    const env = { ...process.env, ...(hasBridge ? { NODE_DIRECTML_BRIDGE_RECORDING: join(folder, 'notes') } : {}) };
    const { stdout } = await promisify(execFile)(process.execPath, [program, `${SEED}`, `${RECORDINGS}`], {
      env,
      maxBuffer: 2 ** 26,
    });
    recorded = JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test(`${RECORDINGS} random recordings give the results of in-order execution`, () => {
  expect(recorded.recordings).toHaveLength(RECORDINGS);
  expect(recorded.wrong).toBe(0);
});

if (hasBridge) {
  test('every hazard has a barrier, every buffer has the right state, and no barrier is superfluous', () => {
    const complaints = recorded.recordings.flatMap((recording, i) =>
      judgeRecording(recording, recorded.names).map((complaint) => `recording ${i}: ${complaint}`),
    );
    expect(complaints).toEqual([]);
  });

  test('dispatches that share temporary memory wait for each other', () => {
    const { once, twice } = recorded.temporary;
    const passes = once.slice(0, -1);
    expect(passes.length).toBeGreaterThan(1);
    expect(once.at(-1)).toBe('close');
    expect(twice).toEqual([...passes, 'uav 0', ...passes, 'close']);
  });

  test('dispatches wait for writes to persistent memory by initialization and by each other', () => {
    const { compiled, once, twice, together } = recorded.persistent;
    const passes = once.slice(0, -1);
    expect(twice).toEqual([...passes, 'uav 0', ...passes, 'close']);
    expect(renamed(together)).toEqual(renamed([...compiled.slice(0, -1), 'uav 0', ...passes, 'close']));
  });

  test('copies to the same bytes wait for each other, and copies to different bytes do not', () => {
    const { apart, again, reaching } = recorded.copies;
    expect(apart).toEqual(['copy', 'copy', 'copy', 'close']);
    for (const notes of [again, reaching]) {
      expect(notes).toEqual(['copy', 'copy', 'transition', 'transition', 'copy', 'close']);
    }
  });
} else {
  console.log('barriers are counted by the bridge of the Linux sandbox, which is not here');
}

/** The notes with buffer addresses replaced by numbers, in order of appearance. */
function renamed(notes: readonly string[]): string[] {
  const names = new Map<string, string>();
  return notes.map((note) =>
    note.replace(/\b[0-9a-f]{8,}\b/g, (address) => {
      const name = names.get(address) ?? `buffer ${names.size}`;
      names.set(address, name);
      return name;
    }),
  );
}
