/** Recurrent networks: a layer that goes through sequences step by step, forward, backward or both ways. */
import type { RecurrentNetworkDirection } from '../../schema/generated/enums.js';
import type { Resolved, ResolvedTensor } from '../resolved.js';
import { strictly } from '../strict.js';
import { hasSizes, refuse, sameDataType, tensorOf, type Rule, type WithOptionalTensors, type WithTensors } from './rule.js';

/**
 * `inputTensor` is [1, steps, batch, inputs], `weightTensor` [1, directions, hidden, inputs] and `recurrenceTensor`
 * [1, directions, hidden, hidden]; there are 2 directions where `direction` is `'bidirectional'`, and else 1.
 * `biasTensor` is [1, 1, directions, 2·hidden]: what is added to the weighted inputs, and to the recurrence.
 * `hiddenInitTensor` and `outputSingleTensor` are [1, directions, batch, hidden], `outputSequenceTensor` is
 * [steps, directions, batch, hidden], `sequenceLengthsTensor` [1, 1, 1, batch].
 * All but `sequenceLengthsTensor` have one data type. DirectML can own none of them, and one output at least is there.
 * `activationDescs` has one activation for each direction.
 */
export const rnn: Rule<'rnn'> = (operator) => {
  layer(operator, 1, 1);
};

/**
 * `inputTensor` is [1, steps, batch, inputs], `weightTensor` [1, directions, 3·hidden, inputs] and `recurrenceTensor`
 * [1, directions, 3·hidden, hidden], for the gates update, reset and hidden one after the other; there are 2 directions
 * where `direction` is `'bidirectional'`, and else 1.
 * `biasTensor` is [1, 1, directions, 6·hidden]: what is added to the weighted inputs of the gates, and to their recurrence.
 * `hiddenInitTensor` and `outputSingleTensor` are [1, directions, batch, hidden], `outputSequenceTensor` is
 * [steps, directions, batch, hidden], `sequenceLengthsTensor` [1, 1, 1, batch].
 * All but `sequenceLengthsTensor` have one data type. DirectML can own none of them, and one output at least is there.
 * `activationDescs` has two activations for each direction, of the gates update and reset, and of the gate hidden.
 */
export const gru: Rule<'gru'> = (operator) => {
  layer(operator, 3, 2);
  strictly('never-compiled', () => noCelu(operator));
};

/**
 * `inputTensor` is [1, steps, batch, inputs], `weightTensor` [1, directions, 4·hidden, inputs] and `recurrenceTensor`
 * [1, directions, 4·hidden, hidden], for the gates input, output, forget and cell one after the other; there are 2
 * directions where `direction` is `'bidirectional'`, and else 1.
 * `biasTensor` is [1, 1, directions, 8·hidden]: what is added to the weighted inputs of the gates, and to their recurrence.
 * `peepholeTensor` is [1, 1, directions, 3·hidden], for the gates input, output and forget.
 * `hiddenInitTensor`, `cellMemInitTensor`, `outputSingleTensor` and `outputCellSingleTensor` are
 * [1, directions, batch, hidden], `outputSequenceTensor` is [steps, directions, batch, hidden], `sequenceLengthsTensor`
 * [1, 1, 1, batch].
 * All but `sequenceLengthsTensor` have one data type. DirectML can own none of them. `outputSequenceTensor` or
 * `outputSingleTensor` is there.
 * `activationDescs` has three activations for each direction, of the gates input, output and forget, of the gate cell,
 * and of the cell itself.
 */
export const lstm: Rule<'lstm'> = (operator) => {
  const { directions, batch, hidden } = layer(operator, 4, 3);
  for (const name of ['cellMemInitTensor', 'outputCellSingleTensor'] as const) {
    checkTensor(operator, name, [1, directions, batch, hidden]);
  }
  checkTensor(operator, 'peepholeTensor', [1, 1, directions, 3 * hidden]);
  strictly('never-compiled', () => noCelu(operator));
};

interface Sizes {
  readonly directions: number;
  readonly batch: number;
  readonly hidden: number;
}

type Required = 'inputTensor' | 'weightTensor' | 'recurrenceTensor';
type Optional = 'biasTensor' | 'hiddenInitTensor' | 'sequenceLengthsTensor' | 'outputSequenceTensor' | 'outputSingleTensor';

/** The fields that all have. */
type Network = WithTensors<Required> &
  WithOptionalTensors<Optional> & {
    readonly direction: RecurrentNetworkDirection;
    readonly activationDescs: Resolved<'rnn'>['activationDescs'];
  };

/** What all have in common; weights, recurrence and bias have those of the gates one after the other. */
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

/** A tensor of these sizes that is not DirectML's own, if it is there. */
function checkTensor<Name extends string>(
  operator: WithTensors<'inputTensor'> & WithOptionalTensors<NoInfer<Name>>,
  name: Name,
  sizes: readonly number[],
): void {
  hasSizes(operator, name, sizes, 'by direction, and the sizes of inputTensor and recurrenceTensor');
  if (name !== 'sequenceLengthsTensor') sameDataType<'inputTensor' | Name>(operator, 'inputTensor', name);
  if (tensorOf<Name, ResolvedTensor | null>(operator, name)?.flags === 'ownedByDml') {
    throw refuse(operator, 'ERR_FIELD_COMBINATION', `${name}.flags`, `'none'`, `'ownedByDml'`, 'DirectML owns no tensor of it');
  }
}

function checkActivations(operator: Network, directions: number, each: number): void {
  const { length } = operator.activationDescs;
  if (length === directions * each) return;
  const why = directions === 1 ? `for the direction` : `${each} for each of 2 directions`;
  throw refuse(operator, 'ERR_FIELD_COMBINATION', 'activationDescs', `${directions * each} activations`, `${length}`, why);
}

function noCelu(operator: Network): void {
  const at = operator.activationDescs.findIndex(({ type }) => type === 'activationCelu');
  if (at < 0) return;
  throw refuse(operator, 'ERR_FIELD_COMBINATION', `activationDescs[${at}].type`, 'another activation', `'activationCelu'`);
}
