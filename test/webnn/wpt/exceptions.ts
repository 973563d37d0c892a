/** The web platform tests that are known to fail; docs/webnn.md gives the reasons. Copies that lack one are of other dates. */
import type { FileResult, Subtest } from './result.js';
import { failuresOf } from './result.js';

interface Exception {
  /** A part of the file's path. */
  readonly file: string;
  /** What the names of the subtests contain. */
  readonly name: RegExp;
  /** Absent if it fails on both backends. */
  readonly backend?: 'reference';
}

const exceptions: readonly Exception[] = [
  { file: 'clamp', name: /Throw if options\.minValue is -Infinity/ },
  { file: 'pad', name: /Throw if building pad for scalar input/ },
  { file: 'subgraph', name: /batchNormalization options\.axis=0 \+ gelu/, backend: 'reference' },
  { file: 'mlNumber', name: /cast fractional float to integer \(optional\)/ },
  { file: 'idlharness', name: /createExportableTensor|exportToGPU/ },
];

export interface Judgement {
  /** Failed subtests that are no exceptions. */
  readonly unexpected: number;
  /** Failed subtests that are. */
  readonly known: number;
  /** Exceptions of which no subtest fails any more. */
  readonly passing: readonly string[];
}

export function judge(results: readonly FileResult[], backend: string): Judgement {
  const all = exceptions.filter((exception) => (exception.backend ?? backend) === backend);
  const isOf = ({ file, name }: Exception, result: FileResult, subtest: Subtest) =>
    result.file.includes(file) && name.test(subtest.name);
  const failures = results.flatMap((result) => failuresOf(result).map((subtest) => ({ result, subtest })));
  const known = failures.filter(({ result, subtest }) => all.some((exception) => isOf(exception, result, subtest)));
  const passing = all.flatMap((exception) => {
    if (known.some(({ result, subtest }) => isOf(exception, result, subtest))) return [];
    return results.flatMap((result) =>
      result.subtests
        .filter((subtest) => subtest.status === 'PASS' && isOf(exception, result, subtest))
        .map(({ name }) => `${result.file}: ${name}`),
    );
  });
  return { unexpected: failures.length - known.length, known: known.length, passing };
}
