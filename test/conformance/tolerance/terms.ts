/** How many terms the sums and products of an operator have, for tolerances that grow with them. */
import { product } from '../layout.js';
import type { Descriptor } from './row.js';

export function termsOf(descriptor: Descriptor): number {
  switch (descriptor.type) {
    case 'reduce':
    case 'activationSoftmax1':
    case 'activationLogSoftmax1':
      return elementsAlong(descriptor.inputTensor.sizes, new Set(descriptor.axes));
    case 'activationSoftmax':
    case 'activationLogSoftmax':
      return descriptor.inputTensor.sizes.at(-1) ?? 1;
    case 'cumulativeSummation':
    case 'cumulativeProduct':
      return descriptor.inputTensor.sizes[descriptor.axis] ?? 1;
    case 'fold':
      return product(descriptor.windowSizes);
    default:
      return 1;
  }
}

function elementsAlong(sizes: readonly number[], axes: ReadonlySet<number>): number {
  return sizes.reduce((count, size, axis) => (axes.has(axis) ? count * size : count), 1);
}
