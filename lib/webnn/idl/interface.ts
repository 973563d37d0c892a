/** Interfaces of Web IDL: which object stands for which implementation, and interface objects as a browser makes them. */
import { define } from '../../values/define.js';
import { nameKind } from '../../values/given.js';
import { markUncloneable } from '../../values/uncloneable.js';
import { fail, isObject, refuseOtherCopy, type Converter } from './conversions.js';
import { makeSlot } from './slot.js';

/** Connects the objects that programs see with the objects that implement them. */
export class InterfaceType<Implementation extends object> {
  readonly name: string;
  readonly #implementation = makeSlot<Implementation>();
  readonly #object = makeSlot<object>();
  #prototype: object | undefined;

  readonly #find: (value: object) => Implementation | undefined;

  /** `find` recognizes objects that were not made here. */
  constructor(name: string, find: (value: unknown) => Implementation | undefined = () => undefined) {
    this.name = name;
    this.#find = find;
    nameKind(`an ${name}`, `${name}s`, (value) => this.#implementation.get(value) !== undefined);
  }

  /** The object of the implementation; always the same one. */
  objectOf(implementation: Implementation): object {
    const own = this.#object.get(implementation);
    if (own !== undefined) return own;
    const made: unknown = Object.create(this.#prototype ?? null);
    if (!isObject(made)) throw new TypeError('an object is created');
    this.connect(made, implementation);
    return made;
  }

  /** The implementation of an object; undefined for any other value. */
  implementationOf(value: unknown): Implementation | undefined {
    return isObject(value) ? (this.#implementation.get(value) ?? this.#find(value)) : undefined;
  }

  /** To be called once for an object and its implementation. */
  connect(object: object, implementation: Implementation): void {
    this.#implementation.set(object, implementation);
    this.#object.set(implementation, object);
    markUncloneable(object);
  }

  /** The prototype of the objects. */
  usePrototype(prototype: object): void {
    this.#prototype = prototype;
  }

  readonly convert: Converter<Implementation> = (value, what) => {
    const own = this.implementationOf(value);
    if (own !== undefined) return own;
    refuseOtherCopy(value, what);
    return fail(what, `is not of type '${this.name}'.`);
  };
}

/** Gives the object of an implementation, and other values unchanged. */
type ToObject = (value: unknown) => unknown;

export interface Argument {
  readonly name: string;
  readonly convert: Converter<unknown>;
  readonly isOptional?: boolean;
  /** By this an overload is chosen. */
  readonly kind: 'interface' | 'dictionary' | 'other';
  /** For an interface, and an operation with several overloads: whether the value has it. */
  readonly is?: (value: unknown) => boolean;
}

export interface Operation {
  readonly name: string;
  readonly overloads: readonly (readonly Argument[])[];
  /** The `length` of the function. */
  readonly length: number;
  /** True if it returns a promise: it rejects where others throw. */
  readonly isPromise: boolean;
}

export interface InterfaceDefinition {
  readonly name: string;
  readonly constructor: Operation | null;
  readonly attributes: readonly { readonly name: string; readonly isPromise: boolean }[];
  readonly operations: readonly Operation[];
}

type Method = (this: unknown, ...args: unknown[]) => unknown;
/** An implementation seen by name. */
type Named = Readonly<Record<string, unknown>>;

/** What the interface does: its constructor and its conversions. */
interface InterfaceBehavior<Implementation extends object> {
  readonly type: InterfaceType<Implementation>;
  readonly construct?: (...args: never[]) => Implementation;
  readonly toObject: ToObject;
}

/** The interface object: a class with the constructor, attributes and operations of the definition. */
export function interfaceObject<Implementation extends object>(
  definition: InterfaceDefinition,
  behavior: InterfaceBehavior<Implementation>,
): new (...args: never[]) => object {
  const { name, constructor: own } = definition;
  const { type, construct } = behavior;
  const convert = own === null ? undefined : argumentsConverter(own, `Failed to construct '${name}': `);
  const made = {
    // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- the rest of the class is defined below
    [name]: class {
      constructor(...args: unknown[]) {
        if (convert === undefined || construct === undefined) throw new TypeError('Illegal constructor');
        // The converters made the arguments of the constructor.
        type.connect(this, Reflect.apply(construct, undefined, convert(args)) as Implementation);
      }
    },
  }[name];
  if (made === undefined) throw new TypeError('a class is made');
  define(made, 'length', own?.length ?? 0);
  const { prototype } = made;
  for (const { name: attribute, isPromise } of definition.attributes) {
    defineAttribute(prototype, attribute, isPromise, definition, behavior);
  }
  for (const operation of definition.operations) {
    const value = methodOf(operation, definition, behavior);
    define(prototype, operation.name, value, 'writable', 'enumerable');
  }
  define(prototype, Symbol.toStringTag, name);
  type.usePrototype(prototype);
  return made;
}

function defineAttribute<Implementation extends object>(
  prototype: object,
  name: string,
  isPromise: boolean,
  definition: InterfaceDefinition,
  { type, toObject }: InterfaceBehavior<Implementation>,
): void {
  const descriptor = Object.getOwnPropertyDescriptor(
    {
      get [name](): unknown {
        const own = type.implementationOf(this);
        if (own !== undefined) return toObject(Reflect.get(own, name));
        const error = new TypeError(`'get ${name}' called on an object that is no ${definition.name}.`);
        if (isPromise) return Promise.reject(error);
        throw error;
      },
    },
    name,
  );
  const attribute = { __proto__: null, ...descriptor, enumerable: true, configurable: true };
  Object.defineProperty(prototype, name, attribute);
}

function methodOf<Implementation extends object>(
  operation: Operation,
  definition: InterfaceDefinition,
  { type, toObject }: InterfaceBehavior<Implementation>,
): Method {
  const { name, isPromise } = operation;
  const place = `Failed to execute '${name}' on '${definition.name}': `;
  const convert = argumentsConverter(operation, place);
  const call: Method = function (...args) {
    const own = type.implementationOf(this);
    if (own === undefined) throw new TypeError(`${place}Illegal invocation`);
    const method = stepsOf(own)[name];
    if (typeof method !== 'function') throw new TypeError(`${definition.name} has no ${name}`);
    return Reflect.apply(method, own, convert(args)) as unknown;
  };
  const whole: Method = isPromise
    ? async function (...args) {
        return toObject(await Reflect.apply(call, this, args));
      }
    : function (...args) {
        return toObject(Reflect.apply(call, this, args));
      };
  // A method of an object literal, unlike a function expression, is no constructor.
  const { [name]: method } = {
    [name](this: unknown, ...args: unknown[]): unknown {
      return Reflect.apply(whole, this, args);
    },
  };
  if (method === undefined) throw new TypeError('a method is made');
  define(method, 'length', operation.length);
  return method;
}

/** The methods of an implementation have the names of the operations. */
function stepsOf(implementation: object): Named {
  // every object has properties; their values are unknown
  return implementation as Named;
}

function leastCount({ overloads }: Operation): number {
  return Math.min(...overloads.map((args) => args.filter(({ isOptional }) => isOptional !== true).length));
}

/** A function that converts the given arguments of an operation. */
function argumentsConverter(operation: Operation, place: string): (given: readonly unknown[]) => unknown[] {
  const least = leastCount(operation);
  const needed = `${place}${least} ${least === 1 ? 'argument' : 'arguments'} required`;
  return (given) => {
    if (given.length < least) throw new TypeError(`${needed}, but only ${given.length} present.`);
    const chosen = chooseOverload(operation, given);
    if (chosen === undefined) throw new TypeError(`${place}No overload takes these arguments.`);
    const converted: unknown[] = [];
    for (const [i, { name, convert, isOptional, kind }] of chosen.entries()) {
      const value = given[i];
      // An absent dictionary has its defaults; any other optional argument stays away.
      if (isOptional === true && value === undefined && kind !== 'dictionary') break;
      converted.push(convert(value, `${place}parameter ${i + 1} ('${name}')`));
    }
    return converted;
  };
}

/** Web IDL's overload resolution, as far as WebNN needs it. */
function chooseOverload({ overloads }: Operation, given: readonly unknown[]): readonly Argument[] | undefined {
  if (overloads.length === 1) return overloads[0];
  const most = Math.max(...overloads.map((args) => args.length));
  const count = Math.min(given.length, most);
  const fitting = overloads.filter((args) => {
    const needed = args.filter(({ isOptional }) => isOptional !== true).length;
    return needed <= count && count <= args.length;
  });
  if (fitting.length < 2) return fitting[0];
  const place = given.findIndex((_, i) => fitting.some((args) => args[i]?.kind !== fitting[0]?.[i]?.kind));
  const value = given[place];
  const own = fitting.find((args) => args[place]?.is?.(value));
  const kind = value === undefined || value === null || isObject(value) ? 'dictionary' : 'other';
  return own ?? fitting.find((args) => args[place]?.kind === kind);
}
