/** Errors of traced functions say where in the model they are: `layers[3].mlp: gemm: …`. */
import { DirectMLError, shorten } from '../../values/errors.js';
import { fromProgram, withoutCaller, type CallSite } from '../call-site.js';

/** An error with the labels of the functions around it, the innermost last, and its message without them. */
interface Placed {
  readonly path: string;
  readonly message: string;
}

const placed = new WeakMap<DirectMLError, Placed>();

/**
 * A copy of the error whose message begins with the label of a function, and with those of functions in it.
 *
 * @param caller The caller of the function, if it is one of several that get the error.
 */
export function withPath(error: unknown, label: string, caller?: CallSite): unknown {
  if (!(error instanceof DirectMLError)) return error;
  const { path: inner, message } = placed.get(error) ?? { path: '', message: error.message };
  const outer = shorten(label);
  const isNamed = outer === '' || inner === outer || inner.startsWith(`${outer}.`) || error.operator === outer;
  const path = isNamed ? inner : shorten(inner === '' ? outer : `${outer}.${inner}`);
  const copy = fromProgram(error, path === '' ? message : `${path}: ${message}`);
  if (!(copy instanceof DirectMLError)) return copy;
  placed.set(copy, { path, message });
  if (caller !== undefined) withoutCaller(copy, caller);
  return copy;
}
