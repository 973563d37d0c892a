/** What a run of a test file gives, and its sums. */

export interface Subtest {
  readonly name: string;
  readonly status: string;
  readonly message: string | null;
}

/** What the child process writes. */
export type Report =
  | { readonly kind: 'start' }
  | { readonly kind: 'subtest'; readonly subtest: Subtest }
  | { readonly kind: 'end'; readonly harness: string; readonly message: string | null; readonly left: readonly string[] };

export interface FileResult {
  readonly file: string;
  readonly variant: string;
  /** `OK`, or what happened to the file as a whole. */
  readonly harness: string;
  readonly message: string | null;
  readonly subtests: readonly Subtest[];
  /** The names of those that the tests left out, because opSupportLimits does not have what they need. */
  readonly left: readonly string[];
  readonly milliseconds: number;
  /** The end of what the process printed. */
  readonly output: string;
}

export interface Totals {
  readonly files: number;
  /** Files without a failure. */
  readonly whole: number;
  readonly harnessErrors: number;
  readonly subtests: number;
  readonly passed: number;
  readonly failed: number;
  /** Of the failed, those that need what opSupportLimits does not have. Newer tests leave them out. */
  readonly unsupported: number;
  readonly left: number;
}

const outside = /TypeError: Unsupported (data type|rank)/;

export function totalsOf(results: readonly FileResult[]): Totals {
  const all = results.flatMap(({ subtests }) => subtests);
  const bad = results.flatMap(failuresOf);
  const passed = all.filter(({ status }) => status === 'PASS').length;
  return {
    files: results.length,
    whole: results.filter(isWhole).length,
    harnessErrors: results.filter(({ harness }) => harness !== 'OK').length,
    subtests: all.length,
    passed,
    failed: bad.length,
    unsupported: bad.filter(({ message }) => outside.test(message ?? '')).length,
    left: all.length - bad.length - passed + results.reduce((sum, { left }) => sum + left.length, 0),
  };
}

export function failuresOf({ subtests }: FileResult): readonly Subtest[] {
  return subtests.filter(({ status }) => status !== 'PASS' && status !== 'PRECONDITION_FAILED');
}

export function isWhole(result: FileResult): boolean {
  return result.harness === 'OK' && failuresOf(result).length === 0;
}
