import { expand, reshape, slice, transpose } from './formulas/movement.js';
import type { PlainTensor } from './plain-tensor.js';
import type { CaseOperand } from './webnn-case.js';

/** What the operator gets: the operand after its views. */
export function viewed({ dataType, shape, data, views = [] }: CaseOperand): PlainTensor {
  let tensor: PlainTensor = { dataType, shape, data };
  for (const view of views) {
    if ('reshape' in view) tensor = reshape(tensor, view.reshape);
    else if ('transpose' in view) tensor = transpose(tensor, { permutation: view.transpose });
    else if ('expand' in view) tensor = expand(tensor, view.expand);
    else tensor = slice(tensor, view.slice.starts, view.slice.sizes);
  }
  return tensor;
}
