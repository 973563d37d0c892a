// generated/finished.ts: the operators of lib/schema/finished.json, which this version also runs.
import { banner } from './facts.mjs';

/** @returns {string} */
export function finishedFile(/** @type {import('./facts.mjs').Facts} */ { operators }) {
  const names = operators.filter(({ finished }) => finished).map(({ name }) => `  | '${name}'`);
  return `${banner}
/** Operators that have a rule, a kernel and conformance cases: those that this version runs. */
export type FinishedOperatorType =
${names.join('\n')};
`;
}
