import type { Family } from '../../descriptors/facts.js';
import { floats } from '../../descriptors/data-type-lists.js';

export const recurrent: Family = {
  meanings: {
    inputTensor: 'The inputs of all steps of all sequences.',
    weightTensor: 'Weights of the inputs, a matrix for each gate.',
    recurrenceTensor: 'Weights of the previous state, a matrix for each gate.',
    biasTensor: 'What is added in each gate: all biases of the inputs, then all of the recurrence; without this tensor nothing.',
    hiddenInitTensor: 'The state before the first step; without this tensor 0.',
    sequenceLengthsTensor: 'Number of steps of each sequence; without this tensor all of them.',
    outputSequenceTensor: 'The states after each step; 0 after the end of a shorter sequence.',
    outputSingleTensor: 'The state after the last step of each sequence.',
    direction: 'The order in which the steps of a sequence are processed.',
  },
  operators: {
    rnn: {
      value: 76,
      since: '1.0',
      listed: { under: 'Recurrent networks' },
      inGraphs: 'recurrent',
      summary: 'Runs a layer of a simple recurrent network over sequences: `h[t] = activation(w × x[t] + r × h[t - 1] + bias)`.',
      explanation: [
        'State: `H = f(X × Wᵀ + Wb + H × Rᵀ + Rb)`, for each step and direction.',
        'W is `weightTensor`, R is `recurrenceTensor`; `biasTensor` holds Wb, then Rb.',
      ],
      otherNames: { ONNX: ['RNN'], PyTorch: ['torch.nn.RNN'], others: ['SimpleRNN', 'Elman network'] },
      fields: {
        inputTensor: { kind: 'input', support: { '1.0': ['4', floats] } },
        weightTensor: { kind: 'input', support: 'inputTensor' },
        recurrenceTensor: { kind: 'input', support: 'inputTensor' },
        biasTensor: {
          kind: 'input',
          optional: true,
          meaning:
            'What is added before the activation: the bias of the inputs, then that of the recurrence; without this tensor nothing.',
          support: 'inputTensor',
        },
        hiddenInitTensor: { kind: 'input', optional: true, support: 'inputTensor' },
        sequenceLengthsTensor: { kind: 'input', optional: true, support: { '1.0': ['4', ['uint32']] } },
        outputSequenceTensor: { kind: 'output', optional: true, support: 'inputTensor' },
        outputSingleTensor: { kind: 'output', optional: true, support: 'inputTensor' },
        activationDescCount: { kind: 'uint' },
        activationDescs: {
          kind: 'operatorArray',
          countField: 'activationDescCount',
          meaning: 'The activation f of the new state, one for each direction, the forward one first.',
          default: { rule: 'activations per direction', activations: ['activationTanh'], source: ['ONNX'] },
        },
        direction: { kind: 'enum', enumName: 'RecurrentNetworkDirection', default: { value: 'forward', source: ['ONNX'] } },
      },
    },
    lstm: {
      value: 77,
      since: '1.0',
      inGraphs: 'recurrent',
      summary: 'Runs a layer of long short-term memory over sequences, with input, output and forget gates and a cell state.',
      explanation: [
        'Input gate: `input = f(X × Wiᵀ + Wbi + H × Riᵀ + Rbi + Pi * C)`.',
        'Forget gate: `forget = f(X × Wfᵀ + Wbf + H × Rfᵀ + Rbf + Pf * C)`; with `coupleInputForget`, `1 - input`.',
        'Candidate: `candidate = g(X × Wcᵀ + Wbc + H × Rcᵀ + Rbc)`.',
        'Cell: `C = forget * C + input * candidate`.',
        'Output gate, which sees the new cell: `output = f(X × Woᵀ + Wbo + H × Roᵀ + Rbo + Po * C)`.',
        'State: `H = output * h(C)`.',
        'Order of the gates in weights, recurrence weights and biases: input i, output o, forget f, cell c (the candidate). `biasTensor` holds the four W biases, then the four R biases; `peepholeTensor` holds Pi, Po, Pf.',
      ],
      otherNames: { ONNX: ['LSTM'], WebNN: ['lstm', 'lstmCell'], PyTorch: ['torch.nn.LSTM'], others: ['long short-term memory'] },
      fields: {
        inputTensor: { kind: 'input', support: { '1.0': ['4', floats] } },
        weightTensor: { kind: 'input', support: 'inputTensor' },
        recurrenceTensor: { kind: 'input', support: 'inputTensor' },
        biasTensor: { kind: 'input', optional: true, support: 'inputTensor' },
        hiddenInitTensor: { kind: 'input', optional: true, support: 'inputTensor' },
        cellMemInitTensor: {
          kind: 'input',
          optional: true,
          meaning: 'The content of the cells before the first step; without this tensor 0.',
          support: 'inputTensor',
        },
        sequenceLengthsTensor: { kind: 'input', optional: true, support: { '1.0': ['4', ['uint32']] } },
        peepholeTensor: {
          kind: 'input',
          optional: true,
          meaning:
            'Weights of the cell in the input, output and forget gates; without this tensor the gates do not see the cell.',
          support: 'inputTensor',
        },
        outputSequenceTensor: { kind: 'output', optional: true, support: 'inputTensor' },
        outputSingleTensor: { kind: 'output', optional: true, support: 'inputTensor' },
        outputCellSingleTensor: {
          kind: 'output',
          optional: true,
          meaning: 'The content of the cells after the last step.',
          support: 'inputTensor',
        },
        activationDescCount: { kind: 'uint' },
        activationDescs: {
          kind: 'operatorArray',
          countField: 'activationDescCount',
          meaning:
            'Three activations for each direction: f for the three gates, g for the candidate, h for the cell on its way to the output.',
          default: {
            rule: 'activations per direction',
            activations: ['activationSigmoid', 'activationTanh', 'activationTanh'],
            source: ['ONNX'],
          },
        },
        direction: { kind: 'enum', enumName: 'RecurrentNetworkDirection', default: { value: 'forward', source: ['ONNX'] } },
        clipThreshold: {
          kind: 'float',
          meaning:
            'The limit, with both signs, of the sums that enter the activations of the gates; it counts only with `useClipThreshold`.',
          default: { value: 0, source: ['ONNX'], note: 'does not count while useClipThreshold is false' },
        },
        useClipThreshold: {
          kind: 'bool',
          meaning: 'Whether sums are limited to ±`clipThreshold` before the activations of the gates.',
          default: { value: false, source: ['ONNX'] },
        },
        coupleInputForget: {
          kind: 'bool',
          meaning: 'Whether the forget gate is 1 minus the input gate, instead of a gate with weights of its own.',
          default: { value: false, source: ['ONNX'] },
        },
      },
    },
    gru: {
      value: 78,
      since: '1.0',
      inGraphs: 'recurrent',
      summary: 'Runs a layer of gated recurrent units over sequences, with update and reset gates.',
      explanation: [
        'Update gate: `z = f(X × Wzᵀ + Wbz + H × Rzᵀ + Rbz)`.',
        'Reset gate: `r = f(X × Wrᵀ + Wbr + H × Rrᵀ + Rbr)`.',
        'Candidate: `h = g(X × Whᵀ + Wbh + (r * H) × Rhᵀ + Rbh)`; with `linearBeforeReset`, `h = g(X × Whᵀ + Wbh + r * (H × Rhᵀ + Rbh))`.',
        'State: `H = (1 - z) * h + z * H`.',
        'Order of the gates in weights, recurrence weights and biases: update z, reset r, hidden h (the candidate). `biasTensor` holds the three W biases, then the three R biases.',
      ],
      otherNames: { ONNX: ['GRU'], WebNN: ['gru', 'gruCell'], PyTorch: ['torch.nn.GRU'], others: ['gated recurrent unit'] },
      fields: {
        inputTensor: { kind: 'input', support: { '1.0': ['4', floats] } },
        weightTensor: { kind: 'input', support: 'inputTensor' },
        recurrenceTensor: { kind: 'input', support: 'inputTensor' },
        biasTensor: { kind: 'input', optional: true, support: 'inputTensor' },
        hiddenInitTensor: { kind: 'input', optional: true, support: 'inputTensor' },
        sequenceLengthsTensor: { kind: 'input', optional: true, support: { '1.0': ['4', ['uint32']] } },
        outputSequenceTensor: { kind: 'output', optional: true, support: 'inputTensor' },
        outputSingleTensor: { kind: 'output', optional: true, support: 'inputTensor' },
        activationDescCount: { kind: 'uint' },
        activationDescs: {
          kind: 'operatorArray',
          countField: 'activationDescCount',
          meaning: 'Two activations for each direction: f for the update and reset gates, then g for the candidate.',
          default: { rule: 'activations per direction', activations: ['activationSigmoid', 'activationTanh'], source: ['ONNX'] },
        },
        direction: { kind: 'enum', enumName: 'RecurrentNetworkDirection', default: { value: 'forward', source: ['ONNX'] } },
        linearBeforeReset: {
          kind: 'bool',
          meaning: 'Whether the reset gate multiplies the state after the recurrence weights and their bias, instead of before.',
        },
      },
    },
  },
};
