/** Gradients of regions of interest. */
import { noRule, type GradientRules } from '../../descriptors/gradient.js';

export const gradients: GradientRules<'roiPooling' | 'roiAlign' | 'roiAlign1' | 'roiAlignGrad'> = {
  roiPooling: 'DirectML has no gradient of it',
  roiAlign: noRule,
  roiAlign1: noRule,
  roiAlignGrad: 'it is a gradient, whose own gradient DirectML does not have',
};
