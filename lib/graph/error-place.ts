/** Errors inside a graph that name the place in the user's own words. */
import { at, DirectMLError, fieldError, type Place } from '../values/errors.js';
import { isOperatorType } from '../operators/resolve.js';

/** Runs an internal call, and makes its errors name the place of the user's argument. */
export function within<T>(place: Place, work: () => T): T {
  return renamed(place, work, /^(?:name|options\.name|descriptor|layout)(?:\.|$)/, (operator) =>
    isOperatorType(operator) ? operator : place.operator,
  );
}

/** Makes the errors of an elementWiseIdentity that the user did not add name the place of the value that it copies. */
export function withinCopy<T>(place: Place, work: () => T): T {
  const why = 'an output that is an input, a constant or a view is copied by an elementWiseIdentity';
  return renamed(place, work, /^inputTensor(?:\.|$)/, () => place.operator, why);
}

/** `own` is the beginning of a field that the user does not know; `why` the reason of errors that have none. */
function renamed<T>(place: Place, work: () => T, own: RegExp, operatorOf: (operator: string) => string, why?: string): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DirectMLError) || !Object.hasOwn(error, 'expected')) throw error;
    const { code, operator = '', field = '', expected = '', given = '', message } = error;
    const path = field.replace(own, '');
    // The reason is only in the message, in parentheses.
    const reason = message.slice(`${operator}: ${field}: expected ${expected}, given ${given}`.length).slice(2, -1);
    const here = { operator: operatorOf(operator), field: path === '' ? place.field : at(place, path).field };
    throw fieldError(code, here, expected, given, { why: reason === '' ? why : reason, cause: error });
  }
}
