/** A hidden field of any objects. A WeakMap could do the same, but the garbage collector takes long over large ones. */

export interface Slot<T> {
  /** To be called once for an object. */
  readonly set: (object: object, value: T) => void;
  /** Undefined for an object without the field. */
  readonly get: (object: object) => T | undefined;
}

/** Its constructor makes nothing, so that the fields of a derived class become those of the given object. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- there is no other way to add a private field to any object
class Given {
  constructor(object: object) {
    return object;
  }
}

export function makeSlot<T>(): Slot<T> {
  class Slotted extends Given {
    readonly #value: T;

    constructor(object: object, value: T) {
      super(object);
      this.#value = value;
    }

    static get(object: object): T | undefined {
      return #value in object ? object.#value : undefined;
    }
  }
  const set = (object: object, value: T) => {
    new Slotted(object, value);
  };
  return { set, get: (object) => Slotted.get(object) };
}
