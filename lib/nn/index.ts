/**
 * Layers, losses, initial weights and optimizers, as functions of tensors and of trees of weights.
 * @module node-directml/nn
 */
export * from './activations.js';
export * from './attention.js';
export * from './initializers.js';
export * from './layers.js';
export * from './losses.js';
export * from './normalization.js';
export * from './optimizers.js';
export * from './recurrent.js';
export { named, nested, type WeightTree } from './weights.js';
// For the declarations of tensors: their `Symbol.dispose`.
export type * from '../api/disposable.js';
