/** Collects the outputs of an operator by field name. A field with several tensors has an array. */
import type { TensorSlot } from './resolved.js';

export class OutputRecord<Output extends object> {
  readonly #outputs = new Map<string, Output | Output[]>();

  add({ field, isArray }: TensorSlot, output: Output): void {
    const before = this.#outputs.get(field);
    if (!isArray) this.#outputs.set(field, output);
    else if (Array.isArray(before)) before.push(output);
    else this.#outputs.set(field, [output]);
  }

  get outputs(): Readonly<Record<string, Output | readonly Output[]>> {
    return Object.fromEntries(this.#outputs);
  }
}
