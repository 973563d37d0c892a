/** What `console.log` shows of an object of this package: the line that its `toString` returns. */
import { inspect, type InspectOptions } from 'node:util';
import { define } from './define.js';
import { shorten } from './given.js';

interface Printed {
  toString(): string;
}

/**
 * Makes `console.log` show what `toString` returns. `is` recognises the objects of the class: others with this prototype, and
 * the prototype itself, are shown as usual.
 */
export function printAsText(prototype: Printed, is: (value: object) => boolean): void {
  define(prototype, inspect.custom, function (this: Printed, _depth: number, options: InspectOptions) {
    return is(this) ? this.toString() : inspect(this, { ...options, customInspect: false });
  });
}

/** The line with why the object can no longer be used: `Recording of 3 dispatches (disposed)`. */
export function withState(line: string, state: string): string {
  return state === '' ? line : `${line} (${state})`;
}

/** `Tensor 'weights'`, or `Tensor` without a label. */
export function titled(name: string, label: string): string {
  return label === '' ? name : `${name} '${shorten(label)}'`;
}
