/** Lowers gru, lstm and their cells. DirectML has one order of the gates, and wants both biases as one. */
import type { Value } from '../../graph/value.js';
import { asked, cellOf, directions, gruGates, lstmGates, networkOf, state } from './network.js';
import { peepholeLstm } from './peephole.js';
import { withRank, type Lowerings } from './step.js';

export const recurrent: Lowerings<'gru' | 'gruCell' | 'lstm' | 'lstmCell'> = {
  gru: (step, input, weight, recurrentWeight, _steps, _hiddenSize, options) => {
    const { initialHiddenState, returnSequence, resetAfter, direction } = options;
    const network = networkOf(step, gruGates, { ...options, input, weight, recurrentWeight });
    const { outputSingleTensor, outputSequenceTensor } = step.add({
      ...{ type: 'gru', ...network, linearBeforeReset: resetAfter, direction: directions[direction] },
      hiddenInitTensor: state(initialHiddenState),
      ...{ outputSingleTensor: {}, outputSequenceTensor: returnSequence ? {} : undefined },
    });
    return present([outputSingleTensor, outputSequenceTensor]);
  },
  gruCell: (step, input, weight, recurrentWeight, hiddenState, _hiddenSize, options) => {
    const network = networkOf(step, gruGates, cellOf(input, weight, recurrentWeight, options));
    const { outputSingleTensor } = step.add({
      ...{ type: 'gru', ...network, linearBeforeReset: options.resetAfter },
      ...{ hiddenInitTensor: state(hiddenState), outputSingleTensor: {} },
    });
    return asked(outputSingleTensor);
  },
  lstm: (step, input, weight, recurrentWeight, _steps, _hiddenSize, options) => {
    const { peepholeWeight, initialHiddenState, initialCellState, returnSequence, direction } = options;
    if (peepholeWeight !== undefined) {
      const all = peepholeLstm(step, { ...options, input, weight, recurrentWeight, peepholeWeight });
      return returnSequence ? all : all.slice(0, 2);
    }
    const network = networkOf(step, lstmGates, { ...options, input, weight, recurrentWeight });
    const { outputSingleTensor, outputCellSingleTensor, outputSequenceTensor } = step.add({
      ...{ type: 'lstm', ...network, direction: directions[direction] },
      ...{ hiddenInitTensor: state(initialHiddenState), cellMemInitTensor: state(initialCellState) },
      ...{ outputSingleTensor: {}, outputCellSingleTensor: {}, outputSequenceTensor: returnSequence ? {} : undefined },
    });
    return present([outputSingleTensor, outputCellSingleTensor, outputSequenceTensor]);
  },
  lstmCell: (step, input, weight, recurrentWeight, hiddenState, cellState, _hiddenSize, options) => {
    const cell = cellOf(input, weight, recurrentWeight, options);
    if (options.peepholeWeight !== undefined) {
      const peepholeWeight = withRank(options.peepholeWeight, 2);
      const [initialHiddenState, initialCellState] = [hiddenState, cellState].map((value) => withRank(value, 3));
      const whole = { ...cell, input: withRank(input, 3), peepholeWeight, initialHiddenState, initialCellState };
      return peepholeLstm(step, whole).slice(0, 2);
    }
    const { outputSingleTensor, outputCellSingleTensor } = step.add({
      ...{ type: 'lstm', ...networkOf(step, lstmGates, cell) },
      ...{ hiddenInitTensor: state(hiddenState), cellMemInitTensor: state(cellState) },
      ...{ outputSingleTensor: {}, outputCellSingleTensor: {} },
    });
    return present([outputSingleTensor, outputCellSingleTensor]);
  },
};

function present(values: readonly (Value | undefined)[]): readonly Value[] {
  return values.filter((value) => value !== undefined);
}
