/** A small example of every operator, for any data type and rank that opSupportLimits names. */
import type { MLGraphBuilder, MLOperand, MLOperandDataType } from 'node-directml/webnn';

/** The parts of which a sample is made. */
export interface Scene {
  readonly builder: MLGraphBuilder;
  /** The data type of the operator's first operand. */
  readonly dataType: MLOperandDataType;
  readonly rank: number;
  /** Makes an input, by default with the data type of the first operand and a shape of this rank. */
  input(shape?: readonly number[], dataType?: MLOperandDataType): MLOperand;
}

type Sample = (scene: Scene) => MLOperand | readonly MLOperand[];

type Unary = 'abs' | 'relu';
type Binary = 'add' | 'equal';

/** A shape of this rank. The last two dimensions have 2 and 4 elements, all others have 1. */
export function shapeOf(rank: number): readonly number[] {
  return Array.from({ length: rank }, (_, axis) => (axis === rank - 1 ? 4 : axis === rank - 2 ? 2 : 1));
}

/** Makes one sample per operator, for operators that are called in the same way. */
function each<Names extends string>(
  names: readonly Names[],
  make: (name: Names, scene: Scene) => MLOperand | readonly MLOperand[],
): Readonly<Record<string, Sample>> {
  return Object.fromEntries(names.map((name) => [name, (scene: Scene) => make(name, scene)]));
}

const unary = [
  ...['abs', 'ceil', 'cos', 'erf', 'exp', 'floor', 'identity', 'log', 'neg', 'reciprocal', 'roundEven', 'sin', 'sign', 'sqrt'],
  ...['tan', 'elu', 'gelu', 'hardSigmoid', 'hardSwish', 'leakyRelu', 'linear', 'relu', 'sigmoid', 'softplus', 'softsign'],
  ...['tanh', 'logicalNot', 'isNaN', 'isInfinite', 'reverse', 'triangular', 'transpose', 'layerNormalization'],
  ...['averagePool2d', 'l2Pool2d', 'maxPool2d', 'instanceNormalization'],
] as readonly Unary[];

const reductions = [
  ...['reduceL1', 'reduceL2', 'reduceLogSum', 'reduceLogSumExp', 'reduceMax', 'reduceMean', 'reduceMin', 'reduceProduct'],
  ...['reduceSum', 'reduceSumSquare'],
] as readonly 'reduceL1'[];

const keepOrNot = [{ keepDimensions: true }, { keepDimensions: false }];

const binary = [
  ...['add', 'sub', 'mul', 'div', 'max', 'min', 'pow', 'prelu', 'equal', 'notEqual', 'greater', 'greaterOrEqual', 'lesser'],
  ...['lesserOrEqual', 'logicalAnd', 'logicalOr', 'logicalXor'],
] as readonly Binary[];

const filter = [2, 1, 1, 1];

export const samples: Readonly<Record<string, Sample>> = {
  ...each(unary, (name, { builder, input }) => builder[name](input())),
  ...each(binary, (name, { builder, input }) => builder[name](input(), input())),
  ...each(reductions, (name, { builder, input }) => keepOrNot.map((options) => builder[name](input(), options))),
  ...each(['argMin', 'argMax'], (name, { builder, input, rank }) =>
    keepOrNot.map((options) => builder[name](input(), rank - 1, options)),
  ),
  ...each(['softmax', 'cumulativeSum'], (name, { builder, input, rank }) => builder[name](input(), rank - 1)),
  cast: ({ builder, input, dataType }) => {
    const types = ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8'] as const;
    return types.filter((other) => other !== dataType).map((other) => builder.cast(input(), other));
  },
  clamp: ({ builder, input }) => builder.clamp(input(), { minValue: 1, maxValue: 3 }),
  reshape: ({ builder, input, rank, dataType }) => {
    const turned = shapeOf(rank).toReversed();
    const reshaped = builder.reshape(input(), turned);
    // A view cannot be an output if it has 4 bits, because DirectML cannot copy such tensors. So the view is dequantized.
    return dataType.endsWith('int4') ? builder.dequantizeLinear(reshaped, input(turned, 'float32'), input(turned)) : reshaped;
  },
  expand: ({ builder, input, rank }) => builder.expand(input(same(rank, 1)), shapeOf(rank)),
  tile: ({ builder, input, rank }) => builder.tile(input(), same(rank, 2)),
  slice: ({ builder, input, rank }) => builder.slice(input(), same(rank, 0), same(rank, 1)),
  pad: ({ builder, input, rank }) => builder.pad(input(), same(rank, 1), same(rank, 0)),
  concat: ({ builder, input, rank }) => builder.concat([input(), input()], rank - 1),
  split: ({ builder, input, rank }) => builder.split(input(), 2, { axis: rank - 1 }),
  where: ({ builder, input, rank, dataType }) => {
    return dataType === 'uint8' ? builder.where(input(), input(shapeOf(rank), 'float32'), input(shapeOf(rank), 'float32')) : [];
  },
  gather: ({ builder, input }) =>
    indexTypes.flatMap((type) => [[2], []].map((shape) => builder.gather(input(), input(shape, type)))),
  gatherElements: ({ builder, input, rank }) =>
    indexTypes.map((type) => builder.gatherElements(input(), input(shapeOf(rank), type))),
  gatherND: ({ builder, input, rank }) =>
    indexTypes.flatMap((type) => [[2, 1], [rank]].map((shape) => builder.gatherND(input(), input(shape, type)))),
  scatterElements: ({ builder, input, rank }) => {
    return indexTypes.map((type) => builder.scatterElements(input(), input(shapeOf(rank), type), input()));
  },
  scatterND: ({ builder, input, rank }) => {
    return indexTypes.map((type) => builder.scatterND(input(), input([2, 1], type), input([2, ...shapeOf(rank).slice(1)])));
  },
  matmul: ({ builder, input, rank }) => builder.matmul(input(), builder.transpose(input(), { permutation: swapped(rank) })),
  gemm: ({ builder, input }) => builder.gemm(input(), input(), { bTranspose: true, c: input([]) }),
  conv2d: ({ builder, input }) => builder.conv2d(input(), input(filter), { bias: input([2]) }),
  convTranspose2d: ({ builder, input }) => builder.convTranspose2d(input(), input([1, 2, 1, 1]), { bias: input([2]) }),
  resample2d: ({ builder, input }) => [
    builder.resample2d(input(), { scales: [2, 2] }),
    builder.resample2d(input(), { scales: [2, 2], mode: 'linear' }),
  ],
  batchNormalization: ({ builder, input, rank }) => {
    const size = shapeOf(rank).slice(0, 1);
    return builder.batchNormalization(input(), input(size), input(size), { axis: 0 });
  },
  quantizeLinear: ({ builder, input, rank }) => {
    const types = ['int8', 'uint8', 'int32', 'uint32'] as const;
    return types.map((type) => builder.quantizeLinear(input(), input(), input(shapeOf(rank), type)));
  },
  dequantizeLinear: ({ builder, input, rank }) => {
    return (['float32', 'float16'] as const).map((type) =>
      builder.dequantizeLinear(input(), input(shapeOf(rank), type), input()),
    );
  },
  gru: ({ builder, input }) => {
    const state = { initialHiddenState: input([1, 2, 3]), bias: input([1, 9]), returnSequence: true };
    return builder.gru(input([1, 2, 4]), input([1, 9, 4]), input([1, 9, 3]), 1, 3, state);
  },
  gruCell: ({ builder, input }) => {
    return builder.gruCell(input([2, 4]), input([9, 4]), input([9, 3]), input([2, 3]), 3, { layout: 'rzn', bias: input([9]) });
  },
  lstm: ({ builder, input }) => {
    const state = { recurrentBias: input([2, 12]), peepholeWeight: input([2, 9]), returnSequence: true } as const;
    return builder.lstm(input([2, 2, 4]), input([2, 12, 4]), input([2, 12, 3]), 2, 3, { ...state, direction: 'both' });
  },
  lstmCell: ({ builder, input }) => {
    const [state, cell] = [input([2, 3]), input([2, 3])];
    return builder.lstmCell(input([2, 4]), input([12, 4]), input([12, 3]), state, cell, 3, { layout: 'ifgo' });
  },
};

const indexTypes = ['int32', 'uint32', 'int64'] as const;

function same(rank: number, value: number): readonly number[] {
  return new Array<number>(rank).fill(value);
}

/** All axes, with the last two swapped. */
function swapped(rank: number): readonly number[] {
  return Array.from({ length: rank }, (_, axis) => (axis < rank - 2 ? axis : 2 * rank - 3 - axis));
}
