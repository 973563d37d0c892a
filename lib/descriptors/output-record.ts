/** Collects the outputs of an operator by field name. A field with several tensors has an array. */
import type { TensorSlot } from './resolved.js';

export class OutputRecord<Output extends object> {
  #outputs: Readonly<Record<string, Output | Output[]>> | null = null;

  add({ field, isArray }: TensorSlot, output: Output): void {
    const before = this.#outputs;
    const given = isArray ? [output] : output;
    // Much faster for the one output that most operators have.
    if (before === null) this.#outputs = { [field]: given };
    else {
      const known = isArray && Object.hasOwn(before, field) ? before[field] : undefined;
      if (Array.isArray(known)) known.push(output);
      else this.#outputs = { ...before, [field]: given };
    }
  }

  get outputs(): Readonly<Record<string, Output | readonly Output[]>> {
    return this.#outputs ?? {};
  }
}
