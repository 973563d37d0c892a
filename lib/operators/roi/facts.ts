import type { Family } from '../../descriptors/facts.js';
import { floats } from '../../descriptors/data-type-lists.js';

const roiAlign1Explanation = [
  'Sample s of an output row or column lies at `(s - outputPixelOffset) * size of the region / (output size * samples) + start of the region - inputPixelOffset` of the image, where samples is their number per output element.',
  'With `alignRegionsToCorners` the divisor is `output size * samples - 1`, so that the first and the last sample lie on the edges of the region.',
  "Samples at -1 and below, or at the image's size and above, are outside; with `alignRegionsToCorners`, those below 0 or above the size - 1. Between these limits and the edges, the edge element repeats.",
];

export const roi: Family = {
  meanings: {
    inputTensor: 'The images that regions are taken from.',
    roiTensor: 'The regions: left, top, right and bottom of each.',
    outputTensor: 'The regions, all of one size.',
    batchIndicesTensor: 'The index of the image in the batch that each region belongs to.',
    reductionFunction: "What is made of the samples of an output element: their `'average'` or their `'max'`.",
    interpolationMode: 'How a value between image elements is found.',
    spatialScaleX:
      'Factor from horizontal coordinates of regions to elements of the image, such as its width for coordinates from 0 to 1.',
    spatialScaleY:
      'Factor from vertical coordinates of regions to elements of the image, such as its height for coordinates from 0 to 1.',
    outOfBoundsInputValue: 'The value of samples that lie outside the image.',
    minimumSamplesPerOutput: 'Fewest samples that an output element takes along each dimension, at least 1.',
    maximumSamplesPerOutput:
      "Most samples that an output element takes along each dimension; between the limits, the region's size over the output's, rounded up.",
    inputPixelOffset: 'Position within an image element that its value stands for: 0.5 is its centre, 0 its start.',
    outputPixelOffset: 'Position of a sample within its part of the region, negated: -0.5 is the middle, 0 the start.',
    alignRegionsToCorners:
      'Whether the outermost samples lie on the edges of the region, instead of all samples in the middle of equal parts of it.',
  },
  operators: {
    roiPooling: {
      value: 59,
      since: '1.0',
      listed: { after: 'maxUnpooling' },
      summary: 'Divides each region of interest of an image into a grid and takes the largest element of each cell.',
      explanation: [
        'Corners are multiplied by `spatialScale` and rounded to whole elements, halves to the even one; both ends belong to the region.',
        'Cell i of n covers the elements from `floor(i * size / n)` up to, but without, `ceil((i + 1) * size / n)`. An empty cell is 0.',
      ],
      otherNames: {
        ONNX: ['MaxRoiPool'],
        PyTorch: ['torchvision.ops.roi_pool'],
        words: ['region of interest pooling', 'Fast R-CNN'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '1.0': ['4', floats] } },
        roiTensor: {
          kind: 'input',
          native: 'ROITensor',
          meaning: 'The regions: the index of an image, then left, top, right and bottom, both ends included.',
          support: 'inputTensor',
        },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        spatialScale: {
          kind: 'float',
          meaning:
            'Factor from coordinates of regions to elements of the image, such as 1/16 for features of a 16 times larger picture.',
          default: { value: 1, source: ['ONNX MaxRoiPool'] },
        },
        pooledSize: {
          kind: 'size2d',
          meaning: 'Number of cells, and so of output elements, across and down each region.',
          default: { rule: 'spatial size', of: 'outputTensor', source: ['follows from the other fields'] },
        },
      },
    },
    roiAlign: {
      value: 139,
      since: '3.0',
      listed: { after: 'resampleGrad1' },
      summary: 'Resamples regions of interest of images to one common size.',
      explanation: [
        'Sample s of an output row or column lies at `(s + 0.5) * size of the region / (output size * samples) + start of the region - 0.5` of the image, where samples is their number per output element.',
        "Samples at -1 and below, or at the image's size and above, are outside and count as `outOfBoundsInputValue`; between these limits and the edges, the edge element repeats.",
      ],
      otherNames: {
        ONNX: ['RoiAlign'],
        PyTorch: ['torchvision.ops.roi_align'],
        others: ['crop and resize'],
        words: ['region of interest', 'Mask R-CNN'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '5.0': ['4', floats], '3.0': ['4', floats] } },
        roiTensor: { kind: 'input', native: 'ROITensor', support: { '5.0': ['2 to 4', floats], '3.0': ['2 to 4', floats] } },
        batchIndicesTensor: {
          kind: 'input',
          indexes: { batchesOf: 'inputTensor' },
          support: { '5.0': ['1 to 4', ['uint64', 'uint32']], '3.0': ['1 to 4', ['uint32']] },
        },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        reductionFunction: {
          kind: 'enum',
          enumName: 'ReduceFunction',
          taken: ['average', 'max'],
          default: { value: 'average', source: ['ONNX'], note: 'mode avg' },
        },
        interpolationMode: {
          kind: 'enum',
          enumName: 'InterpolationMode',
          default: { value: 'linear', source: ['ONNX', "ONNX Runtime's DirectML provider"], note: 'ONNX has only bilinear' },
        },
        spatialScaleX: { kind: 'float', default: { value: 1, source: ['ONNX'] } },
        spatialScaleY: { kind: 'float', default: { value: 1, source: ['ONNX'] } },
        outOfBoundsInputValue: { kind: 'float', default: { value: 0, source: ["ONNX Runtime's DirectML provider"] } },
        minimumSamplesPerOutput: {
          kind: 'uint',
          default: {
            value: 1,
            source: ["ONNX Runtime's DirectML provider"],
            note: 'for sampling_ratio 0, the ONNX default: as many samples as the region has elements',
          },
        },
        maximumSamplesPerOutput: {
          kind: 'uint',
          default: {
            value: 4294967295,
            source: ["ONNX Runtime's DirectML provider"],
            note: 'for sampling_ratio 0; a huge region then takes as long as it is huge',
          },
        },
      },
    },
    roiAlign1: {
      value: 149,
      since: '4.0',
      summary: 'Resamples regions of interest of images to one common size, with pixel offsets and a separate scale per axis.',
      explanation: roiAlign1Explanation,
      otherNames: {
        ONNX: ['RoiAlign', 'CropAndResize'],
        PyTorch: ['torchvision.ops.roi_align'],
        others: ['tf.image.crop_and_resize'],
      },
      like: 'roiAlign',
      fields: {
        inputTensor: { support: { '5.0': ['4', floats], '4.0': ['4', floats] } },
        roiTensor: { support: { '5.0': ['2 to 4', floats], '4.0': ['2 to 4', floats] } },
        batchIndicesTensor: { support: { '5.0': ['1 to 4', ['uint64', 'uint32']], '4.0': ['1 to 4', ['uint32']] } },
        inputPixelOffset: {
          after: 'spatialScaleY',
          kind: 'float',
          default: { value: 0.5, source: ["Microsoft's page", 'ONNX'], note: 'coordinate_transformation_mode half_pixel' },
        },
        outputPixelOffset: {
          after: 'inputPixelOffset',
          kind: 'float',
          default: { value: -0.5, source: ["Microsoft's page", 'ONNX'] },
        },
        alignRegionsToCorners: { kind: 'bool', default: { value: false, source: ["Microsoft's page"] } },
      },
    },
    roiAlignGrad: {
      value: 150,
      since: '4.1',
      summary: 'Computes the gradients of `roiAlign1` with respect to its images and its regions.',
      explanation: roiAlign1Explanation,
      otherNames: { PyTorch: ['roi_align backward'], others: ['gradient of RoiAlign'] },
      fields: {
        inputTensor: {
          kind: 'input',
          optional: true,
          meaning: "The images of the forward operator, needed for `'max'` or for `outputRoiGradientTensor`.",
          support: { '4.1': ['4', floats] },
        },
        inputGradientTensor: { kind: 'input', support: 'inputTensor' },
        roiTensor: { kind: 'input', native: 'ROITensor', support: { '4.1': ['2 to 4', floats] } },
        batchIndicesTensor: {
          kind: 'input',
          indexes: { batchesOf: 'inputTensor', or: 'outputGradientTensor' },
          support: { '4.1': ['1 to 4', ['uint32']] },
        },
        outputGradientTensor: { kind: 'output', optional: true, support: 'inputTensor' },
        outputRoiGradientTensor: {
          kind: 'output',
          native: 'OutputROIGradientTensor',
          optional: true,
          meaning: 'The gradient of the loss with respect to the corners of the regions.',
          support: 'roiTensor',
        },
        reductionFunction: {
          kind: 'enum',
          enumName: 'ReduceFunction',
          taken: ['average', 'max'],
          meaning: "What the forward operator makes of samples: their `'average'` or their `'max'`.",
          default: { value: 'average', source: ['ONNX'], note: 'mode avg' },
        },
        interpolationMode: {
          kind: 'enum',
          enumName: 'InterpolationMode',
          meaning: 'How the forward operator finds a value between image elements.',
          default: { value: 'linear', source: ['ONNX', "ONNX Runtime's DirectML provider"], note: 'ONNX has only bilinear' },
        },
        spatialScaleX: { kind: 'float', default: { value: 1, source: ['ONNX'] } },
        spatialScaleY: { kind: 'float', default: { value: 1, source: ['ONNX'] } },
        inputPixelOffset: {
          kind: 'float',
          default: { value: 0.5, source: ["Microsoft's page", 'ONNX'], note: 'coordinate_transformation_mode half_pixel' },
        },
        outputPixelOffset: { kind: 'float', default: { value: -0.5, source: ["Microsoft's page", 'ONNX'] } },
        minimumSamplesPerOutput: {
          kind: 'uint',
          default: {
            value: 1,
            source: ["ONNX Runtime's DirectML provider"],
            note: 'for sampling_ratio 0, the ONNX default: as many samples as the region has elements',
          },
        },
        maximumSamplesPerOutput: {
          kind: 'uint',
          default: {
            value: 4294967295,
            source: ["ONNX Runtime's DirectML provider"],
            note: 'for sampling_ratio 0; a huge region then takes as long as it is huge',
          },
        },
        alignRegionsToCorners: { kind: 'bool', default: { value: false, source: ["Microsoft's page"] } },
      },
    },
  },
};
