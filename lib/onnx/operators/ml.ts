/** The operators of ai.onnx.ml for numbers: tables, linear models, support vectors and trees, which JavaScript computes. */
import { productOf } from '../../validation/tensor-size.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import { numbersOf, reshaped, type HostOperand, type Operand } from '../operand.js';
import type { Lowering, Lowerings } from './lowering.js';
import { labelsOf, labelsTensor, rowsOf, secondScores, transformOf, type Transform } from './ml-scores.js';
import { supportOperators } from './ml-support-vectors.js';
import { treeOperators } from './ml-trees.js';
import { taken } from './move-helpers.js';

export const mlOperators: Lowerings = {
  'ai.onnx.ml:ArrayFeatureExtractor'(node) {
    const input = node.input(0);
    const indices = node.input(1);
    const count = productOf(indices.dims);
    const made = taken(node, input, input.dims.length - 1, node.reshape(indices, [count]));
    return input.dims.length === 1 ? reshaped(made, [1, count]) : made;
  },
  'ai.onnx.ml:Binarizer'(node) {
    const threshold = node.float('threshold', 0);
    return node.compute([node.input(0)], (input) => [mapped(input, (number) => Number(number > threshold), input)]);
  },
  'ai.onnx.ml:Scaler'(node) {
    const offsets = node.floats('offset') ?? [];
    const scales = node.floats('scale') ?? [];
    return node.compute([node.input(0)], (input) => [
      mapped(input, (number, column) => (number - (perColumn(offsets, column) ?? 0)) * (perColumn(scales, column) ?? 1)),
    ]);
  },
  'ai.onnx.ml:Normalizer'(node) {
    const norm = norms[node.text('norm', 'MAX')];
    if (norm === undefined) throw node.unsupported('the norm', node.text('norm', 'MAX'));
    return node.compute([node.input(0)], (input) => {
      const rows = rowsOf(input).map((row) => {
        const divisor = Math.max(norm(row), 1e-30);
        return row.map((each) => each / divisor);
      });
      return [hostOperand('float32', input.dims, rows.flat())];
    });
  },
  'ai.onnx.ml:Imputer'(node) {
    const floats = node.floats('imputed_value_floats') ?? [];
    const values = floats.length > 0 ? floats : node.ints('imputed_value_int64s', []);
    const replaced = floats.length > 0 ? node.float('replaced_value_float', 0) : node.int('replaced_value_int64', 0);
    return node.compute([node.input(0)], (input) => [
      mapped(
        input,
        (number, column) =>
          number === replaced || (Number.isNaN(number) && Number.isNaN(replaced))
            ? (perColumn(values, column) ?? number)
            : number,
        input,
      ),
    ]);
  },
  'ai.onnx.ml:LabelEncoder': labelEncoder,
  'ai.onnx.ml:OneHotEncoder'(node) {
    const categories = node.ints('cats_int64s', []);
    if (categories.length === 0) throw node.unsupported('categories', 'of strings');
    const mayBeOther = node.flag('zeros', true);
    return node.compute([node.input(0)], (input) => {
      const made = numbersOf(input).flatMap((number) => {
        const row = categories.map((category) => Number(category === Math.trunc(number)));
        if (!mayBeOther && !row.includes(1)) throw new RangeError(`${number} is none of the categories`);
        return row;
      });
      return [hostOperand('float32', [...input.dims, categories.length], made)];
    });
  },
  'ai.onnx.ml:FeatureVectorizer'(node) {
    const widths = node.ints('inputdimensions', []);
    return node.compute(node.inputs, (...given) => {
      const all = given.map((each, i) => {
        const rows = each.dims.length === 1 ? numbersOf(each).map((number) => [number]) : rowsOf(each);
        const width = widths[i] ?? rows[0]?.length ?? 0;
        return rows.map((row) => Array.from({ length: width }, (_, k) => row[k] ?? 0));
      });
      const rows = (all[0] ?? []).map((_, i) => all.flatMap((part) => part[i] ?? []));
      return [hostOperand('float32', [rows.length, rows[0]?.length ?? 0], rows.flat())];
    });
  },
  'ai.onnx.ml:LinearRegressor'(node) {
    const targets = node.int('targets', 1);
    const transform = transformOf(node, node.text('post_transform', 'NONE'));
    const score = linear(node, targets);
    return node.compute([node.input(0)], (input) => {
      const rows = rowsOf(input).map((row) => transform(score(row)));
      return [hostOperand('float32', [rows.length, targets], rows.flat())];
    });
  },
  'ai.onnx.ml:LinearClassifier': linearClassifier,
  ...supportOperators,
  ...treeOperators,
};

/** A value for each column, or one for all. */
function perColumn(values: readonly number[], column: number): number | undefined {
  return values.length === 1 ? values[0] : values[column];
}

/** Each number, with its place in the last dimension. The output is of float32 unless it is like another tensor. */
function mapped(input: HostOperand, map: (number: number, column: number) => number, output?: Operand): HostOperand {
  const width = input.dims.at(-1) ?? 1;
  const numbers = numbersOf(input).map((number, i) => map(number, i % width));
  return hostOperand(output?.dataType ?? 'float32', input.dims, numbers);
}

const norms: Readonly<Record<string, ((row: readonly number[]) => number) | undefined>> = {
  __proto__: null as never,
  MAX: (row) => row.reduce((most, each) => Math.max(most, Math.abs(each)), 0),
  L1: (row) => row.reduce((sum, each) => sum + Math.abs(each), 0),
  L2: (row) => Math.sqrt(row.reduce((sum, each) => sum + each * each, 0)),
};

function labelEncoder(node: Node): ReturnType<Lowering> {
  if (node.texts('keys_strings') !== undefined || node.texts('values_strings') !== undefined) {
    throw node.unsupported('labels', 'of strings');
  }
  const [keysTensor, valuesTensor, defaultTensor] = ['keys_tensor', 'values_tensor', 'default_tensor'].map((name) =>
    node.tensor(name),
  );
  const keys = keysTensor ? node.numbers(keysTensor) : (node.floats('keys_floats') ?? node.ints('keys_int64s', []));
  const floats = node.floats('values_floats');
  const values = valuesTensor ? node.elements(valuesTensor) : (floats ?? node.ints('values_int64s', []));
  const other = defaultTensor
    ? node.elements(defaultTensor)[0]
    : floats === undefined
      ? node.int('default_int64', -1)
      : node.float('default_float', -0);
  const dataType = valuesTensor?.dataType ?? (floats === undefined ? 'int64' : 'float32');
  const table = new Map(keys.map((key, i) => [key, values[i]]));
  return node.compute([node.input(0)], (input) => {
    return [
      hostOperand(
        dataType,
        input.dims,
        numbersOf(input).map((number) => table.get(number) ?? other ?? 0),
      ),
    ];
  });
}

/** The scores of a row: sums of its numbers times coefficients. */
function linear(node: Node, count: number): (row: readonly number[]) => readonly number[] {
  const coefficients = node.floats('coefficients') ?? [];
  const intercepts = node.floats('intercepts') ?? [];
  const width = coefficients.length / count;
  return (row) =>
    Array.from({ length: count }, (_, target) =>
      row.reduce((sum, number, i) => sum + number * (coefficients[target * width + i] ?? 0), intercepts[target] ?? 0),
    );
}

function linearClassifier(node: Node): ReturnType<Lowering> {
  const labels = labelsOf(node, 'classlabels_ints');
  const name = node.text('post_transform', 'NONE');
  const transform: Transform = transformOf(node, name);
  const [, width = 1] = node.input(0).dims.length === 1 ? [1, ...node.input(0).dims] : node.input(0).dims;
  const count = Math.round((node.floats('coefficients')?.length ?? 0) / width);
  const score = linear(node, count);
  return node.compute([node.input(0)], (input) => {
    const rows = rowsOf(input).map((row) => {
      const scores = score(row);
      return transform(count === 1 && labels.length === 2 ? secondScores(scores[0] ?? 0) : scores);
    });
    const made = rows.map((scores) => {
      if (scores.length > 1) return labels[scores.indexOf(Math.max(...scores))] ?? 0;
      return (scores[0] ?? 0) >= (name === 'NONE' ? 0 : 0.5) ? (labels[0] ?? 1) : 0;
    });
    return [labelsTensor(made), hostOperand('float32', [rows.length, rows[0]?.length ?? 0], rows.flat())];
  });
}
