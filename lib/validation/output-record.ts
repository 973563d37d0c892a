/** Collects the outputs of an operator by field name. A field with several tensors has an array. */
import type { TensorSlot } from './resolved.js';

export class OutputRecord<Output extends object> {
  readonly outputs: Record<string, Output | readonly Output[]> = {};

  add({ field, isArray }: TensorSlot, output: Output): void {
    const before = Object.hasOwn(this.outputs, field) ? this.outputs[field] : undefined;
    this.outputs[field] = isArray ? [...(isList(before) ? before : []), output] : output;
  }
}

function isList<Output extends object>(value: Output | readonly Output[] | undefined): value is readonly Output[] {
  return Array.isArray(value);
}
