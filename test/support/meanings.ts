/** What lib/schema/operators/ says of each operator, each field and each member of an enum. */
import { readFacts } from '../../lib/schema/operators/read.js';

const { operators, enums } = readFacts();

export { operators };

const ofFields = operators.flatMap(({ name, fields }) =>
  // The sentence of a count follows from what it counts.
  fields.flatMap((field): [string, string][] => (field.meaning === undefined ? [] : [[`${name}.${field.name}`, field.meaning]])),
);
const ofMembers = enums
  // What a feature level means follows from the operators that it adds.
  .filter(({ name }) => name !== 'FeatureLevel')
  .flatMap(({ name, members }) => members.map((member): [string, string] => [`${name}.${member.name}`, member.meaning]));

/** What has a sentence, and the sentence: `'gemm.alpha'`, `'PaddingMode.wrap'`. */
export const sentences: ReadonlyMap<string, string> = new Map([...ofFields, ...ofMembers]);
