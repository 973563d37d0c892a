/** The one error type of the package, its codes, and the words of its messages. */
import { types } from 'node:util';
import { typedArrayName } from './data-types/typed-array-name.js';

export type ErrorCode =
  /** An argument of a method is of the wrong type or out of range. */
  | 'ERR_INVALID_ARGUMENT'
  /** A descriptor that is not an object, or a field with the wrong JavaScript type. */
  | 'ERR_INVALID_DESCRIPTOR'
  | 'ERR_UNKNOWN_OPERATOR'
  | 'ERR_UNKNOWN_FIELD'
  | 'ERR_MISSING_FIELD'
  /** A number that is negative, fractional, NaN, or larger than the field holds. */
  | 'ERR_OUT_OF_RANGE'
  /** The operator, value or data type needs a higher feature level. */
  | 'ERR_FEATURE_LEVEL'
  | 'ERR_DATA_TYPE'
  | 'ERR_DIMENSION_COUNT'
  | 'ERR_SIZES'
  | 'ERR_STRIDES'
  /** `totalTensorSizeInBytes` is too small, or the tensor is larger than DirectML can address. */
  | 'ERR_TENSOR_SIZE'
  /** Fields that are right alone and wrong together. */
  | 'ERR_FIELD_COMBINATION'
  | 'ERR_MISSING_BINDING'
  | 'ERR_UNKNOWN_BINDING'
  /** A binding's offset or range is wrong, or its buffer is too small. */
  | 'ERR_BINDING_RANGE'
  /** The same bytes bound as two outputs, or as an output and as an input in whose place it cannot be written. */
  | 'ERR_ALIASED_BINDING'
  | 'ERR_WRONG_DEVICE'
  | 'ERR_DISPOSED'
  | 'ERR_DEVICE_LOST'
  /** Found by the checked mode: an index tuple points outside its tensor. */
  | 'ERR_INDEX_OUT_OF_RANGE'
  | 'ERR_OUT_OF_MEMORY'
  | 'ERR_NO_ADAPTER'
  | 'ERR_ADDON_NOT_FOUND'
  | 'ERR_DIRECTML_NOT_FOUND'
  | 'ERR_DIRECTML_NOT_A_DLL'
  | 'ERR_DIRECTML_TOO_OLD'
  /** A system call failed; `call` and `hresultName` say which and how. */
  | 'ERR_NATIVE_CALL';

export interface DirectMLErrorDetails {
  /** The operator's `type`, such as `scatterNd`; the method's name where no operator is concerned. */
  readonly operator?: string;
  /** The field at fault as a path, such as `inputTensor.sizes[2]`. */
  readonly field?: string;
  readonly expected?: string;
  readonly given?: string;
  /** The system call that failed, and its HRESULT. */
  readonly call?: string;
  readonly hresult?: number;
  readonly hresultName?: string;
  readonly debugMessages?: readonly string[];
  readonly cause?: unknown;
}

/** Thrown, or rejected with, by everything in this package. `code` is stable; the message is for people. */
export class DirectMLError extends Error {
  readonly code: ErrorCode;
  declare readonly operator?: string;
  declare readonly field?: string;
  declare readonly expected?: string;
  declare readonly given?: string;
  declare readonly call?: string;
  declare readonly hresult?: number;
  declare readonly hresultName?: string;
  declare readonly debugMessages?: readonly string[];

  constructor(code: ErrorCode, message: string, details: DirectMLErrorDetails = {}) {
    const { cause, ...rest } = details;
    const hasCause = Object.hasOwn(details, 'cause') && cause !== undefined;
    super(message, hasCause ? { cause } : undefined);
    this.name = 'DirectMLError';
    this.code = code;
    const given: [string, unknown][] = Object.entries(rest);
    // A property that says nothing would only be printed.
    Object.assign(this, Object.fromEntries(given.filter(([, detail]) => detail !== undefined)));
  }
}

/** The place of a value: the operator (or the method) that it is given to, and its path in there. */
export interface Place {
  readonly operator: string;
  readonly field: string;
}

/** The place of a property or an element of what stands at `place`. */
export function at(place: Place, name: string | number): Place {
  const path = typeof name === 'number' ? `${place.field}[${name}]` : place.field === '' ? name : `${place.field}.${name}`;
  return { operator: place.operator, field: path };
}

/** `scatterNd: updatesTensor.sizes: expected [1, 4], given [1, 5]`, with every part as a property too. */
export function fieldError(
  code: ErrorCode,
  { operator, field: path }: Place,
  expected: string,
  given: string,
  { why, ...cause }: { readonly why?: string | undefined; readonly cause?: unknown } = {},
): DirectMLError {
  const field = path === '' ? 'descriptor' : path;
  const reason = why === undefined ? '' : ` (${why})`;
  const message = `${operator}: ${field}: expected ${expected}, given ${given}${reason}`;
  return new DirectMLError(code, message, { operator, field, expected, given, ...cause });
}

/** Characters of a string, and elements of a list, that are shown in a message. */
const longestText = 60;
const longestList = 32;

/** Elements of an array that are looked at to say what it is of. */
const longestLookedThrough = 1024;
/** Kinds of elements that are called by their names. */
const countedKinds: readonly string[] = ['number', 'bigint', 'string', 'boolean', 'object'];

/** A short text for any value, that runs no code of the value's own. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `'${shorten(value)}'`;
    case 'bigint':
      // A long one takes its time to become decimal.
      return BigInt.asIntN(128, value) === value ? `${value}n` : 'a bigint of more than 128 bits';
    case 'undefined':
      return 'nothing';
    case 'function':
      return 'a function';
    case 'object':
      return value === null ? 'null' : kindOf(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    default:
      return shorten(String(value));
  }
}

function kindOf(value: object): string {
  const name = typedArrayName(value);
  try {
    if (name !== undefined) return `${name.startsWith('Int') ? 'an' : 'a'} ${name}`;
    if (!Array.isArray(value)) return 'an object';
    // A proxy would have a say in what its elements are.
    return types.isProxy(value) ? 'an array' : arrayOf(value);
  } catch {
    return 'a revoked proxy';
  }
}

/** `an array of 3 numbers` */
function arrayOf(array: readonly unknown[]): string {
  const { length } = array;
  if (length === 0) return 'an empty array';
  const isShort = length <= longestLookedThrough;
  const kinds = new Set(isShort ? Array.from({ length }, (_, i) => typeof Object.getOwnPropertyDescriptor(array, i)?.value) : []);
  const [kind = 'undefined', ...others] = kinds;
  const isTold = others.length === 0 && countedKinds.includes(kind);
  return `an array of ${length} ${isTold ? kind : 'element'}${length === 1 ? '' : 's'}`;
}

/** Text of a user's, cut to what a message can hold. */
export function shorten(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 3)}...` : text;
}

export function list(values: readonly (number | string)[]): string {
  if (values.length <= longestList) return `[${values.join(', ')}]`;
  return `[${values.slice(0, longestList).join(', ')}, ... ${values.length} in all]`;
}
