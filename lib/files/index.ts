/**
 * Loads tensors from files of weights, and saves them.
 * @module node-directml/files
 */
export { loadSafetensors, type FloatDataType, type LoadSafetensorsOptions, type PackedDataType } from './load-safetensors.js';
export { saveSafetensors, type SaveSafetensorsOptions } from './save-safetensors.js';
export { loadNpy, saveNpy } from './npy.js';
export type { FileOptions, FileProgress } from './options.js';
// For the declarations of tensors: their `Symbol.dispose`.
export type * from '../api/disposable.js';
