/** The one error type of the package, and its codes. */

export type ErrorCode =
  /** An argument of a method is of the wrong type or out of range. */
  | 'ERR_INVALID_ARGUMENT'
  /** A descriptor that is not an object, or a field with the wrong JavaScript type. */
  | 'ERR_INVALID_DESCRIPTOR'
  | 'ERR_UNKNOWN_OPERATOR'
  /** An operator of DirectML's that this version describes and validates, but does not run yet. */
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
  /** The same bytes bound as an input and as an output, or as two outputs. */
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
  /** The operator's `type`, such as `scatterNd`. */
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
  readonly operator?: string;
  readonly field?: string;
  readonly expected?: string;
  readonly given?: string;
  readonly call?: string;
  readonly hresult?: number;
  readonly hresultName?: string;
  readonly debugMessages?: readonly string[];

  constructor(code: ErrorCode, message: string, details: DirectMLErrorDetails = {}) {
    super(message, Object.hasOwn(details, 'cause') ? { cause: details.cause } : undefined);
    this.name = 'DirectMLError';
    this.code = code;
    const { cause: _cause, ...rest } = details;
    Object.assign(this, rest);
  }
}

/** `scatterNd: updatesTensor.sizes: expected [1, 4], given [1, 5]`, with every part as a property too. */
export function fieldError(
  code: ErrorCode,
  operator: string,
  field: string,
  expected: string,
  given: string,
  why = '',
): DirectMLError {
  const reason = why === '' ? '' : ` (${why})`;
  return new DirectMLError(code, `${operator}: ${field}: expected ${expected}, given ${given}${reason}`, {
    operator,
    field,
    expected,
    given,
  });
}
