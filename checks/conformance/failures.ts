/** Prints the failures of a conformance run: what differs, where the operator's code is, and how to run the case again. */
import { shrunk } from '../harness/shrink.js';
import { sourcesOf } from '../operators/sources.js';
import { readCase } from '../cases/case.js';
import { conform, type Devices, type Failure, type Options, type Report } from './runner.js';
import { smallerCases } from './smaller-cases.js';

/** `again` gives the command that runs the case of a failure again. */
export function failuresOf({ operator, failures }: Report, again: (failure: Failure) => string): string[] {
  const { rule, kernel } = sourcesOf(operator);
  return failures.map((failure) =>
    [`${operator}: ${failure.message}`, `rule ${rule}`, `kernel ${kernel}`, again(failure)].join('\n  '),
  );
}

/**
 * The failure of the smallest case that fails in the same part as the first one of the report. Null if there is no smaller one,
 * and if the device is lost, because nothing runs on it any more.
 */
export async function smallestFailure(devices: Devices, { operator, failures }: Report, how: Options): Promise<Failure | null> {
  const [first] = failures;
  if (first === undefined || failures.some(({ part }) => part === 'lost')) return null;
  let smallest = first;
  await shrunk(readCase(first.json), smallerCases, async (cases) => {
    for (const test of cases) {
      const [failure] = (await conform(devices, operator, [test], how)).failures;
      if (failure?.part !== first.part) continue;
      smallest = failure;
      return test;
    }
    return undefined;
  });
  return smallest === first ? null : smallest;
}
