/** `npm run size`: the lines by room. */
import { expect, test } from 'vitest';

const script: unknown = await import(new URL('../../scripts/size.mjs', import.meta.url).href);
const { sizeTable } = script as { sizeTable(now: string, base?: string): string };

const now = `README.md:100
docs/graphs.md:50
docs/operators/gemm.md:30
lib/index.ts:10
lib/graph/value.ts:1500
lib/descriptors/generated/table.ts:2000
`;

test('the lines of each room are counted, by hand and generated', () => {
  expect(sizeTable(now)).toBe(
    `
lines                        by hand   generated
docs                              50          30
files of the root                100           0
lib                            1,510       2,000
  lib/descriptors                  0       2,000
  lib/graph                    1,500           0
all                            1,660       2,030`.trim(),
  );
});

test('a base shows what a change adds and removes, also where a room is new or gone', () => {
  const base =
    'BASE:README.md:100\nBASE:docs/graphs.md:80\nBASE:docs/operators/gemm.md:30\nBASE:lib/index.ts:10\nBASE:bench/run.mjs:7\n';
  expect(sizeTable(now, base)).toBe(
    `
lines                        by hand      change   generated      change
bench                              0          −7           0           ·
docs                              50         −30          30           ·
files of the root                100           ·           0           ·
lib                            1,510      +1,500       2,000      +2,000
  lib/descriptors                  0           ·       2,000      +2,000
  lib/graph                    1,500      +1,500           0           ·
all                            1,660      +1,463       2,030      +2,000`.trim(),
  );
});
