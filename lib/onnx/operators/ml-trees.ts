/** Ensembles of trees: TreeEnsembleClassifier, TreeEnsembleRegressor, and TreeEnsemble, which replaces both. */
import { checkedLength } from '../operand.js';
import type { Node } from '../node.js';
import type { Numbers } from './in-memory.js';
import type { Lowerings } from './lowering.js';
import { binaryScores, classified, labelsOf, rowByRow, transformOf, transforms } from './ml-scores.js';

/** What a leaf adds to targets, each with a weight. */
type Leaf = readonly (readonly [target: number, weight: number])[];

interface Branch {
  readonly isTrue: (row: Numbers) => boolean;
  /** The places of the next nodes. */
  readonly ifTrue: number;
  readonly ifFalse: number;
}

interface Trees {
  readonly nodes: readonly (Leaf | Branch)[];
  /** The place of the root of each tree. */
  readonly roots: Numbers;
}

export const treeOperators: Lowerings = {
  'ai.onnx.ml:TreeEnsembleRegressor'(node) {
    const targets = node.int('n_targets', 1);
    const scoresOf = aggregateOf(node, node.text('aggregate_function', 'SUM'), treesOf(node, 'target'), targets);
    const bases = attributeOf(node, 'base_values');
    const transform = transformOf(node);
    return rowByRow(node, targets, (row) => transform(withBases(scoresOf(row), bases)));
  },
  'ai.onnx.ml:TreeEnsembleClassifier'(node) {
    const labels = labelsOf(node, 'classlabels_int64s');
    const scoresOf = aggregateOf(node, 'SUM', treesOf(node, 'class'), Math.max(labels.length, 1));
    const bases = attributeOf(node, 'base_values');
    const isPositive = attributeOf(node, 'class_weights').every((weight) => weight >= 0);
    const transform = transformOf(node);
    const ids = node.ints('class_ids', []);
    const [only = 0] = ids;
    const isPair = labels.length === 2 && ids.every((id) => id === only);
    const labelOf = (place: number) => labels[place] ?? place;
    return classified(node, labels, (row) => {
      const scores = scoresOf(row);
      if (!isPair) {
        const all = withBases(scores, bases);
        return { label: labelOf(all.indexOf(Math.max(...all))), scores: transform(all) };
      }
      const score = (scores[only] ?? 0) + (bases[bases.length === 1 ? 0 : only] ?? 0);
      const label = labelOf(Number(score > (isPositive ? 0.5 : 0)));
      return { label, scores: only === 0 ? binaryScores(score, isPositive, transform) : transform([0, score]) };
    });
  },
  'ai.onnx.ml:TreeEnsemble'(node) {
    const targets = node.int('n_targets', 1);
    const name = Object.keys(aggregates)[node.int('aggregate_function', 1)] ?? '';
    const scoresOf = aggregateOf(node, name, newTreesOf(node), targets);
    const transform = transformOf(node, Object.keys(transforms)[node.int('post_transform', 0)] ?? '');
    return rowByRow(node, targets, (row) => transform(scoresOf(row)), node.input(0).dataType);
  },
};

/** The numbers of an attribute, which may be a tensor instead. */
function attributeOf(node: Node, name: string, other = `${name}_as_tensor`): Numbers {
  const tensor = node.tensor(other);
  return tensor === undefined ? (node.floats(name) ?? []) : node.numbers(tensor);
}

function withBases(scores: Numbers, bases: Numbers): Numbers {
  return scores.map((score, i) => score + (bases[i] ?? 0));
}

type Aggregate = readonly [start: number, join: (sum: number, weight: number) => number];

/** In the order of the numbers that TreeEnsemble has for them. */
const aggregates: Readonly<Record<string, Aggregate | undefined>> = {
  __proto__: null as never,
  AVERAGE: [0, (sum, weight) => sum + weight],
  SUM: [0, (sum, weight) => sum + weight],
  MIN: [Infinity, Math.min],
  MAX: [-Infinity, Math.max],
};

/** The scores of a row for each target. */
function aggregateOf(node: Node, name: string, { nodes, roots }: Trees, targets: number): (row: Numbers) => Numbers {
  const aggregate = aggregates[name];
  if (aggregate === undefined) throw node.unsupported('the aggregate function', name);
  const [start, join] = aggregate;
  return (row) => {
    const scores = new Array<number | undefined>(checkedLength(targets)).fill(undefined);
    const votes = roots.flatMap((root) => leafOf(nodes, root, row));
    for (const [target, weight] of votes) scores[target] = join(scores[target] ?? start, weight);
    return scores.map((score = 0) => (name === 'AVERAGE' ? score / roots.length : score));
  };
}

/** More branches than a path through any tree has. */
const mostBranches = 100_000;

function leafOf(nodes: Trees['nodes'], root: number, row: Numbers): Leaf {
  let place = root;
  for (let i = 0; i < mostBranches; i++) {
    const found = nodes[place];
    if (found === undefined) throw new RangeError('a branch of a tree leads to no node');
    if (!('isTrue' in found)) return found;
    place = found.isTrue(row) ? found.ifTrue : found.ifFalse;
  }
  throw new RangeError('a tree has no leaf');
}

/** In the order of the numbers that TreeEnsemble has for them; the next one is for members of sets. */
const comparisons: Readonly<Record<string, ((number: number, value: number) => boolean) | undefined>> = {
  __proto__: null as never,
  BRANCH_LEQ: (number, value) => number <= value,
  BRANCH_LT: (number, value) => number < value,
  BRANCH_GTE: (number, value) => number >= value,
  BRANCH_GT: (number, value) => number > value,
  BRANCH_EQ: (number, value) => number === value,
  BRANCH_NEQ: (number, value) => number !== value,
};

/** The nodes that are no leaves. They compare a feature with a value, or find it in a set. */
function branchesOf(
  node: Node,
  modes: readonly string[],
  values: readonly (number | ReadonlySet<number>)[],
  placeOf: (branch: number, next: number, isTrue: boolean) => number,
): readonly Branch[] {
  const [features, missing] = [node.ints('nodes_featureids', []), node.ints('nodes_missing_value_tracks_true', [])];
  const [ifTrue, ifFalse] = [node.ints('nodes_truenodeids', []), node.ints('nodes_falsenodeids', [])];
  return modes.map((mode, i) => {
    const value = values[i] ?? 0;
    const compare = mode === 'LEAF' ? () => false : comparisons[mode];
    if (typeof value === 'number' && compare === undefined) throw node.unsupported('the mode of a tree', mode);
    const isTrue = (row: Numbers) => {
      const number = row[features[i] ?? 0] ?? NaN;
      const holds = typeof value === 'number' ? compare?.(number, value) : value.has(number);
      return holds === true || (missing[i] === 1 && Number.isNaN(number));
    };
    return { isTrue, ifTrue: placeOf(i, ifTrue[i] ?? 0, true), ifFalse: placeOf(i, ifFalse[i] ?? 0, false) };
  });
}

/** The trees of the older operators, whose nodes name each other by tree and number. */
function treesOf(node: Node, prefix: 'class' | 'target'): Trees {
  const [ids, ownTrees] = [node.ints('nodes_nodeids', []), node.ints('nodes_treeids', [])];
  const trees = ids.map((_, i) => ownTrees[i] ?? 0);
  const keys = ids.map((id, i) => `${trees[i] ?? 0}:${id}`);
  const modes = node.texts('nodes_modes') ?? [];
  const places = new Map(keys.map((key, i) => [key, i]));
  const placeOf = (branch: number, next: number) => places.get(`${trees[branch] ?? 0}:${next}`) ?? -1;
  const branches = branchesOf(node, modes, attributeOf(node, 'nodes_values'), placeOf);
  const leaves = leavesOf(node, prefix);
  return {
    nodes: branches.map((branch, i) => (modes[i] === 'LEAF' ? (leaves.get(keys[i] ?? '') ?? []) : branch)),
    roots: [...new Set(trees)].map((tree) => trees.indexOf(tree)),
  };
}

/** By tree and number. */
function leavesOf(node: Node, prefix: 'class' | 'target'): ReadonlyMap<string, Leaf> {
  const [trees, ids] = [node.ints(`${prefix}_treeids`, []), node.ints(`${prefix}_nodeids`, [])];
  const targets = node.ints(`${prefix}_ids`, []);
  const leaves = new Map<string, Leaf>();
  for (const [i, weight] of attributeOf(node, `${prefix}_weights`).entries()) {
    const key = `${trees[i] ?? 0}:${ids[i] ?? 0}`;
    leaves.set(key, [...(leaves.get(key) ?? []), [targets[i] ?? 0, weight]]);
  }
  return leaves;
}

/** The trees of TreeEnsemble. Its leaves follow the branches. */
function newTreesOf(node: Node): Trees {
  const numbers = (name: string) => attributeOf(node, name, name);
  const [splits, modes, weights] = [numbers('nodes_splits'), numbers('nodes_modes'), numbers('leaf_weights')];
  const [trueLeaves, falseLeaves] = [node.ints('nodes_trueleafs', []), node.ints('nodes_falseleafs', [])];
  const leaves = node.ints('leaf_targetids', []).map((target, i): Leaf => [[target, weights[i] ?? 0]]);
  const sets = setsOf(numbers('membership_values'));
  const values = modes.map((mode, i) => (mode === 6 ? (sets.shift() ?? new Set<number>()) : (splits[i] ?? 0)));
  const names = modes.map((mode) => Object.keys(comparisons)[mode] ?? `${mode}`);
  const branches = branchesOf(node, names, values, (branch, next, isTrue) => {
    return (isTrue ? trueLeaves : falseLeaves)[branch] === 1 ? modes.length + next : next;
  });
  return { nodes: [...branches, ...leaves], roots: node.ints('tree_roots', []) };
}

/** Sets that NaN ends. */
function setsOf(members: Numbers): ReadonlySet<number>[] {
  const ends = [...members.keys()].filter((i) => Number.isNaN(members[i]));
  return ends.map((end, i) => new Set(members.slice((ends[i - 1] ?? -1) + 1, end)));
}
