/** The report of `npm run bench`: its JSON, its table, which rows fail, and when it stops. No measured value is asserted. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('programs/report.mjs', import.meta.url));
const { stdout } = await promisify(execFile)(process.execPath, [program]);
const report = JSON.parse(stdout);

describe('the document', () => {
  const version = expect.stringMatching(/^\d+\.\d+\.\d+/);

  it('names the machine, the adapter and the versions', () => {
    const { machine, adapter, versions } = report.document;
    expect(machine).toEqual({
      cpu: expect.any(String),
      cores: expect.any(Number),
      memoryBytes: expect.any(Number),
      os: expect.stringContaining(process.arch),
    });
    expect(adapter).toEqual({ name: 'An adapter', driver: '1.2.3.4', inSoftware: process.platform !== 'win32' });
    expect(versions).toEqual({
      node: process.versions.node,
      ...(process.platform === 'win32' ? {} : { nodeInSandbox: '20.0.0' }),
      'node-directml': version,
      directml: '1.15.4',
      onnxruntime: version,
      tensorflowjs: version,
    });
  });

  it('has no adapter for the reference backend', () => {
    expect(report.reference.adapter).toBeNull();
    expect(report.reference.versions.directml).toBeNull();
    expect(report.lines).toHaveLength(3);
    expect(report.lines[1]).toBe('no adapter: the CPU computes');
  });

  it('has a row per measurement, with the ratio of both sides and its interval', () => {
    const [kept, missed, differing, throughput, low, shown, wrong, memory, block] = report.document.rows;
    expect(kept).toEqual({
      ...{ name: 'time within its limit', unit: 'ms', sides: { ours: 'JS', theirs: 'C++' } },
      ...{ ours: expect.closeTo(11, 2), theirs: expect.closeTo(10, 10), ratio: expect.closeTo(1.1, 3) },
      ...{ interval: { low: expect.closeTo(1.0906, 3), high: expect.closeTo(1.1094, 3) }, limit: 1.15, bound: 'most' },
      ...{ equal: true, verdict: 'ok', rounds: 30, seconds: 7, pinned: false },
    });
    expect(missed).toMatchObject({ ratio: kept.ratio, limit: 1.05, verdict: 'failed', pinned: true });
    expect(differing).toMatchObject({ limit: 1.05, verdict: 'unclear' });
    expect(throughput).toMatchObject({ unit: 'GB/s', ratio: expect.closeTo(0.5, 3), bound: 'least', verdict: 'ok' });
    expect(low).toMatchObject({ limit: 0.6, bound: 'least', verdict: 'failed' });
    expect(shown).toMatchObject({ ratio: expect.closeTo(2, 10), limit: null, verdict: 'ok' });
    expect(wrong).toMatchObject({ ratio: expect.closeTo(0.1, 10), equal: false, verdict: 'failed' });
    expect(memory).toMatchObject({ unit: 'MiB', ours: 17, theirs: null, ratio: null, limit: 16, verdict: 'failed', rounds: 1 });
    expect(block).toMatchObject({ ours: 6, theirs: 4 / 3, ratio: null, limit: 5, verdict: 'failed' });
    expect(block.sides).toEqual({ ours: 'blocked', theirs: 'idle' });
  });
});

it('the table says which limits were kept', () => {
  const [head, ...rows] = report.text.split('\n');
  expect(head).toMatch(/^ +ours +theirs +ratio +95 % interval +limit$/);
  expect(rows).toEqual([
    expect.stringMatching(/^time within its limit +JS 11\.0 ms +C\+\+ 10\.0 ms +1\.100 +1\.091 to 1\.109 +<= 1\.15 +ok$/),
    expect.stringMatching(/^time beyond its limit \* .* <= 1\.05 +FAILED$/),
    expect.stringMatching(/^time that differs .* <= 1\.05 +unclear after 7 s$/),
    expect.stringMatching(/^throughput +JS 3\.200 GB\/s +C\+\+ 6\.400 GB\/s +0\.500 +0\.498 to 0\.502 +>= 0\.40 +ok$/),
    expect.stringMatching(/^low throughput .* >= 0\.60 +FAILED$/),
    expect.stringMatching(/^without a limit .* none$/),
    expect.stringMatching(/^wrong results .* FAILED: different results$/),
    expect.stringMatching(/^memory +kept 17\.0 MiB +<= 16 MiB +FAILED$/),
    expect.stringMatching(/^block +blocked 6\.000 ms +idle 1\.333 ms +5\.34 to 6\.66 +<= 5 ms +FAILED$/),
  ]);
  expect(report.summary).toBe('2 ok, 1 unclear, 5 FAILED');
});

describe('a row is measured', () => {
  it('only until its verdict is clear, not counting its warm-up rounds', () => {
    expect(report.stops.clear).toEqual({ rounds: 6, verdict: 'ok' });
    expect(report.stops.exceeded).toEqual({ rounds: 6, verdict: 'failed' });
  });

  it('for more rounds while its verdict is unclear', () => {
    expect(report.stops.laterClear).toEqual({ rounds: 24, verdict: 'ok' });
  });

  it('at most for its time, and is then unclear', () => {
    expect(report.stops.spent).toEqual({ rounds: 6, verdict: 'unclear' });
  });

  it('without a verdict between two looks, even where that would be clear', () => {
    expect(report.stops.betweenLooks).toBe(true);
  });
});

it('a row whose times have two modes is unclear, and its ratio lies between the modes', () => {
  const { verdict, middle, low, high } = report.modes;
  expect(verdict).toBe('unclear');
  expect(middle).toBeCloseTo(1, 1);
  expect(low).toBeLessThan(1);
  expect(high).toBeGreaterThan(1.05);
});

describe('what is written into the pages', () => {
  it('is a plot of each row that has a limit', () => {
    const { plot } = report.limits;
    expect(plot).toMatch(/^<svg [^]*<\/svg>$/);
    for (const { name, limit } of report.document.rows) expect(plot.includes(name), name).toBe(limit !== null);
    expect(plot).toContain('1.10 (limit 1.05)');
    expect(plot).toContain('17.0 MiB (limit 16.0 MiB)');
  });

  it('is a table of all rows', () => {
    const { table } = report.limits;
    expect(table).toHaveLength(2 + Number(report.document.rows.length));
    expect(table[2]).toBe('| time within its limit | JS 11.0 ms | C++ 10.0 ms | 1.100 | 1.091 to 1.109 | <= 1.15 | ok |');
    expect(table[9]).toBe('| memory | kept 17.0 MiB |  |  |  | <= 16 MiB | FAILED |');
  });

  it('is how memory grows after its first quarter', () => {
    const { steady, growing, text, plot } = report.memory;
    expect(steady).toEqual({ grown: 0, isKept: true });
    expect(growing).toEqual({ grown: expect.closeTo(20, 5), isKept: false });
    expect(text).toBe(
      '5,990 turns in 10 minutes: in the last quarter, the process has 20.0 MiB more than in the second one; the limit is 16 MiB: FAILED',
    );
    expect(plot).toMatch(/^<svg [^]*memory of the device[^]*<\/svg>$/);
  });
});

it('rows are selected by a part of their names', () => {
  expect(report.selected).toEqual(['time within its limit', 'time beyond its limit', 'without a limit']);
});

it('a fixed random sequence decides which side goes first in each round', () => {
  const first = report.order.filter((_: string, turn: number) => turn % 2 === 0);
  expect(first.join(' ')).toBe('ours ours theirs theirs ours theirs ours theirs');
  expect(report.part.slice(0, 3)).toEqual([
    { ours: 1, theirs: 2 },
    { ours: 3, theirs: 4 },
    { ours: 6, theirs: 5 },
  ]);
});
