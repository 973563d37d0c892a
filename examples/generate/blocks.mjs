// The parts of a decoder of the Llama family. Each is a function of values of a graph.
import {
  activationSwish,
  dequantize,
  elementWiseAdd as add,
  elementWiseMultiply as multiply,
  gather,
  gemm,
  meanVarianceNormalization2,
  slice1,
} from 'node-directml/operators';

/** @typedef {import('node-directml').Value} Value */
/** @typedef {Value | { integers: Value, scales: Value }} Matrix The sizes are [out, in]; each scale is for a block of a row. */
/** @typedef {{ inputNorm: Value, query: Matrix, key: Matrix, value: Matrix }} AttentionWeights */
/** @typedef {{ output: Matrix, middleNorm: Value, gate: Matrix, up: Matrix, down: Matrix }} FeedForwardWeights */
/** @typedef {{ cos: Value, sin: Value }} Rotation A row for each token. The first half of a row of sines is negative. */
/** @typedef {{ epsilon: number, headSize: number }} Settings */

/** The rows of the rotation's tables for tokens after `length` others. `offsets` are 0, 1, 2, … */
export function rotationAt(/** @type {Rotation} */ tables, /** @type {Value} */ length, /** @type {Value} */ offsets) {
  const positions = add(offsets, length);
  return { cos: rowsOf(tables.cos, positions), sin: rowsOf(tables.sin, positions) };
}

/** Some rows of a table, such as the embeddings of tokens. The indices have the sizes [1, n]. */
export function rowsOf(/** @type {Value} */ table, /** @type {Value} */ indices) {
  return gather(table, indices, { axis: 0, indexDimensions: 1 });
}

/** Queries, keys and values of the tokens in the rows of `x`. */
export function project(
  /** @type {Value} */ x,
  /** @type {AttentionWeights} */ weights,
  /** @type {Rotation} */ rotation,
  /** @type {Settings} */ { epsilon, headSize },
) {
  const normal = rmsNorm(x, weights.inputNorm, epsilon);
  const batch = (/** @type {Value} */ rows) => rows.reshape([1, ...rows.sizes]);
  return {
    query: batch(rotate(linear(normal, weights.query), rotation, headSize)),
    key: batch(rotate(linear(normal, weights.key), rotation, headSize)),
    value: batch(linear(normal, weights.value)),
  };
}

/** What follows the attention in a layer: its last product, and the network of SwiGLU. Both are added to their input. */
export function feedForward(
  /** @type {Value} */ x,
  /** @type {Value} */ attended,
  /** @type {FeedForwardWeights} */ weights,
  /** @type {Settings} */ { epsilon },
) {
  const middle = linear(attended.reshape(attended.sizes.slice(1)), weights.output, { cTensor: x });
  const normal = rmsNorm(middle, weights.middleNorm, epsilon);
  const gated = multiply(activationSwish(linear(normal, weights.gate)), linear(normal, weights.up));
  return linear(gated, weights.down, { cTensor: middle });
}

/** Divides each row by the root of the mean of its squares, and multiplies it by the scale, a row itself. */
export function rmsNorm(/** @type {Value} */ x, /** @type {Value} */ scale, /** @type {number} */ epsilon) {
  return meanVarianceNormalization2(x, { scaleTensor: scale, axes: [1], useMean: false, epsilon });
}

/** The product of rows with a matrix [out, in]. */
export function linear(/** @type {Value} */ x, /** @type {Matrix} */ matrix, /** @type {{ cTensor?: Value }} */ options = {}) {
  const weights = 'scales' in matrix ? dequantize(matrix.integers, [matrix.scales]) : matrix;
  return gemm(x, weights, { transB: 'transpose', ...options });
}

/** Rotates both halves of each head against each other: `[a, b]` becomes `[a · cos − b · sin, b · cos + a · sin]`. */
function rotate(/** @type {Value} */ x, /** @type {Rotation} */ { cos, sin }, /** @type {number} */ headSize) {
  const [tokens = 0, width = 0] = x.sizes;
  const sizes = [tokens, width / headSize, 2, headSize / 2];
  const halves = x.reshape(sizes);
  const swapped = slice1(halves, {
    inputWindowOffsets: [0, 0, 0, 0],
    inputWindowSizes: sizes,
    inputWindowStrides: [1, 1, -1, 1],
  });
  const rotated = add(
    multiply(halves, cos.reshape([tokens, 1, 1, headSize / 2])),
    multiply(swapped, sin.reshape([tokens, 1, 2, headSize / 2])),
  );
  return rotated.reshape([tokens, width]);
}
