/** The operators of ai.onnx.ml for numbers: tables, linear models, support vectors and trees, which JavaScript computes. */
import { productOf } from '../../tensors/tensor-size.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import { numbersOf, reshaped } from '../operand.js';
import { dot, mapInMemory, partsOf, type Numbers } from './in-memory.js';
import type { Lowering, Lowerings } from './lowering.js';
import { binaryScores, classified, labelsOf, rowByRow, rowsOf, transformOf, transforms } from './ml-scores.js';
import { supportOperators } from './ml-support-vectors.js';
import { treeOperators } from './ml-trees.js';
import { taken } from './move-helpers.js';

export const mlOperators: Lowerings = {
  'ai.onnx.ml:ArrayFeatureExtractor'(node) {
    const [input, indices] = [node.input(0), node.input(1)];
    const count = productOf(indices.dims);
    const made = taken(node, input, input.dims.length - 1, node.reshape(indices, [count]));
    return input.dims.length === 1 ? reshaped(made, [1, count]) : made;
  },
  'ai.onnx.ml:Binarizer'(node) {
    const threshold = node.float('threshold', 0);
    return mapInMemory(node, node.input(0), (number) => Number(number > threshold));
  },
  'ai.onnx.ml:Scaler'(node) {
    const [offsetAt, scaleAt] = [perColumn(node, node.floats('offset'), 0), perColumn(node, node.floats('scale'), 1)];
    return mapInMemory(node, node.input(0), (number, place) => (number - offsetAt(place)) * scaleAt(place), 'float32');
  },
  'ai.onnx.ml:Normalizer'(node) {
    const name = node.text('norm', 'MAX');
    const norm = norms[name];
    if (norm === undefined) throw node.unsupported('the norm', name);
    const { dims } = node.input(0);
    const made = rowByRow(node, dims.at(-1) ?? 1, (row) => {
      const divisor = Math.max(norm(row), 1e-30);
      return row.map((each) => each / divisor);
    });
    return reshaped(made, dims);
  },
  'ai.onnx.ml:Imputer'(node) {
    const floats = node.floats('imputed_value_floats') ?? [];
    const isFloat = floats.length > 0;
    const replaced = isFloat ? node.float('replaced_value_float', 0) : node.int('replaced_value_int64', 0);
    const valueAt = perColumn(node, isFloat ? floats : node.ints('imputed_value_int64s'), undefined);
    return mapInMemory(node, node.input(0), (number, place) => {
      const isReplaced = number === replaced || (Number.isNaN(number) && Number.isNaN(replaced));
      return isReplaced ? (valueAt(place) ?? number) : number;
    });
  },
  'ai.onnx.ml:LabelEncoder': labelEncoder,
  'ai.onnx.ml:OneHotEncoder'(node) {
    const categories = node.ints('cats_int64s', []);
    if (categories.length === 0) throw node.unsupported('categories', 'of strings');
    const mayBeOther = node.flag('zeros', true);
    return node.computeOne([node.input(0)], (input) => {
      const made = numbersOf(input).flatMap((number) => {
        const row = categories.map((category) => Number(category === Math.trunc(number)));
        if (!mayBeOther && !row.includes(1)) throw new RangeError(`${number} is none of the categories`);
        return row;
      });
      return hostOperand('float32', [...input.dims, categories.length], made);
    });
  },
  'ai.onnx.ml:FeatureVectorizer'(node) {
    const widths = node.ints('inputdimensions', []);
    return node.computeOne(node.inputs, (...given) => {
      const all = given.map((each, i) => {
        const rows = rowsOf(each);
        const width = widths[i] ?? rows[0]?.length ?? 0;
        return rows.map((row) => Array.from({ length: width }, (_, k) => row[k] ?? 0));
      });
      const rows = (all[0] ?? []).map((_, i) => all.flatMap((part) => part[i] ?? []));
      return hostOperand('float32', [rows.length, rows[0]?.length ?? 0], rows.flat());
    });
  },
  'ai.onnx.ml:LinearRegressor'(node) {
    const targets = node.int('targets', 1);
    const transform = transformOf(node);
    const score = linear(node, targets);
    return rowByRow(node, targets, (row) => transform(score(row)));
  },
  'ai.onnx.ml:LinearClassifier': linearClassifier,
  ...supportOperators,
  ...treeOperators,
};

/** The value for the column of a place in the input: one of a list, or the same for all. */
function perColumn<T>(node: Node, values: Numbers = [], byDefault: T): (place: number) => number | T {
  const width = node.input(0).dims.at(-1) ?? 1;
  return (place) => values[values.length === 1 ? 0 : place % width] ?? byDefault;
}

const norms: Readonly<Record<string, ((row: Numbers) => number) | undefined>> = {
  __proto__: null as never,
  MAX: (row) => row.reduce((most, each) => Math.max(most, Math.abs(each)), 0),
  L1: (row) => row.reduce((sum, each) => sum + Math.abs(each), 0),
  L2: (row) => Math.sqrt(dot(row, row)),
};

function labelEncoder(node: Node): ReturnType<Lowering> {
  if (node.texts('keys_strings') !== undefined || node.texts('values_strings') !== undefined) {
    throw node.unsupported('labels', 'of strings');
  }
  const [keysTensor, valuesTensor, defaultTensor] = ['keys', 'values', 'default'].map((name) => node.tensor(`${name}_tensor`));
  const keys = keysTensor ? node.numbers(keysTensor) : (node.floats('keys_floats') ?? node.ints('keys_int64s', []));
  const floats = node.floats('values_floats');
  const values = valuesTensor ? node.elements(valuesTensor) : (floats ?? node.ints('values_int64s', []));
  const plain = floats === undefined ? node.int('default_int64', -1) : node.float('default_float', -0);
  const [other = 0] = defaultTensor ? node.elements(defaultTensor) : [plain];
  const table = new Map(keys.map((key, i) => [key, values[i]]));
  const dataType = valuesTensor?.dataType ?? (floats === undefined ? 'int64' : 'float32');
  return mapInMemory(node, node.input(0), (number) => table.get(number) ?? other, dataType);
}

/** The scores of a row: sums of its numbers times coefficients. */
function linear(node: Node, count: number): (row: Numbers) => Numbers {
  const lines = partsOf(node.floats('coefficients') ?? [], count);
  const intercepts = node.floats('intercepts') ?? [];
  return (row) => lines.map((line, target) => dot(row, line, intercepts[target]));
}

function linearClassifier(node: Node): ReturnType<Lowering> {
  const labels = labelsOf(node, 'classlabels_ints');
  const transform = transformOf(node);
  const count = Math.round((node.floats('coefficients')?.length ?? 0) / (node.input(0).dims.at(-1) ?? 1));
  const score = linear(node, count);
  const isPair = count === 1 && labels.length === 2;
  const least = transform === transforms['NONE'] ? 0 : 0.5;
  return classified(node, labels, (row) => {
    const sums = score(row);
    const [first = 0] = sums;
    const both = isPair ? [-first, first] : sums;
    const scores = isPair ? binaryScores(first, true, transform) : transform(sums);
    const single = (scores[0] ?? 0) >= least ? (labels[0] ?? 1) : 0;
    return { label: both.length > 1 ? (labels[both.indexOf(Math.max(...both))] ?? 0) : single, scores };
  });
}
