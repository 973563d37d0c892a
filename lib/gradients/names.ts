/** Names of values that tell walks where to end, and what to do in the place of nodes. */
import { Alias, type ValueSource } from '../graph/value-source.js';
import { sourceOf, Value } from '../graph/value.js';
import type { Layout } from '../tensors/tensor-size.js';

/** A name of a value at which a walk ends. */
export class Barrier extends Alias {}

/** A result of a function that the walk does not go through as it is. */
export class CallOutput extends Alias {
  readonly call: Call;
  /** The position among the results. */
  readonly place: number;

  constructor(of: ValueSource, layout: Layout, call: Call, place: number) {
    super(of, layout);
    this.call = call;
    this.place = place;
  }
}

/** Values on which the results depend, and what takes the place of the nodes between. */
export type Call = { readonly inputs: readonly Value[] } & (
  | {
      /** From the gradient of the only result to those of the inputs. */
      readonly backward: (gradient: Value) => readonly (Value | undefined)[];
    }
  | {
      /** Computes the results again. */
      readonly again: () => readonly Value[];
    }
);

/** Another name for a value. */
export function renamed(value: Value, rename: (source: ValueSource, layout: Value) => Alias): Value {
  return new Value(value.dataType, value, rename(sourceOf(value), value));
}
