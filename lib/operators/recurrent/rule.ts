/** Recurrent networks: a layer that steps through sequences forward, backward, or both ways. */
import type { RecurrentNetworkDirection } from '../../tensors/generated/enums.js';
import type { Drafted, TensorOrDraft } from '../../descriptors/drafted.js';
import { isTensor } from '../../descriptors/resolved.js';
import { strictly } from '../../descriptors/strict.js';
import { hasSizes, sameDataType } from '../../descriptors/checks.js';
import { refuse, tensorOf, type Rule, type WithInputs, type WithOptionalTensors } from '../../descriptors/rule.js';

/**
 * {@inheritDoc layer} `weightTensor` has the sizes [1, directions, hidden, inputs] and `recurrenceTensor` [1,
 * directions, hidden, hidden]. `biasTensor` has the sizes [1, 1, directions, 2 · hidden]: the bias of the weighted
 * inputs, then the bias of the recurrence. `activationDescs` has one activation for each direction.
 */
export const rnn: Rule<'rnn'> = (operator) => {
  layer(operator, 1, 1);
};

/**
 * {@inheritDoc layer} `weightTensor` has the sizes [1, directions, 3 · hidden, inputs] and `recurrenceTensor` [1,
 * directions, 3 · hidden, hidden], for the update, reset and hidden gates in this order. `biasTensor` has the sizes
 * [1, 1, directions, 6 · hidden]: the biases of the weighted inputs of the three gates, then the biases of their
 * recurrence. `activationDescs` has two activations for each direction: one for the update and reset gates, then one
 * for the hidden gate.
 */
export const gru: Rule<'gru'> = (operator) => {
  layer(operator, 3, 2);
  strictly('never-compiled', () => noCelu(operator));
};

/**
 * {@inheritDoc layer} `weightTensor` has the sizes [1, directions, 4 · hidden, inputs] and `recurrenceTensor` [1,
 * directions, 4 · hidden, hidden], for the input, output, forget and cell gates in this order. `biasTensor` has the
 * sizes [1, 1, directions, 8 · hidden]: the biases of the weighted inputs of the four gates, then the biases of their
 * recurrence. `peepholeTensor` has the sizes [1, 1, directions, 3 · hidden], for the input, output and forget gates.
 * `cellMemInitTensor` and `outputCellSingleTensor` have the sizes [1, directions, batch, hidden]. `activationDescs`
 * has three activations for each direction: one for the input, output and forget gates, one for the cell gate, and
 * one for the cell itself.
 */
export const lstm: Rule<'lstm'> = (operator) => {
  const { directions, batch, hidden } = layer(operator, 4, 3);
  for (const name of ['cellMemInitTensor', 'outputCellSingleTensor'] as const) {
    checkTensor(operator, name, [1, directions, batch, hidden]);
  }
  checkTensor(operator, 'peepholeTensor', [1, 1, directions, 3 * hidden]);
  strictly('never-compiled', () => noCelu(operator));
};

/** Named sizes of the tensors. */
interface Sizes {
  readonly directions: number;
  readonly batch: number;
  readonly hidden: number;
}

type Required = 'inputTensor' | 'weightTensor' | 'recurrenceTensor';
type Optional = 'biasTensor' | 'hiddenInitTensor' | 'sequenceLengthsTensor' | 'outputSequenceTensor' | 'outputSingleTensor';

/** The fields that all recurrent networks have. */
type Network = WithInputs<Required> &
  WithOptionalTensors<Optional> & {
    readonly direction: RecurrentNetworkDirection;
    readonly activationDescs: Drafted<'rnn'>['activationDescs'];
  };

/**
 * In the sizes of the tensors, directions is 2 if `direction` is `'bidirectional'`, else 1. `inputTensor` has the
 * sizes [1, steps, batch, inputs]. `hiddenInitTensor` and `outputSingleTensor` have the sizes [1, directions, batch,
 * hidden], `outputSequenceTensor` [steps, directions, batch, hidden] and `sequenceLengthsTensor` [1, 1, 1, batch].
 * All tensors except `sequenceLengthsTensor` have the same data type. No tensor may be `'ownedByDml'`. At least one
 * of `outputSequenceTensor` and `outputSingleTensor` is given.
 */
function layer(operator: Network, gates: number, activations: number): Sizes {
  const {
    sizes: [, steps = 1, batch = 1, inputs = 1],
  } = operator.inputTensor;
  const hidden = operator.recurrenceTensor.sizes.at(-1) ?? 1;
  const directions = operator.direction === 'bidirectional' ? 2 : 1;
  const perSequence = [1, directions, batch, hidden];
  checkTensor(operator, 'inputTensor', [1, steps, batch, inputs]);
  checkTensor(operator, 'weightTensor', [1, directions, gates * hidden, inputs]);
  checkTensor(operator, 'recurrenceTensor', [1, directions, gates * hidden, hidden]);
  checkTensor(operator, 'biasTensor', [1, 1, directions, 2 * gates * hidden]);
  checkTensor(operator, 'hiddenInitTensor', perSequence);
  checkTensor(operator, 'sequenceLengthsTensor', [1, 1, 1, batch]);
  checkTensor(operator, 'outputSequenceTensor', [steps, directions, batch, hidden]);
  checkTensor(operator, 'outputSingleTensor', perSequence);
  if (operator.outputSequenceTensor === null && operator.outputSingleTensor === null) {
    const why = 'the operator would compute nothing';
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'outputSequenceTensor', 'it or outputSingleTensor', 'neither', why);
  }
  checkActivations(operator, directions, activations);
  return { directions, batch, hidden };
}

/** If the tensor is given, it has these sizes and is not owned by DirectML. */
function checkTensor<Name extends string>(
  operator: WithInputs<'inputTensor'> & WithOptionalTensors<NoInfer<Name>>,
  name: Name,
  sizes: readonly number[],
): void {
  hasSizes(operator, name, sizes, 'by direction, and the sizes of inputTensor and recurrenceTensor');
  if (name !== 'sequenceLengthsTensor') sameDataType<'inputTensor' | Name>(operator, 'inputTensor', name);
  const tensor = tensorOf<Name, TensorOrDraft | null>(operator, name);
  if (isTensor(tensor) && tensor.flags === 'ownedByDml') {
    throw refuse(operator, 'ERR_FIELD_COMBINATION', `${name}.flags`, `'none'`, `'ownedByDml'`, 'DirectML owns no tensor of it');
  }
}

/** `each` is the number of activations of one direction. */
function checkActivations(operator: Network, directions: number, each: number): void {
  const { length } = operator.activationDescs;
  if (length === directions * each) return;
  const why = directions === 1 ? `for the direction` : `${each} for each of 2 directions`;
  throw refuse(operator, 'ERR_FIELD_COMBINATION', 'activationDescs', `${directions * each} activations`, `${length}`, why);
}

/** @refused `activationCelu` in `activationDescs` */
function noCelu(operator: Network): void {
  const at = operator.activationDescs.findIndex(({ type }) => type === 'activationCelu');
  if (at < 0) return;
  throw refuse(operator, 'ERR_FIELD_COMBINATION', `activationDescs[${at}].type`, 'another activation', `'activationCelu'`);
}
