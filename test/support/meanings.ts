/** The texts of lib/operators/ that explain operators, fields and members of enums. */
import { readFacts } from '../../lib/operators/read.js';

const { operators, enums } = readFacts();

export { operators };

const ofFields = operators.flatMap(({ name, fields }) =>
  // A count has no sentence of its own: its meaning follows from what it counts.
  fields.flatMap((field): [string, string][] => (field.meaning === undefined ? [] : [[`${name}.${field.name}`, field.meaning]])),
);
const ofMembers = enums
  // A feature level has no sentence: its meaning follows from the operators that it adds.
  .filter(({ name }) => name !== 'FeatureLevel')
  .flatMap(({ name, members }) => members.map((member): [string, string] => [`${name}.${member.name}`, member.meaning]));

/** Each sentence, by the name of the field or member that it explains: `'gemm.alpha'`, `'PaddingMode.wrap'`. */
export const sentences: ReadonlyMap<string, string> = new Map([...ofFields, ...ofMembers]);
