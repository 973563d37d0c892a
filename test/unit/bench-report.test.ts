/** What `npm run bench` reports: its JSON, its table, and which rows fail. What it measures is not asserted. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('programs/bench-report.mjs', import.meta.url));
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

  it('has a row per measurement, with the median of the quotients of rounds', () => {
    const [kept, missed, throughput, shown, wrong, memory, block] = report.document.rows;
    expect(kept).toEqual({
      ...{ name: 'time within its limit', unit: 'ms', sides: { ours: 'JS', theirs: 'C++' } },
      ...{ ours: 11, theirs: 10, quotient: 1.1, limit: 1.1, bound: 'most', equal: true, passed: true, rounds: 5 },
    });
    expect(missed).toMatchObject({ quotient: 1.1, limit: 1.05, passed: false });
    expect(throughput).toMatchObject({ unit: 'GB/s', ours: 3.2, theirs: 6.4, quotient: 0.5, bound: 'least', passed: true });
    expect(shown).toMatchObject({ quotient: 2, limit: null, passed: true });
    expect(wrong).toMatchObject({ quotient: 0.1, equal: false, passed: false });
    expect(memory).toMatchObject({ unit: 'MiB', ours: 17, theirs: null, quotient: null, limit: 16, passed: false });
    expect(block).toMatchObject({ ours: 4, theirs: 1, quotient: null, limit: 5, passed: true });
    expect(block.sides).toEqual({ ours: 'blocked', theirs: 'idle' });
  });
});

it('the table says which limits were kept', () => {
  const [head, ...rows] = report.text.split('\n');
  expect(head).toMatch(/ours \(median\) +theirs \(median\) +of medians +median ratio +limit +rounds$/);
  expect(rows).toEqual([
    expect.stringMatching(/^time within its limit +JS 11\.0 ms +C\+\+ 10\.0 ms +1\.10 +1\.100 +<= 1\.10 +5 +ok$/),
    expect.stringMatching(/^time beyond its limit .* <= 1\.05 +5 +FAILED$/),
    expect.stringMatching(/^throughput +JS 3\.200 GB\/s +C\+\+ 6\.400 GB\/s +0\.50 +0\.500 +>= 0\.40 +1 +ok$/),
    expect.stringMatching(/^without a limit .* none +1 +ok$/),
    expect.stringMatching(/^wrong results .* FAILED: different results$/),
    expect.stringMatching(/^memory +kept 17\.0 MiB +<= 16 MiB +1 +FAILED$/),
    expect.stringMatching(/^block +blocked 4\.000 ms +idle 1\.000 ms +<= 5 ms +3 +ok$/),
  ]);
});

it('rows are selected by a part of their names', () => {
  expect(report.selected).toEqual(['time within its limit', 'time beyond its limit', 'without a limit']);
});

it('the sides take turns in being first, and warm-ups do not count', () => {
  expect(report.turns.order).toEqual(['theirs', 'ours', 'ours', 'theirs', 'theirs', 'ours']);
  expect(report.turns).toMatchObject({ oursMs: [3, 6], theirsMs: [4, 5] });
});
