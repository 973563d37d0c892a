/** Where to write a field that an operator does not have. */
import type { OtherNames } from '../near-names.js';

/** Names that fields have elsewhere, and in other operators. */
export const otherNames: OtherNames = { axis: ['axes', 'dim', 'dims'], axes: ['axis', 'dim', 'dims'] };

/** Fields of a tensor description, by the names that people write into the descriptor instead. */
const ofOutput: ReadonlyMap<string, string> = new Map([
  ['dataType', 'dataType'],
  ['dtype', 'dataType'],
  ['to', 'dataType'],
  ['sizes', 'sizes'],
  ['shape', 'sizes'],
]);

/** `outputTensor: { dataType } says it` for the field `dataType` of an operator; undefined if nothing is known. */
export function adviceForField(name: string, names: readonly string[]): string | undefined {
  const field = ofOutput.get(name);
  return field === undefined || !names.includes('outputTensor') ? undefined : `outputTensor: { ${field} } says it`;
}
