/** The option `names` of {@link loadSafetensors}: which tensors to load, and under which names. */
import { shorten } from '../values/errors.js';
import { didYouMean } from '../values/near-names.js';
import { argumentError, requireFunction } from '../values/arguments.js';
import { readTexts } from './options.js';

export interface Names {
  /** The name in the result, for a name in a file; null if it is not wanted. */
  newName(name: string): string | null;
  /** @throws {DirectMLError} ERR_INVALID_ARGUMENT for a wanted name that `newName` has not got. */
  requireAll(): void;
}

export function readNames(method: string, given: unknown): Names {
  if (given === undefined) return { newName: (name) => name, requireAll: () => undefined };
  if (typeof given === 'function') {
    requireFunction(method, 'options.names', given);
    const newName = (name: string) => {
      const chosen: unknown = Reflect.apply(given, undefined, [name]);
      if (chosen === null || typeof chosen === 'string') return chosen;
      throw argumentError(method, `options.names('${shorten(name)}')`, 'a name or null', chosen);
    };
    return { newName, requireAll: () => undefined };
  }
  const wanted = readTexts(method, 'options.names', given, 'an array of names, or a function of a name');
  const set = new Set(wanted);
  const known = new Set<string>();
  return {
    newName: (name) => {
      known.add(name);
      return set.has(name) ? name : null;
    },
    requireAll: () => {
      const missing = wanted.findIndex((name) => !known.has(name));
      if (missing < 0) return;
      const why = didYouMean(wanted[missing], [...known]);
      const field = `options.names[${missing}]`;
      throw argumentError(method, field, 'the name of a tensor in the files', wanted[missing], 'ERR_INVALID_ARGUMENT', why);
    },
  };
}
