/** Collects the outputs of an operator by field name. A field with several tensors has an array. */
import type { TensorSlot } from './resolved.js';

export class OutputRecord<Output extends object> {
  readonly #outputs: [field: string, outputs: Output | Output[]][] = [];

  add({ field, isArray }: TensorSlot, output: Output): void {
    // The tensors of an array follow each other.
    const last = this.#outputs.at(-1);
    if (isArray && last?.[0] === field && Array.isArray(last[1])) last[1].push(output);
    else this.#outputs.push([field, isArray ? [output] : output]);
  }

  get outputs(): Readonly<Record<string, Output | readonly Output[]>> {
    const [first] = this.#outputs;
    // Much faster for the one output that most operators have.
    return first !== undefined && this.#outputs.length === 1 ? { [first[0]]: first[1] } : Object.fromEntries(this.#outputs);
  }
}
