/** The candidate generators by operator, in the order of a run. */
import type { Random } from '../random.js';
import { operatorTypes } from '../operators/cases.js';
import { candidateOf } from './any-operator.js';
import type { Candidate } from './candidate.js';
import { scatterNdCandidate } from './scatter-nd.js';

export const candidates: Readonly<Record<string, (random: Random) => Candidate>> = {
  ...Object.fromEntries(operatorTypes.map((operator) => [operator, candidateOf(operator)])),
  scatterNd: scatterNdCandidate,
};
