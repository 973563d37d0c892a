/** What errors of the command line say after a name that does not exist. */
import { shorten } from '../values/given.js';
import { didYouMean, type OtherNames } from '../values/near-names.js';

/** The question after the nearest names; all names if none is near. */
export function nearOrAll(name: string, names: readonly string[], otherNames?: OtherNames): string {
  const all = names.length === 0 ? 'there are none' : `there are: ${[...new Set(names)].map(shorten).join(', ')}`;
  return didYouMean(name, names, otherNames) ?? all;
}
