import type { Family } from '../../descriptors/facts.js';
import { bytes, floats, integersUpTo32Bits } from '../../descriptors/data-type-lists.js';

export const matrixMultiply: Family = {
  meanings: {
    aTensor: 'The left matrix of each product.',
    bTensor: 'The right matrix of each product.',
    outputTensor: 'The products.',
  },
  operators: {
    gemm: {
      value: 54,
      since: '1.0',
      listed: { under: 'Matrix products' },
      call: { broadcast: ['cTensor'] },
      summary:
        'Multiplies matrices, with transposition, factors, an addend and an activation: `output = activation(alpha * a × b + beta * c)`.',
      otherNames: {
        ONNX: ['Gemm', 'MatMul', 'FusedMatMul'],
        WebNN: ['gemm', 'matmul'],
        PyTorch: ['torch.matmul', 'torch.mm', 'torch.bmm', 'torch.addmm', 'torch.nn.functional.linear'],
        others: ['np.matmul', 'np.dot', 'dense layer', 'fully connected', 'tf.linalg.matmul'],
        words: ['batch matmul', 'matrix multiplication', 'dot product'],
      },
      fields: {
        aTensor: {
          kind: 'input',
          shape: '{ [BatchCount], [ChannelCount], M, K }',
          support: { '4.0': ['2 to 4', floats], '1.0': ['4', floats] },
        },
        bTensor: { kind: 'input', shape: '{ [BatchCount], [ChannelCount], K, N }', support: 'aTensor' },
        cTensor: {
          kind: 'input',
          optional: true,
          meaning: 'The matrices that are multiplied by `beta` and added to the product.',
          shape: '{ [BatchCount], [ChannelCount], M, N }',
          note: '`outputTensor` cannot be bound to its bytes: DirectML may write the product there before it adds C.',
          support: 'aTensor',
        },
        outputTensor: { kind: 'output', shape: '{ [BatchCount], [ChannelCount], M, N }', support: 'aTensor' },
        transA: {
          kind: 'enum',
          enumName: 'MatrixTransform',
          meaning: 'Whether rows and columns of `aTensor` change places before the product.',
          default: { value: 'none', source: ['DirectMLX.h', 'ONNX'] },
        },
        transB: {
          kind: 'enum',
          enumName: 'MatrixTransform',
          meaning: 'Whether rows and columns of `bTensor` change places before the product.',
          default: { value: 'none', source: ['DirectMLX.h', 'ONNX'] },
        },
        alpha: {
          kind: 'float',
          meaning: 'Factor of the product `a × b`.',
          default: { value: 1, source: ['DirectMLX.h', 'ONNX'] },
        },
        beta: {
          kind: 'float',
          meaning: 'Factor of `cTensor`; it has no effect without that tensor.',
          default: { value: 1, source: ['DirectMLX.h', 'ONNX'] },
        },
        fusedActivation: { kind: 'operator', optional: true },
      },
    },
    matrixMultiplyInteger: {
      value: 117,
      since: '2.1',
      summary:
        'Multiplies matrices of 8-bit integers minus their zero points, into 32-bit integers: `output = (a - aZeroPoint) × (b - bZeroPoint)`.',
      explanation: ['`output = Σ (a - aZeroPoint) * (b - bZeroPoint)`, over a row of A and a column of B, as int32.'],
      otherNames: { ONNX: ['MatMulInteger'], PyTorch: ['torch._int_mm'], others: ['integer matmul'] },
      fields: {
        aTensor: {
          kind: 'input',
          shape: '{ [BatchCount], [ChannelCount], M, K }',
          support: { '5.2': ['2 to 4', bytes], '4.0': ['2 to 4', bytes], '2.1': ['4', bytes] },
        },
        aZeroPointTensor: {
          kind: 'input',
          optional: true,
          shape: '{ [1], [1], AZeroPointCount, [1] }',
          support: { '5.2': ['1 to 4', bytes], '4.0': ['1 to 4', bytes], '2.1': ['4', bytes] },
        },
        bTensor: { kind: 'input', ownDataType: true, shape: '{ [BatchCount], [ChannelCount], K, N }', support: 'aTensor' },
        bZeroPointTensor: {
          kind: 'input',
          ownDataType: true,
          optional: true,
          shape: '{ [1], [1], [1], BZeroPointCount }',
          support: { '5.2': ['1 to 4', bytes], '4.0': ['2 to 4', bytes], '2.1': ['4', bytes] },
        },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          shape: '{ [BatchCount], [ChannelCount], M, N }',
          support: { '5.2': ['2 to 4', ['int32']], '4.0': ['2 to 4', ['int32']], '2.1': ['4', ['int32']] },
        },
      },
    },
    matrixMultiplyIntegerToFloat: {
      value: 170,
      since: '6.2',
      summary:
        'Multiplies matrices of 8-bit integers and scales the result to floats: `output = aScale * (a - aZeroPoint) × bScale * (b - bZeroPoint) + bias`.',
      explanation: [
        '`output = Σ (a - aZeroPoint) * aScale * (b - bZeroPoint) * bScale + bias`, over a row of A and a column of B.',
      ],
      otherNames: { ONNX: ['MatMulIntegerToFloat', 'DynamicQuantizeMatMul'], words: ['int8 matmul to float'] },
      fields: {
        aTensor: {
          kind: 'input',
          meaning: 'The left matrix of each product, as integers that `aScaleTensor` and `aZeroPointTensor` interpret.',
          shape: '{ [BatchCount], [ChannelCount], M, K }',
          support: { '6.2': ['2 to 4', integersUpTo32Bits] },
        },
        aScaleTensor: { kind: 'input', shape: '{ AScaleDimensions[] }', support: { '6.2': ['1 to 4', floats] } },
        aZeroPointTensor: {
          kind: 'input',
          optional: true,
          shape: '{ [1], [1], AZeroPointCount, [1] }',
          support: { '6.2': ['1 to 4', integersUpTo32Bits] },
        },
        bTensor: {
          kind: 'input',
          ownDataType: true,
          meaning: 'The right matrix of each product, as integers that `bScaleTensor` and `bZeroPointTensor` interpret.',
          shape: '{ [BatchCount], [ChannelCount], K, N }',
          support: 'aTensor',
        },
        bScaleTensor: { kind: 'input', shape: '{ BScaleDimensions[] }', support: 'aScaleTensor' },
        bZeroPointTensor: {
          kind: 'input',
          ownDataType: true,
          optional: true,
          shape: '{ [1], [1], [1], BZeroPointCount }',
          support: 'aZeroPointTensor',
        },
        biasTensor: {
          kind: 'input',
          optional: true,
          meaning: 'What is added to each element of the scaled product.',
          shape: '{ [BatchCount], [ChannelCount], M, N }',
          support: { '6.2': ['2 to 4', floats] },
        },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          shape: '{ [BatchCount], [ChannelCount], M, N }',
          support: 'biasTensor',
        },
      },
    },
    quantizedLinearMatrixMultiply: {
      value: 118,
      since: '2.1',
      summary: 'Multiplies quantized matrices: both become floats, and the product is quantized again.',
      explanation: [
        '`sum = Σ (a - aZeroPoint) * (b - bZeroPoint)`, over a row of A and a column of B; `output = clamp(round(sum * aScale * bScale / outputScale) + outputZeroPoint)`.',
      ],
      otherNames: { ONNX: ['QLinearMatMul'], others: ['quantized matmul'] },
      fields: {
        aTensor: {
          kind: 'input',
          meaning: 'The left matrix of each product, as integers that `aScaleTensor` and `aZeroPointTensor` interpret.',
          support: { '4.0': ['2 to 4', bytes], '2.1': ['4', bytes] },
        },
        aScaleTensor: { kind: 'input', support: { '4.0': ['1 to 4', ['float32']], '2.1': ['4', ['float32']] } },
        aZeroPointTensor: { kind: 'input', optional: true, support: { '4.0': ['1 to 4', bytes], '2.1': ['4', bytes] } },
        bTensor: {
          kind: 'input',
          ownDataType: true,
          meaning: 'The right matrix of each product, as integers that `bScaleTensor` and `bZeroPointTensor` interpret.',
          support: 'aTensor',
        },
        bScaleTensor: { kind: 'input', support: 'aScaleTensor' },
        bZeroPointTensor: { kind: 'input', ownDataType: true, optional: true, support: 'aZeroPointTensor' },
        outputScaleTensor: { kind: 'input', support: 'aScaleTensor' },
        outputZeroPointTensor: { kind: 'input', ownDataType: true, optional: true, support: 'aZeroPointTensor' },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          meaning: 'The products, as integers that `outputScaleTensor` and `outputZeroPointTensor` interpret.',
          support: 'aTensor',
        },
      },
    },
  },
};
