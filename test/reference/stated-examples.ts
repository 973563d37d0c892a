/** Programs for the examples in the sentences of lib/schema, by what the sentence is about: its input in, its output out. */
import type { Device, OperatorDescriptor, Tensor } from 'node-directml';

/** Takes the numbers of the example's input, and returns a tensor with those of its output. */
export type Program = (device: Device, input: readonly number[]) => Promise<Tensor>;

type Field<Type extends OperatorDescriptor['type'], Name extends keyof OperatorDescriptor<Type>> = NonNullable<
  OperatorDescriptor<Type>[Name]
>;

export const programs: Readonly<Record<string, Program | readonly Program[]>> = {
  'ReduceFunction.argmax': reduce('argmax'),
  'ReduceFunction.argmin': reduce('argmin'),
  'ReduceFunction.average': reduce('average'),
  'ReduceFunction.l1': reduce('l1'),
  'ReduceFunction.l2': reduce('l2'),
  'ReduceFunction.logSum': reduce('logSum'),
  'ReduceFunction.logSumExp': reduce('logSumExp'),
  'ReduceFunction.max': reduce('max'),
  'ReduceFunction.min': reduce('min'),
  'ReduceFunction.multiply': reduce('multiply'),
  'ReduceFunction.sum': reduce('sum'),
  'ReduceFunction.sumSquare': reduce('sumSquare'),
  'ConvolutionMode.convolution': convolve('convolution'),
  'ConvolutionMode.crossCorrelation': convolve('crossCorrelation'),
  'PaddingMode.constant': pad('constant'),
  'PaddingMode.edge': pad('edge'),
  'PaddingMode.reflection': pad('reflection'),
  'PaddingMode.symmetric': pad('symmetric'),
  'PaddingMode.wrap': pad('wrap'),
  'InterpolationMode.nearestNeighbor': enlarge('nearestNeighbor'),
  'InterpolationMode.linear': enlarge('linear'),
  'RoundingMode.halvesToNearestEven': round('halvesToNearestEven'),
  'RoundingMode.towardZero': round('towardZero'),
  'RoundingMode.towardInfinity': round('towardInfinity'),
};

function floats(device: Device, values: readonly number[], sizes: readonly number[] = [values.length]): Tensor {
  return device.createTensor({ dataType: 'float32', sizes }, values);
}

function reduce(name: Field<'reduce', 'function'>): Program {
  const dataType = name === 'argmax' || name === 'argmin' ? 'uint32' : 'float32';
  return async (device, input) =>
    (await device.run({ type: 'reduce', function: name, inputTensor: floats(device, input), outputTensor: { dataType } }))
      .outputTensor;
}

function convolve(mode: Field<'convolution', 'mode'>): Program {
  return async (device, input) => {
    const inputTensor = floats(device, input, [1, 1, 1, input.length]);
    const filterTensor = floats(device, [1, 2, 3], [1, 1, 1, 3]);
    const padding = { startPadding: [0, 1], endPadding: [0, 1] };
    return (await device.run({ type: 'convolution', mode, inputTensor, filterTensor, ...padding })).outputTensor;
  };
}

function pad(paddingMode: Field<'padding', 'paddingMode'>): Program {
  return async (device, input) => {
    const padding = { paddingMode, paddingValue: 9, startPadding: [2], endPadding: [2] };
    return (await device.run({ type: 'padding', inputTensor: floats(device, input), ...padding })).outputTensor;
  };
}

function enlarge(interpolationMode: Field<'resample1', 'interpolationMode'>): Program {
  return async (device, input) => {
    const outputTensor = { dataType: 'float32', sizes: [input.length * 2] } as const;
    const inputTensor = floats(device, input);
    return (await device.run({ type: 'resample1', interpolationMode, inputTensor, outputTensor })).outputTensor;
  };
}

function round(roundingMode: Field<'elementWiseRound', 'roundingMode'>): Program {
  return async (device, input) =>
    (await device.run({ type: 'elementWiseRound', roundingMode, inputTensor: floats(device, input) })).outputTensor;
}
