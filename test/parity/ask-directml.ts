/** Asks the real DirectML, in a child process. */
import { writeJson } from '../conformance/case.js';
import { ask } from '../harness/interview.js';

/** `ok`, or `<call> <HRESULT's name>`, or `death` or `hang` of the process. */
export type Answer = string;

/** The verdicts on native descriptors. */
export function askDirectML(descriptors: readonly unknown[], progress?: (done: number) => void): Promise<Answer[]> {
  const file = descriptors.map((descriptor) => `${writeJson(descriptor)}\n`).join('');
  return ask({ script: 'parity/child.js', file, count: descriptors.length, ...(progress && { progress }) });
}
