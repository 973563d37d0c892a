import type { Family } from '../../descriptors/facts.js';
import { bytes, floats } from '../../descriptors/data-type-lists.js';

const resampleGradExplanation = [
  'Each gradient goes to the elements that its output element was computed from, with the same weights.',
  "Coordinate o of the incoming gradient lies at `(o - inputPixelOffset) / scale - outputPixelOffset` of the outgoing one: the two kinds of offsets have each other's place, compared with the forward operator.",
  "After an enlargement by 2 with the usual offsets, so with `inputPixelOffsets` -0.5 and `outputPixelOffsets` 0.5, `'linear'`: `[1, 2, 3, 4, 5, 6, 7, 8]` gives `[3.25, 7, 11, 14.75]`.",
];

const resample2Explanation = [
  'Output coordinate o lies at `(o - outputPixelOffset) / scale - inputPixelOffset` of the input, in each dimension. Beyond the edges, the first and the last element repeat.',
  "`'nearestNeighbor'` rounds a position between two elements up or down, as `roundingDirection` says; `'linear'` weights the two neighbours by their distance, in each dimension.",
  "To take the nearest elements, enlarging by 2 with `'decreasing'`, `inputPixelOffsets` 0 and `outputPixelOffsets` -0.5: `[10, 20]` gives `[10, 10, 20, 20]`.",
  "The usual offsets 0.5 and -0.5 align the centres of pixels for `'linear'`: `[10, 20]` gives `[10, 12.5, 17.5, 20]`.",
];

/** The default of `roundingDirection`. */
const anyWhileLinear = {
  rule: 'while',
  of: 'interpolationMode',
  is: 'linear',
  then: 'decreasing',
  source: ['measured on the DLL'],
  note: 'linear interpolation gives the same bits for both; for nearest neighbors the offsets depend on it',
} as const;

export const resample: Family = {
  meanings: {
    inputTensor: 'The tensor that is resized.',
    outputTensor: 'The resized tensor.',
    interpolationMode: 'How a value between input elements is found.',
    scales:
      "Factor by which the tensor grows, per dimension: above 1 enlarges, below 1 reduces; the output's sizes need not fit it.",
    inputPixelOffsets:
      'Position within an input element that its value stands for, per dimension: 0.5 is its centre, 0 its start.',
    outputPixelOffsets:
      'Position within an output element that its value stands for, negated, per dimension: -0.5 is its centre, 0 its start.',
    roundingDirection:
      "Which neighbour `'nearestNeighbor'` takes between two: the next one (`'increasing'`) or the one before (`'decreasing'`).",
  },
  operators: {
    upsample2d: {
      value: 66,
      since: '1.0',
      native: 'UPSAMPLE_2D',
      listed: { under: 'Resampling and regions of interest' },
      summary: 'Enlarges images by whole factors, by nearest neighbor or linear interpolation.',
      explanation: [
        'The centres of pixels are aligned: output coordinate o lies at `(o + 0.5) / scale - 0.5` of the input. Beyond the edges, the first and the last element repeat.',
      ],
      otherNames: {
        ONNX: ['Upsample'],
        WebNN: ['resample2d'],
        PyTorch: ['torch.nn.functional.interpolate', 'torch.nn.Upsample'],
        others: ['UpSampling2D'],
      },
      fields: {
        inputTensor: { kind: 'input', meaning: 'The images that are enlarged.', support: { '1.0': ['4 to 5', floats] } },
        outputTensor: { kind: 'output', meaning: 'The enlarged images.', support: 'inputTensor' },
        scaleSize: {
          kind: 'size2d',
          meaning: 'Whole factors by which width and height grow.',
          default: { rule: 'ratio of sizes', of: 'outputTensor', to: 'inputTensor', source: ['follows from the other fields'] },
        },
        interpolationMode: { kind: 'enum', enumName: 'InterpolationMode' },
      },
    },
    resample: {
      value: 96,
      since: '2.0',
      summary: 'Resizes a tensor by a scale per dimension, by nearest neighbor or linear interpolation.',
      explanation: [
        'The centres of pixels are aligned: output coordinate o lies at `(o + 0.5) / scale - 0.5` of the input. Beyond the edges, the first and the last element repeat.',
        "`'nearestNeighbor'` takes the nearest element, of two equally near ones the next (8-bit integers: always the one before); `'linear'` weights the two neighbours by their distance, in each dimension.",
      ],
      otherNames: {
        ONNX: ['Resize', 'Upsample'],
        WebNN: ['resample2d'],
        PyTorch: ['torch.nn.functional.interpolate'],
        others: ['tf.image.resize', 'bilinear', 'nearest'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          support: { '6.2': ['1 to 4', [...floats, ...bytes]], '5.1': ['1 to 4', floats], '2.0': ['4', floats] },
        },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        interpolationMode: { kind: 'enum', enumName: 'InterpolationMode' },
        scaleCount: { kind: 'uint' },
        scales: {
          kind: 'floatArray',
          countField: 'scaleCount',
          default: { rule: 'ratio of sizes', of: 'outputTensor', to: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
      },
    },
    resample1: {
      value: 116,
      since: '2.1',
      summary: 'Resizes a tensor by a scale and pixel offsets per dimension, by nearest neighbor or linear interpolation.',
      explanation: [
        'Output coordinate o lies at `(o - outputPixelOffset) / scale - inputPixelOffset` of the input, in each dimension. Beyond the edges, the first and the last element repeat.',
        "`'nearestNeighbor'` takes the nearest element, of two equally near ones the next (8-bit integers: always the one before); `'linear'` weights the two neighbours by their distance, in each dimension.",
        'The usual offsets 0.5 and -0.5 align the centres of pixels. With 0 for both, the first elements are aligned.',
      ],
      otherNames: {
        ONNX: ['Resize'],
        WebNN: ['resample2d'],
        PyTorch: ['torch.nn.functional.interpolate'],
        others: ['tf.image.resize', 'bilinear', 'nearest'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          support: { '6.2': ['1 to 4', [...floats, ...bytes]], '5.1': ['1 to 4', floats], '2.1': ['4', floats] },
        },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        interpolationMode: { kind: 'enum', enumName: 'InterpolationMode' },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor' },
        scales: {
          kind: 'floatArray',
          countField: 'dimensionCount',
          default: { rule: 'ratio of sizes', of: 'outputTensor', to: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        inputPixelOffsets: {
          kind: 'floatArray',
          countField: 'dimensionCount',
          default: { fill: 0.5, perDimensionOf: 'inputTensor', source: ['DirectMLX.h', "Microsoft's page", 'ONNX'] },
        },
        outputPixelOffsets: {
          kind: 'floatArray',
          countField: 'dimensionCount',
          default: { fill: -0.5, perDimensionOf: 'inputTensor', source: ['DirectMLX.h', "Microsoft's page", 'ONNX'] },
        },
      },
    },
    resample2: {
      value: 161,
      since: '5.1',
      summary:
        'Resizes a tensor by a scale and pixel offsets per dimension, with a choice of how the nearest neighbor is rounded.',
      adds: '`roundingDirection`, with which nearest neighbors need other offsets',
      explanation: resample2Explanation,
      otherNames: {
        ONNX: ['Resize'],
        WebNN: ['resample2d'],
        PyTorch: ['torch.nn.functional.interpolate'],
        others: ['tf.image.resize', 'bilinear', 'nearest'],
      },
      like: 'resample1',
      fields: {
        inputTensor: { support: { '6.2': ['1 to 4', [...floats, ...bytes]], '5.1': ['1 to 4', floats] } },
        roundingDirection: {
          after: 'interpolationMode',
          kind: 'enum',
          enumName: 'AxisDirection',
          default: anyWhileLinear,
          note: "No effect on linear interpolation. With nearest neighbors and the usual offsets 0.5 and -0.5, both directions shift the picture. To take the nearest elements use `'decreasing'` with `inputPixelOffsets` 0, or `'increasing'` with 1, and leave `outputPixelOffsets` at -0.5.",
        },
        inputPixelOffsets: {
          default: {
            fill: 0.5,
            perDimensionOf: 'inputTensor',
            source: ['DirectMLX.h', "Microsoft's page", 'ONNX'],
            note: "with 'nearestNeighbor' and a roundingDirection these move the picture: 4 elements by 2 give 1 2 2 3 3 4 4 4 for 'increasing'. The nearest element is 'increasing' with inputPixelOffsets 1, or 'decreasing' with 0, and -0.5 for the output",
          },
        },
        outputPixelOffsets: {
          default: {
            fill: -0.5,
            perDimensionOf: 'inputTensor',
            source: ['DirectMLX.h', "Microsoft's page", 'ONNX'],
            note: "with 'nearestNeighbor' and a roundingDirection these move the picture: 4 elements by 2 give 1 2 2 3 3 4 4 4 for 'increasing'. The nearest element is 'increasing' with inputPixelOffsets 1, or 'decreasing' with 0, and -0.5 for the output",
          },
        },
      },
    },
    resample3: {
      value: 175,
      since: '6.4',
      summary:
        'Resizes a tensor by a scale and pixel offsets per dimension, optionally with antialiasing where it becomes smaller.',
      explanation: resample2Explanation,
      otherNames: {
        ONNX: ['Resize'],
        WebNN: ['resample2d'],
        PyTorch: ['torch.nn.functional.interpolate'],
        others: ['downsample'],
        words: ['antialiasing'],
      },
      like: 'resample2',
      fields: {
        inputTensor: { support: { '6.4': ['1 to 4', [...floats, ...bytes]] } },
        antialiased: {
          kind: 'bool',
          meaning:
            'Whether a linear reduction to less than half the size passes through powers of two, so that it skips no elements.',
          default: { value: false, source: ['DirectMLX.h', 'ONNX'] },
        },
      },
    },
    resampleGrad: {
      value: 134,
      since: '3.0',
      summary: 'Computes the gradient of `resample1`: each incoming element goes back to the elements that it was computed from.',
      explanation: resampleGradExplanation,
      otherNames: { ONNX: ['ResizeGrad'], PyTorch: ['upsample_bilinear2d_backward'], others: ['gradient of resize'] },
      fields: {
        inputGradientTensor: { kind: 'input', support: { '5.1': ['1 to 4', floats], '3.0': ['4', floats] } },
        outputGradientTensor: { kind: 'output', support: 'inputGradientTensor' },
        interpolationMode: {
          kind: 'enum',
          enumName: 'InterpolationMode',
          meaning: 'How the forward operator finds a value between input elements.',
        },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputGradientTensor' },
        scales: {
          kind: 'floatArray',
          countField: 'dimensionCount',
          meaning: 'The scales of the forward operator, per dimension.',
          default: {
            rule: 'ratio of sizes',
            of: 'inputGradientTensor',
            to: 'outputGradientTensor',
            source: ['DirectMLX.h'],
            note: 'the scales of the forward operator',
          },
        },
        inputPixelOffsets: {
          kind: 'floatArray',
          countField: 'dimensionCount',
          meaning: 'The shift, in elements of the incoming gradient, that is subtracted before the scale divides, per dimension.',
          note: "Give the `outputPixelOffsets` of the forward operator, as a rule -0.5: DirectML takes the two kinds of offsets in each other's place here.",
          default: {
            fill: -0.5,
            perDimensionOf: 'inputGradientTensor',
            source: ['measured on the DLL'],
            note: "DirectMLX.h has 0.5 and -0.5 as for the forward operator, but the DLL takes the two kinds of offsets in each other's place: with these it gives 1 5 9 21 for gradients 1 to 8 by 2 (nearest), with -0.5 and 0.5 the true 3 7 11 15, and linear 3.25 7 11 14.75",
          },
        },
        outputPixelOffsets: {
          kind: 'floatArray',
          countField: 'dimensionCount',
          meaning: 'The shift, in elements of the outgoing gradient, that is subtracted after the scale divided, per dimension.',
          note: "Give the `inputPixelOffsets` of the forward operator, as a rule 0.5: DirectML takes the two kinds of offsets in each other's place here.",
          default: {
            fill: 0.5,
            perDimensionOf: 'inputGradientTensor',
            source: ['measured on the DLL'],
            note: "DirectMLX.h has 0.5 and -0.5 as for the forward operator, but the DLL takes the two kinds of offsets in each other's place: with these it gives 1 5 9 21 for gradients 1 to 8 by 2 (nearest), with -0.5 and 0.5 the true 3 7 11 15, and linear 3.25 7 11 14.75",
          },
        },
      },
    },
    resampleGrad1: {
      value: 162,
      since: '5.1',
      summary: 'Computes the gradient of `resample2`: each incoming element goes back to the elements that it was computed from.',
      adds: '`roundingDirection`, which resample2 has too',
      explanation: resampleGradExplanation,
      otherNames: { ONNX: ['ResizeGrad'], PyTorch: ['upsample_nearest2d_backward'], others: ['gradient of resize'] },
      like: 'resampleGrad',
      fields: {
        inputGradientTensor: { support: { '5.1': ['1 to 4', floats] } },
        roundingDirection: {
          after: 'interpolationMode',
          kind: 'enum',
          enumName: 'AxisDirection',
          default: anyWhileLinear,
          meaning:
            "Which neighbour the forward operator takes between two: the next one (`'increasing'`) or the one before (`'decreasing'`).",
        },
        inputPixelOffsets: {
          default: {
            fill: -0.5,
            perDimensionOf: 'inputGradientTensor',
            source: ['measured on the DLL'],
            note: "DirectMLX.h has 0.5 and -0.5 as for the forward operator, but the DLL takes the two kinds of offsets in each other's place: with these it gives 1 5 9 21 for gradients 1 to 8 by 2 (nearest), with -0.5 and 0.5 the true 3 7 11 15, and linear 3.25 7 11 14.75. With nearest neighbours: outputPixelOffsets 0 for decreasing, 1 for increasing",
          },
        },
        outputPixelOffsets: {
          default: {
            fill: 0.5,
            perDimensionOf: 'inputGradientTensor',
            source: ['measured on the DLL'],
            note: "DirectMLX.h has 0.5 and -0.5 as for the forward operator, but the DLL takes the two kinds of offsets in each other's place: with these it gives 1 5 9 21 for gradients 1 to 8 by 2 (nearest), with -0.5 and 0.5 the true 3 7 11 15, and linear 3.25 7 11 14.75. With nearest neighbours: outputPixelOffsets 0 for decreasing, 1 for increasing",
          },
        },
      },
    },
  },
};
