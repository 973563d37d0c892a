/** DirectMLError, its codes, and helpers that write its messages. */
import { define } from './define.js';
import { printableLines, shorten } from './given.js';

export { describe, shorten } from './given.js';

/** The stable code of a {@link DirectMLError}. */
export type ErrorCode =
  /** An argument or option of a method has the wrong type or is out of range. */
  | 'ERR_INVALID_ARGUMENT'
  /** A descriptor is not an object, or a field has the wrong JavaScript type. */
  | 'ERR_INVALID_DESCRIPTOR'
  /** The `type` of a descriptor is not the name of an operator. */
  | 'ERR_UNKNOWN_OPERATOR'
  /** A descriptor, or an object in it such as a tensor description, has a field that it must not have. */
  | 'ERR_UNKNOWN_FIELD'
  /** A descriptor lacks a required field, or a part of an output that cannot be inferred from the other fields. */
  | 'ERR_MISSING_FIELD'
  /** A number is outside the range of its field or data type, or it is fractional or NaN where a whole number is needed. */
  | 'ERR_OUT_OF_RANGE'
  /** The operator, the value or the data type needs a higher feature level than the device's. */
  | 'ERR_FEATURE_LEVEL'
  /** A data type is unknown, is not supported for this tensor, or differs from what another field or the data needs. */
  | 'ERR_DATA_TYPE'
  /** A tensor has a number of dimensions that the operator, the feature level or another tensor does not allow. */
  | 'ERR_DIMENSION_COUNT'
  /** The sizes of a tensor, of a view or of the data for a tensor are wrong. */
  | 'ERR_SIZES'
  /** The strides of a tensor or of a view are wrong. */
  | 'ERR_STRIDES'
  /** `totalTensorSizeInBytes` is too small, or the tensor is larger than DirectML can address. */
  | 'ERR_TENSOR_SIZE'
  /** Fields that are valid separately contradict each other. */
  | 'ERR_FIELD_COMBINATION'
  /** A graph refers to an unknown value, uses a name twice, or has a cycle or an unused input. */
  | 'ERR_INVALID_GRAPH'
  /** The gradient would have to pass an operator that has none. The message says why. */
  | 'ERR_NO_GRADIENT'
  /** A tensor of the operator has no binding. */
  | 'ERR_MISSING_BINDING'
  /** A binding has a name that the operator does not have, or belongs to a tensor that must not be bound. */
  | 'ERR_UNKNOWN_BINDING'
  /** The offset of a binding is misaligned, or its range is too small or not within the buffer. */
  | 'ERR_BINDING_RANGE'
  /** An output shares bytes with another output, or with an input that the operator cannot overwrite. */
  | 'ERR_ALIASED_BINDING'
  /** A tensor or buffer belongs to another device. */
  | 'ERR_WRONG_DEVICE'
  /** The device, buffer, tensor or operator was disposed of. */
  | 'ERR_DISPOSED'
  /** The device was lost, for example by a driver reset; see `device.lost`. Create a new one. */
  | 'ERR_DEVICE_LOST'
  /** The option `signal` of the method was aborted. The `name` of the error is `'AbortError'`. */
  | 'ERR_ABORTED'
  /** A file cannot be read or written, or its contents are not what its format says. The message names the file. */
  | 'ERR_INVALID_FILE'
  /** With `fallback: 'error'`, a part of an ONNX model cannot run on DirectML. The message names its nodes. */
  | 'ERR_CPU_FALLBACK'
  /** Memory or a fence of other code cannot be shared with this device. The message says what was found, and what to do. */
  | 'ERR_NOT_SHAREABLE'
  /** `device.record` cannot record this method. */
  | 'ERR_NOT_RECORDABLE'
  /** `device.profile` was called while another profile of the device was running. */
  | 'ERR_PROFILE_RUNNING'
  /** `dispatchChecked` found an index outside the tensor that it indexes. */
  | 'ERR_INDEX_OUT_OF_RANGE'
  /** Memory of the device or of the process could not be allocated. */
  | 'ERR_OUT_OF_MEMORY'
  /** Direct3D 12 is missing, it has no usable adapter, or none has the given `luid`, index or name. */
  | 'ERR_NO_ADAPTER'
  /**
   * The native addon of this package could not be found or loaded. The message lists the paths that were tried, and says what
   * to do.
   */
  | 'ERR_ADDON_NOT_FOUND'
  /** The worker thread of the reference backend cannot be started. The message says why, and what to do. */
  | 'ERR_NO_WORKER'
  /** DirectML.dll, or a DLL that it needs, was not found. */
  | 'ERR_DIRECTML_NOT_FOUND'
  /** The file could not be loaded as DirectML.dll. */
  | 'ERR_DIRECTML_NOT_A_DLL'
  /** The DirectML.dll is older than this package needs. */
  | 'ERR_DIRECTML_TOO_OLD'
  /** A system call failed: `call` names it, `hresultName` its result. */
  | 'ERR_NATIVE_CALL';

/** The properties of a {@link DirectMLError} other than its code and message. */
export interface DirectMLErrorDetails {
  /** The operator's `type`, such as `scatterNd`; the name of the method if no operator is involved. */
  readonly operator?: string;
  /** Path of the wrong field or argument, such as `inputTensor.sizes[2]`. */
  readonly field?: string;
  /** Text for the values that are allowed, such as `1 or 4`. */
  readonly expected?: string;
  /** Text for the given value. */
  readonly given?: string;
  /** The system call that failed. */
  readonly call?: string;
  /** The HRESULT of the system call as a number. */
  readonly hresult?: number;
  /** The name of the HRESULT, such as `DXGI_ERROR_DEVICE_REMOVED`. */
  readonly hresultName?: string;
  /** Messages of the debug layers, if the device was created with `debug: true`. */
  readonly debugMessages?: readonly string[];
  readonly cause?: unknown;
}

/** The error that all functions and methods of this package throw. Test `code`, which is stable; the message is for people. */
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
    // Reads own properties only: a script may have added `cause` to Object.prototype.
    const { cause, ...rest } = { cause: undefined, ...details };
    // System messages and paths are not shortened.
    super(printableLines(message), cause === undefined ? undefined : { cause });
    this.code = code;
    // As of errors of the platform, so that programs can handle all aborted waits alike.
    define(this, 'name', code === 'ERR_ABORTED' ? 'AbortError' : 'DirectMLError', 'writable', 'enumerable');
    const given: Readonly<Record<string, unknown>> = rest;
    // Leaves out undefined properties, which would be printed with the error.
    for (const name of Object.keys(given)) {
      if (given[name] !== undefined) define(this, name, given[name], 'writable', 'enumerable');
    }
  }
}

/** Where a value is: the operator or method to which it is given, and its path in the descriptor or arguments. */
export interface Place {
  readonly operator: string;
  readonly field: string;
  /** The label of the compiled operator or graph, if it has one. */
  readonly label?: string;
}

/** The place of a property or element of the value at `place`. */
export function at(place: Place, name: string | number): Place {
  const path = typeof name === 'number' ? `${place.field}[${name}]` : place.field === '' ? name : `${place.field}.${name}`;
  return { ...place, field: path };
}

/** An error with the message `scatterNd: updatesTensor.sizes: expected [1, 4], given [1, 5]`; each part is a property too. */
export function fieldError(
  code: ErrorCode,
  place: Place,
  expected: string,
  given: string,
  details: { readonly why?: string | undefined; readonly cause?: unknown } = {},
): DirectMLError {
  // Reads own properties only: a script may have added `why` to Object.prototype.
  const { why, ...cause } = { why: undefined, ...details };
  const { operator } = place;
  const field = place.field === '' ? 'descriptor' : place.field;
  const label = Object.hasOwn(place, 'label') ? place.label : undefined;
  const reason = why === undefined ? '' : ` (${why})`;
  const message = `${labelled(operator, label)}: ${field}: expected ${expected}, given ${given}${reason}`;
  return new DirectMLError(code, message, { operator, field, expected, given, ...cause });
}

/** `gemm 'query'`; the name alone without a label. */
export function labelled(name: string, label: string | undefined): string {
  return label === undefined || label === '' ? name : `${name} '${shorten(label)}'`;
}

/** `the tensor`, or `tensor 'weights'` */
export function named(noun: string, label: string): string {
  return label === '' ? `the ${noun}` : labelled(noun, label);
}

/** The most elements of a list that a message shows. */
const maxListLength = 32;

/** `one of a, b, c`, cut to the number of names and to the lengths that a message shows. */
export function oneOf(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  const shown = names.slice(0, maxListLength).map(shorten).join(', ');
  return `one of ${shown}${names.length > maxListLength ? `, ... ${names.length} in all` : ''}`;
}

/** `[1, 2, 3]`, cut to the number of elements that a message shows. */
export function list(values: readonly (number | string)[]): string {
  if (values.length <= maxListLength) return `[${values.join(', ')}]`;
  return `[${values.slice(0, maxListLength).join(', ')}, ... ${values.length} in all]`;
}
