/** The operators of ai.onnx.ml: tables, linear models, support vectors and trees. */
import type { Random } from '../harness/random.js';
import type { Draw, Draws, OnnxCase } from './case.js';
import { between, floatOf, numbers, range, Sketch, sizes } from './sketch.js';

const opsets = range(15, 20);
const tolerance = 1e-4;

function start(random: Random): Sketch {
  return new Sketch(random, opsets, 1);
}

function floatsOf(random: Random, count: number, limit = 2): { readonly floats: readonly number[] } {
  return { floats: numbers(count, () => between(random, -limit, limit)) };
}

/** Whole numbers that are not in order. */
function labels(random: Random, count: number): number[] {
  return random.distinct(count, 20).map((label) => label + 3);
}

/** Rows of numbers. Returns how many each has. */
function rows(sketch: Sketch): number {
  const { random } = sketch;
  const width = random.int(1, 5);
  sketch.drawn('float32', [random.int(1, 5), width], 3, 0);
  return width;
}

function features(random: Random): OnnxCase {
  const sketch = start(random);
  const dims = sizes(random, random.int(1, 3), 5);
  const type = random.pick(['float32', 'float64', 'int32', 'int64'] as const);
  sketch.drawn(type, dims);
  const chosen = random.int(1, 4);
  sketch.tensor(
    'int64',
    [1, chosen],
    numbers(chosen, () => random.int(0, (dims.at(-1) ?? 1) - 1)),
  );
  return sketch.finish('ai.onnx.ml:ArrayFeatureExtractor');
}

function binarizer(random: Random): OnnxCase {
  const sketch = start(random);
  sketch.maybe('threshold', () => floatOf(random, -1, 1));
  rows(sketch);
  return sketch.finish('ai.onnx.ml:Binarizer');
}

function scaler(random: Random): OnnxCase {
  const sketch = start(random);
  const width = rows(sketch);
  const count = random.pick([1, width]);
  sketch.attribute('offset', floatsOf(random, count));
  sketch.attribute('scale', floatsOf(random, count));
  return sketch.finish('ai.onnx.ml:Scaler', 1, tolerance);
}

function normalizer(random: Random): OnnxCase {
  const sketch = start(random);
  sketch.attribute('norm', random.pick(['L1', 'L2']));
  rows(sketch);
  return sketch.finish('ai.onnx.ml:Normalizer', 1, tolerance);
}

function imputer(random: Random): OnnxCase {
  const sketch = start(random);
  const [height, width] = [random.int(1, 5), random.int(1, 4)];
  const count = random.pick([1, width]);
  const isFloat = random.chance(0.6);
  const replaced = isFloat ? random.pick([NaN, 1]) : 1;
  const elements = numbers(height * width, () => (random.chance(0.4) ? replaced : random.int(0, 3)));
  if (isFloat) {
    sketch.attribute('imputed_value_floats', floatsOf(random, count));
    sketch.attribute('replaced_value_float', { float: replaced });
  } else {
    sketch.attribute(
      'imputed_value_int64s',
      numbers(count, () => random.int(-9, 9)),
    );
    sketch.attribute('replaced_value_int64', replaced);
  }
  sketch.tensor(isFloat ? 'float32' : 'int64', [height, width], elements);
  return sketch.finish('ai.onnx.ml:Imputer');
}

/** Some of the elements are no keys. */
function labelEncoder(random: Random): OnnxCase {
  const sketch = start(random);
  const count = random.int(1, 5);
  const keys = random.distinct(count, 8).slice(0, count);
  const [fromFloats, toFloats] = [random.chance(0.5), random.chance(0.5)];
  sketch.attribute(fromFloats ? 'keys_floats' : 'keys_int64s', fromFloats ? { floats: keys } : keys);
  const values = random.distinct(count, 9).slice(0, count);
  sketch.attribute(toFloats ? 'values_floats' : 'values_int64s', toFloats ? { floats: values } : values);
  if (toFloats) sketch.maybe('default_float', () => floatOf(random, -9, 9));
  else sketch.maybe('default_int64', () => random.int(-9, -1));
  const dims = sizes(random, random.int(1, 2), 5);
  sketch.tensor(
    fromFloats ? 'float32' : 'int64',
    dims,
    numbers(
      dims.reduce((product, size) => product * size, 1),
      () => random.int(0, 8),
    ),
  );
  return sketch.finish('ai.onnx.ml:LabelEncoder');
}

function oneHot(random: Random): OnnxCase {
  const sketch = start(random);
  const categories = random.distinct(random.int(1, 5), 8);
  const mayBeOther = random.chance(0.6);
  sketch.attribute('cats_int64s', categories);
  if (!mayBeOther || random.chance(0.5)) sketch.attribute('zeros', mayBeOther ? 1 : 0);
  const count = random.int(1, 6);
  sketch.tensor(
    random.pick(['int64', 'float32']),
    [count],
    numbers(count, () => (mayBeOther ? random.int(0, 9) : random.pick(categories))),
  );
  return sketch.finish('ai.onnx.ml:OneHotEncoder');
}

/** Parts that are narrower than their place are filled up with zeros. A vector is one row. */
function vectorizer(random: Random): OnnxCase {
  const sketch = start(random);
  const height = random.int(1, 4);
  const type = random.pick(['float32', 'float64', 'int32', 'int64'] as const);
  const widths = sizes(random, random.int(1, 3), 4);
  sketch.attribute('inputdimensions', widths);
  const rows = height === 1 && random.chance(0.5) ? [] : [height];
  for (const width of widths) sketch.drawn(type, [...rows, random.chance(0.7) ? width : random.int(1, width)], 9);
  return sketch.finish('ai.onnx.ml:FeatureVectorizer');
}

const transforms = ['NONE', 'LOGISTIC', 'SOFTMAX', 'SOFTMAX_ZERO'];

function linearRegressor(random: Random): OnnxCase {
  const sketch = start(random);
  const width = rows(sketch);
  const targets = random.int(1, 3);
  sketch.attribute('targets', targets);
  sketch.attribute('coefficients', floatsOf(random, targets * width));
  sketch.maybe('intercepts', () => floatsOf(random, targets));
  return sketch.finish('ai.onnx.ml:LinearRegressor', 1, tolerance);
}

function linearClassifier(random: Random): OnnxCase {
  const sketch = start(random);
  const width = rows(sketch);
  const classes = random.int(2, 4);
  const lines = classes === 2 ? random.pick([1, 2]) : classes;
  sketch.attribute('classlabels_ints', labels(random, classes));
  sketch.attribute('coefficients', floatsOf(random, lines * width));
  sketch.attribute('intercepts', floatsOf(random, lines));
  sketch.maybe('post_transform', () => random.pick(lines === 1 ? ['NONE', 'LOGISTIC'] : transforms));
  return sketch.finish('ai.onnx.ml:LinearClassifier', ['label', 'scores'], tolerance);
}

function kernel(sketch: Sketch): void {
  const { random } = sketch;
  sketch.attribute('kernel_type', random.pick(['LINEAR', 'POLY', 'RBF', 'SIGMOID']));
  sketch.attribute('kernel_params', { floats: [between(random, 0.05, 0.4), between(random, -0.5, 0.5), random.int(1, 3)] });
}

function supportRegressor(random: Random): OnnxCase {
  const sketch = start(random);
  const width = rows(sketch);
  const supports = random.int(1, 5);
  kernel(sketch);
  sketch.attribute('n_supports', supports);
  sketch.attribute('support_vectors', floatsOf(random, supports * width));
  sketch.attribute('coefficients', floatsOf(random, supports));
  sketch.attribute('rho', floatsOf(random, 1));
  sketch.maybe('one_class', () => random.int(0, 1), 0.3);
  return sketch.finish('ai.onnx.ml:SVMRegressor', 1, tolerance);
}

function supportClassifier(random: Random): OnnxCase {
  const sketch = start(random);
  const width = rows(sketch);
  const classes = random.int(2, 4);
  const counts = sizes(random, classes, 3);
  const supports = counts.reduce((sum, count) => sum + count, 0);
  const pairs = (classes * (classes - 1)) / 2;
  kernel(sketch);
  sketch.attribute('classlabels_ints', labels(random, classes));
  sketch.attribute('vectors_per_class', counts);
  sketch.attribute('support_vectors', floatsOf(random, supports * width));
  // If none is negative, ONNX's own program chooses the second of two classes always, and onnxruntime does not.
  const coefficients = floatsOf(random, supports * (classes - 1)).floats.with(0, -1);
  sketch.attribute('coefficients', { floats: coefficients });
  sketch.attribute('rho', floatsOf(random, pairs));
  if (random.chance(0.5)) {
    sketch.attribute('prob_a', floatsOf(random, pairs));
    sketch.attribute('prob_b', floatsOf(random, pairs));
  }
  return sketch.finish('ai.onnx.ml:SVMClassifier', ['label', 'scores'], tolerance);
}

/** One node of a tree. Those of a leaf have no meaning but the number of the node. */
interface TreeNode {
  readonly tree: number;
  readonly id: number;
  readonly mode: string;
  readonly feature: number;
  readonly value: number;
  readonly yes: number;
  readonly no: number;
  readonly missing: number;
}

/** A tree as its nodes, the root first. */
function grown(random: Random, tree: number, width: number): TreeNode[] {
  const nodes: TreeNode[] = [];
  const mode = random.pick(['BRANCH_LEQ', 'BRANCH_LT', 'BRANCH_GTE', 'BRANCH_GT', 'BRANCH_EQ', 'BRANCH_NEQ']);
  const grow = (depth: number): number => {
    const id = nodes.length;
    const leaf = { tree, id, mode: 'LEAF', feature: 0, value: 0, yes: 0, no: 0, missing: 0 };
    nodes.push(leaf);
    if (depth === 0 || random.chance(0.2)) return id;
    const [yes, no] = [grow(depth - 1), grow(depth - 1)];
    const value = random.int(-4, 4) / 2;
    nodes[id] = { tree, id, mode, feature: random.int(0, width - 1), value, yes, no, missing: random.int(0, 1) };
    return id;
  };
  grow(3);
  return nodes;
}

/** Adds lists of numbers with one for each row. */
function lists<Row>(
  sketch: ReturnType<typeof start>,
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => number>>,
) {
  for (const [name, column] of Object.entries(columns)) sketch.attribute(name, rows.map(column));
}

function trees(kind: 'class' | 'target'): Draw {
  return (random) => {
    const sketch = start(random);
    const [height, width] = [random.int(1, 5), random.int(1, 4)];
    sketch.tensor(
      'float32',
      [height, width],
      numbers(height * width, () => (random.chance(0.1) ? NaN : random.int(-5, 5) / 2)),
      0,
    );
    const nodes = range(0, random.int(0, 2)).flatMap((tree) => grown(random, tree, width));
    const leaves = nodes.filter(({ mode }) => mode === 'LEAF');
    const count = random.int(kind === 'class' ? 2 : 1, 4);
    lists(sketch, nodes, {
      nodes_treeids: ({ tree }) => tree,
      nodes_nodeids: ({ id }) => id,
      nodes_featureids: ({ feature }) => feature,
      nodes_truenodeids: ({ yes }) => yes,
      nodes_falsenodeids: ({ no }) => no,
      nodes_missing_value_tracks_true: ({ missing }) => missing,
    });
    sketch.attribute('nodes_modes', { texts: nodes.map(({ mode }) => mode) });
    sketch.attribute('nodes_values', { floats: nodes.map(({ value }) => value) });
    // A leaf has a weight for each target, because onnxruntime adds no base values to others. Two classes have one score.
    const isPair = kind === 'class' && count === 2;
    const votes = leaves.flatMap((leaf) => range(0, isPair ? 0 : count - 1).map((target) => ({ ...leaf, target })));
    lists(sketch, votes, {
      [`${kind}_treeids`]: ({ tree }) => tree,
      [`${kind}_nodeids`]: ({ id }) => id,
      [`${kind}_ids`]: ({ target }) => target,
    });
    // Of two classes, one with a score above 0.5 is chosen if no weight is negative.
    const least = isPair && random.chance(0.5) ? 0 : -2;
    sketch.attribute(`${kind}_weights`, { floats: votes.map(() => between(random, least, 2)) });
    if (kind === 'class') sketch.attribute('classlabels_int64s', isPair ? [0, 1] : labels(random, count));
    else {
      sketch.attribute('n_targets', count);
      sketch.maybe('aggregate_function', () => random.pick(['SUM', 'AVERAGE', 'MIN', 'MAX']));
    }
    sketch.maybe('base_values', () => floatsOf(random, isPair ? 1 : count), 0.4);
    // onnxruntime leaves the score of a single target as it is.
    const pairTransforms = isPair ? ['NONE', 'LOGISTIC'] : ['NONE'];
    sketch.maybe('post_transform', () => random.pick(count > 1 && !isPair ? transforms : pairTransforms), 0.4);
    return kind === 'class'
      ? sketch.finish('ai.onnx.ml:TreeEnsembleClassifier', ['label', 'scores'], tolerance)
      : sketch.finish('ai.onnx.ml:TreeEnsembleRegressor', 1, tolerance);
  };
}

export const mlDraws: Draws = {
  'ai.onnx.ml:ArrayFeatureExtractor': features,
  'ai.onnx.ml:Binarizer': binarizer,
  'ai.onnx.ml:Scaler': scaler,
  'ai.onnx.ml:Normalizer': normalizer,
  'ai.onnx.ml:Imputer': imputer,
  'ai.onnx.ml:LabelEncoder': labelEncoder,
  'ai.onnx.ml:OneHotEncoder': oneHot,
  'ai.onnx.ml:FeatureVectorizer': vectorizer,
  'ai.onnx.ml:LinearRegressor': linearRegressor,
  'ai.onnx.ml:LinearClassifier': linearClassifier,
  'ai.onnx.ml:SVMRegressor': supportRegressor,
  'ai.onnx.ml:SVMClassifier': supportClassifier,
  'ai.onnx.ml:TreeEnsembleRegressor': trees('target'),
  'ai.onnx.ml:TreeEnsembleClassifier': trees('class'),
};
