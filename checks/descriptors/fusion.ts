/** Replaces, adds or removes fused activations. The operator table says which activation can be fused into which operator. */
import type { OperatorType } from 'node-directml';
import { generators, operatorTypes } from '../operators/cases.js';
import type { Random } from '../harness/random.js';
import { fieldsOf, isTensor, type Mutation } from './candidate.js';

export const ACTIVATIONS = operatorTypes.filter((type) => type.startsWith('activation'));

export const fusionMutation: Mutation = [
  'open: fused activation',
  (random, descriptor) => {
    for (const { name, kind } of fieldsOf(descriptor)) {
      if (kind === 'operator') descriptor[name] = activation(random);
      const activations = descriptor[name];
      if (kind === 'operatorArray' && Array.isArray(activations)) descriptor[name] = changed(random, activations);
    }
  },
];

/** The activations with one more, one fewer, or one replaced. */
function changed(random: Random, activations: readonly unknown[]): unknown[] {
  if (random.chance(0.2)) return [...activations, activation(random)];
  if (random.chance(0.2)) return activations.slice(1);
  return activations.with(random.int(0, activations.length - 1), activation(random));
}

function activation(random: Random): Record<string, unknown> {
  return activationOf(random.pick(ACTIVATIONS), random);
}

/** A random activation of the type in the form of a fused activation, which has no tensors. */
export function activationOf(type: OperatorType, random: Random): Record<string, unknown> {
  const { descriptor } = generators[type](random, random.int(0, 9999));
  return Object.fromEntries(Object.entries(descriptor).filter(([, value]) => !isTensor(value)));
}
