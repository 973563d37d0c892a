/** Another activation in the place of a fused one, or more or fewer of them: which can be fused into what is a fact of the table. */
import type { OperatorType } from 'node-directml';
import { generators, operatorTypes } from '../operators/cases.js';
import type { Random } from '../random.js';
import { fieldsOf, isTensor, type LooseDescriptor, type Mutation } from './candidate.js';

export const ACTIVATIONS = operatorTypes.filter((type) => type.startsWith('activation'));

export const fusionMutation: Mutation<LooseDescriptor> = [
  'open: fused activation',
  (random, descriptor) => {
    for (const { name, kind } of fieldsOf(descriptor)) {
      if (kind === 'operator') descriptor[name] = activation(random);
      const activations = descriptor[name];
      if (kind === 'operatorArray' && Array.isArray(activations)) descriptor[name] = changed(random, activations);
    }
  },
];

/** One activation more, one less, or another one. */
function changed(random: Random, activations: readonly unknown[]): unknown[] {
  if (random.chance(0.2)) return [...activations, activation(random)];
  if (random.chance(0.2)) return activations.slice(1);
  return activations.with(random.int(0, activations.length - 1), activation(random));
}

function activation(random: Random): Record<string, unknown> {
  return activationOf(random.pick(ACTIVATIONS), random);
}

/** One of a type, without tensors, as it stands in the operator that it is fused into. */
export function activationOf(type: OperatorType, random: Random): Record<string, unknown> {
  const { descriptor } = generators[type](random, random.int(0, 9999));
  return Object.fromEntries(Object.entries(descriptor).filter(([, value]) => !isTensor(value)));
}
