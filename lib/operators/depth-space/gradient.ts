/** Gradients of rearrangements between channels and space: each is that of the other. */
import type { GradientRules } from '../../descriptors/gradient.js';

export const gradients: GradientRules<`${'spaceToDepth' | 'depthToSpace'}${'' | '1'}`> = {
  spaceToDepth: ({ blockSize }, g, o) => ({ inputTensor: () => o.depthToSpace(g, { blockSize }) }),
  spaceToDepth1: ({ blockSize, order }, g, o) => ({ inputTensor: () => o.depthToSpace1(g, { blockSize, order }) }),
  depthToSpace: ({ blockSize }, g, o) => ({ inputTensor: () => o.spaceToDepth(g, { blockSize }) }),
  depthToSpace1: ({ blockSize, order }, g, o) => ({ inputTensor: () => o.spaceToDepth1(g, { blockSize, order }) }),
};
