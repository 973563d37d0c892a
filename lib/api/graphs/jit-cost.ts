/** Warns of a traced function that is compiled again and again. */

export class JitCost {
  readonly #name: string;
  readonly #limit: number;
  #count = 0;
  #milliseconds = 0;
  #hasWarned = false;

  constructor(name: string, limit: number) {
    this.#name = name;
    this.#limit = limit;
  }

  /** Counts a graph, with the time that tracing and compiling took. */
  add(milliseconds: number): void {
    this.#count += 1;
    this.#milliseconds += milliseconds;
  }

  /** Called when the limit is reached; warns only once. */
  warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const each = (this.#milliseconds / this.#count).toFixed(1);
    const text =
      `${this.#name}: the function was compiled ${this.#count} times, for ${each} ms each, and keeps ${this.#limit} of its graphs. ` +
      'Each new size, number or string among the arguments compiles it again: pass numbers that change as tensors, ' +
      'or raise the option limit of device.jit';
    process.emitWarning(text, { code: 'NODE_DIRECTML_JIT_LIMIT' });
  }
}
