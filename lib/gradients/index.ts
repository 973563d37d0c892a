/**
 * Gradients of functions of tensors.
 * @module node-directml/gradients
 */
export { checkpoint, customGradient, grad, stopGradient, valueAndGrad, vjp } from './functions.js';
export type { Differentiated, GradientOptions, Loss, Pullback } from './types.js';
// For the declarations of tensors: their `Symbol.dispose`.
export type * from '../api/disposable.js';
