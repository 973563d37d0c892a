/** Creates the tensors for the outputs of an operator. */
import { OutputRecord } from '../../descriptors/output-record.js';
import type { ResolvedOperator } from '../../descriptors/resolved.js';
import { withNewTensors } from '../memory/new-tensor.js';
import type { DeviceContext } from '../device-context.js';
import type { Tensor } from '../memory/tensor.js';

/** Creates a tensor for each output of the descriptor. Returns them by field name. */
export function outputTensors(
  context: DeviceContext,
  { slots }: ResolvedOperator,
): Readonly<Record<string, Tensor | readonly Tensor[]>> {
  return withNewTensors(context, (make) => {
    const outputs = new OutputRecord<Tensor>();
    for (const slot of slots) if (slot.role === 'output' && slot.tensor !== null) outputs.add(slot, make(slot.tensor));
    return outputs.outputs;
  });
}
