/** The web platform tests that are known to fail; docs/webnn.md gives the reasons. Copies of other dates may lack some of them. */
import { failuresOf, type FileResult, type Subtest } from './result.js';

interface Exception {
  /** A substring of the file's path. */
  readonly file: string;
  /** Matches the names of the subtests. */
  readonly name: RegExp;
  /** The only backend on which the tests fail; absent if they fail on both. */
  readonly backend?: 'reference';
}

const exceptions: readonly Exception[] = [
  { file: 'clamp', name: /Throw if options\.minValue is -Infinity/ },
  { file: 'pad', name: /Throw if building pad for scalar input/ },
  { file: 'subgraph', name: /batchNormalization options\.axis=0 \+ gelu/, backend: 'reference' },
  { file: 'mlNumber', name: /cast fractional float to integer \(optional\)/ },
  { file: 'idlharness', name: /createExportableTensor|exportToGPU/ },
];

/** Counts unexpected and known failures, and lists the subtests that pass of exceptions without any remaining failure. */
export function judge(results: readonly FileResult[], backend: string) {
  const all = exceptions.filter((exception) => (exception.backend ?? backend) === backend);
  const subtestsOf = (list: (result: FileResult) => readonly Subtest[]) =>
    results.flatMap((result) => list(result).map(({ name, status }) => ({ file: result.file, name, status })));
  const isOf = (exception: Exception) => (subtest: { readonly file: string; readonly name: string }) =>
    subtest.file.includes(exception.file) && exception.name.test(subtest.name);
  const failures = subtestsOf(failuresOf);
  const known = failures.filter((subtest) => all.some((exception) => isOf(exception)(subtest)));
  const passed = subtestsOf(({ subtests }) => subtests).filter(({ status }) => status === 'PASS');
  const passing = all
    .filter((exception) => !known.some(isOf(exception)))
    .flatMap((exception) => passed.filter(isOf(exception)).map(({ file, name }) => `${file}: ${name}`));
  return { unexpected: failures.length - known.length, known: known.length, passing };
}
