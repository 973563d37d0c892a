/** What our validation says about a descriptor. */
import { DirectMLError } from '#lib/values/errors.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';

/** The error of our validation; null if it accepts the descriptor. */
export function refusalOf(descriptor: unknown): DirectMLError | null {
  const resolved = resultOf(() => resolveDescriptor(descriptor, '6.4'));
  return resolved instanceof DirectMLError ? resolved : null;
}

/** What the function returns, or the error of the package that it throws. */
export function resultOf<T>(run: () => T): T | DirectMLError {
  try {
    return run();
  } catch (error) {
    if (error instanceof DirectMLError) return error;
    throw error;
  }
}
