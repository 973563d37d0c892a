/** Asks the real DirectML, in a child process. */
import { writeJson } from '../cases/case.js';
import { ask } from '../harness/interview.js';

/** `ok`; `<call> <HRESULT's name>`; or `death` or `hang` if the process crashed or hung. */
export type Answer = string;

/** Resolves to DirectML's verdicts on descriptors in the native form. */
export function askDirectML(descriptors: readonly unknown[], progress?: (done: number) => void): Promise<Answer[]> {
  const file = descriptors.map((descriptor) => `${writeJson(descriptor)}\n`).join('');
  return ask({ script: 'parity/child.js', file, count: descriptors.length, ...(progress && { progress }) });
}
