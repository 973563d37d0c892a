/** The result of a run of a test file, and totals over files. */

export interface Subtest {
  readonly name: string;
  readonly status: string;
  readonly message: string | null;
}

/** The end of a test file. */
interface Ending {
  /** `OK`, or the failure of the file as a whole, such as `TIMEOUT`. */
  readonly harness: string;
  readonly message: string | null;
  /** The names of the tests that were left out because opSupportLimits lacks something that they need. */
  readonly left: readonly string[];
}

/** A line that the child process writes. */
export type Report =
  { readonly kind: 'start' } | { readonly kind: 'subtest'; readonly subtest: Subtest } | ({ readonly kind: 'end' } & Ending);

export interface FileResult extends Ending {
  readonly file: string;
  readonly variant: string;
  readonly subtests: readonly Subtest[];
  readonly milliseconds: number;
  /** The last characters of the output of the process. */
  readonly output: string;
}

const outside = /TypeError: Unsupported (data type|rank)/;

export function totalsOf(results: readonly FileResult[]) {
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
    // Failures that need something which opSupportLimits lacks. Newer tests leave them out.
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
