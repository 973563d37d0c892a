/** Ensembles of trees: TreeEnsembleClassifier, TreeEnsembleRegressor, and TreeEnsemble, which replaces both. */
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import type { Lowerings } from './lowering.js';
import { binaryScores, labelsOf, labelsTensor, rowsOf, transformOf } from './ml-scores.js';

/** What a leaf adds to a target. */
interface Vote {
  readonly target: number;
  readonly weight: number;
}

interface Leaf {
  readonly votes: readonly Vote[];
}

interface Branch {
  readonly feature: number;
  readonly isTrue: (number: number) => boolean;
  readonly ifTrue: () => Tree;
  readonly ifFalse: () => Tree;
}

type Tree = Leaf | Branch;

export const treeOperators: Lowerings = {
  'ai.onnx.ml:TreeEnsembleRegressor'(node) {
    const targets = node.int('n_targets', 1);
    const trees = treesOf(node, 'target');
    const aggregate = aggregateOf(node, node.text('aggregate_function', 'SUM'));
    const bases = attributeOf(node, 'base_values');
    const transform = transformOf(node, node.text('post_transform', 'NONE'));
    return node.compute([node.input(0)], (input) => {
      const rows = rowsOf(input).map((row) => transform(withBases(aggregate(trees, row, targets), bases)));
      return [hostOperand('float32', [rows.length, targets], rows.flat())];
    });
  },
  'ai.onnx.ml:TreeEnsembleClassifier'(node) {
    const labels = labelsOf(node, 'classlabels_int64s');
    const trees = treesOf(node, 'class');
    const ids = node.ints('class_ids', []);
    const bases = attributeOf(node, 'base_values');
    const isPositive = attributeOf(node, 'class_weights').every((weight) => weight >= 0);
    const name = node.text('post_transform', 'NONE');
    const transform = transformOf(node, name);
    const [only = 0] = ids;
    const isPair = labels.length === 2 && ids.every((id) => id === only);
    const sum = aggregateOf(node, 'SUM');
    return node.compute([node.input(0)], (input) => {
      const results = rowsOf(input).map((row) => {
        const scores = sum(trees, row, Math.max(labels.length, 1));
        if (!isPair) {
          const all = withBases(scores, bases);
          return { label: all.indexOf(Math.max(...all)), scores: transform(all) };
        }
        const score = (scores[only] ?? 0) + (bases[bases.length === 1 ? 0 : only] ?? 0);
        const label = Number(score > (isPositive ? 0.5 : 0));
        return { label, scores: only === 0 ? binaryScores(score, isPositive, name, transform) : transform([0, score]) };
      });
      const width = results[0]?.scores.length ?? labels.length;
      return [
        labelsTensor(results.map(({ label }) => labels[label] ?? label)),
        hostOperand(
          'float32',
          [results.length, width],
          results.flatMap(({ scores }) => scores),
        ),
      ];
    });
  },
  'ai.onnx.ml:TreeEnsemble'(node) {
    const targets = node.int('n_targets', 1);
    const trees = newTreesOf(node);
    const aggregate = aggregateOf(node, ['AVERAGE', 'SUM', 'MIN', 'MAX'][node.int('aggregate_function', 1)] ?? '');
    const names = ['NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO', 'PROBIT'];
    const transform = transformOf(node, names[node.int('post_transform', 0)] ?? '');
    return node.compute([node.input(0)], (input) => {
      const rows = rowsOf(input).map((row) => transform(aggregate(trees, row, targets)));
      return [hostOperand(input.dataType, [rows.length, targets], rows.flat())];
    });
  },
};

/** The numbers of an attribute, which may be a tensor instead. */
function attributeOf(node: Node, name: string): readonly number[] {
  const tensor = node.tensor(`${name}_as_tensor`);
  return tensor === undefined ? (node.floats(name) ?? []) : node.numbers(tensor);
}

function withBases(scores: readonly number[], bases: readonly number[]): readonly number[] {
  return scores.map((score, i) => score + (bases[i] ?? 0));
}

type Aggregate = (trees: readonly Tree[], row: readonly number[], targets: number) => readonly number[];

function aggregateOf(node: Node, name: string): Aggregate {
  const collected =
    (start: number, join: (sum: number, weight: number) => number): Aggregate =>
    (trees, row, targets) => {
      const scores = new Array<number | undefined>(targets).fill(undefined);
      for (const tree of trees)
        for (const { target, weight } of leafOf(tree, row).votes) scores[target] = join(scores[target] ?? start, weight);
      return scores.map((score) => score ?? 0);
    };
  const sum = collected(0, (total, weight) => total + weight);
  switch (name) {
    case 'SUM':
      return sum;
    case 'AVERAGE':
      return (trees, row, targets) => sum(trees, row, targets).map((score) => score / trees.length);
    case 'MIN':
      return collected(Infinity, Math.min);
    case 'MAX':
      return collected(-Infinity, Math.max);
    default:
      throw node.unsupported('the aggregate function', name);
  }
}

/** More branches than a path through any tree has. */
const mostBranches = 100_000;

function leafOf(tree: Tree, row: readonly number[]): Leaf {
  let place = tree;
  for (let i = 0; i < mostBranches; i++) {
    if ('votes' in place) return place;
    place = place.isTrue(row[place.feature] ?? NaN) ? place.ifTrue() : place.ifFalse();
  }
  throw new RangeError('a tree has no leaf');
}

const comparisons: Readonly<Record<string, ((number: number, value: number) => boolean) | undefined>> = {
  __proto__: null as never,
  BRANCH_LEQ: (number, value) => number <= value,
  BRANCH_LT: (number, value) => number < value,
  BRANCH_GTE: (number, value) => number >= value,
  BRANCH_GT: (number, value) => number > value,
  BRANCH_EQ: (number, value) => number === value,
  BRANCH_NEQ: (number, value) => number !== value,
};

function comparisonOf(node: Node, mode: string, value: number, tracksMissing: boolean): Branch['isTrue'] {
  const compare = comparisons[mode];
  if (compare === undefined) throw node.unsupported('the mode of a tree', mode);
  return (number) => compare(number, value) || (tracksMissing && Number.isNaN(number));
}

/** The roots of the trees of the older operators, whose nodes name each other by tree and number. */
function treesOf(node: Node, prefix: 'class' | 'target'): readonly Tree[] {
  const [ids, ownTrees] = [node.ints('nodes_nodeids', []), node.ints('nodes_treeids', [])];
  const [ifTrue, ifFalse] = [node.ints('nodes_truenodeids', []), node.ints('nodes_falsenodeids', [])];
  const [features, missing] = [node.ints('nodes_featureids', []), node.ints('nodes_missing_value_tracks_true', [])];
  const modes = node.texts('nodes_modes') ?? [];
  const values = attributeOf(node, 'nodes_values');
  const votes = votesOf(node, prefix);
  const all = new Map<string, Tree>();
  const find = (key: string) => () => {
    const found = all.get(key);
    if (found === undefined) throw new RangeError(`a tree has no node ${key}`);
    return found;
  };
  const roots = new Map<number, Tree>();
  for (const [i, id] of ids.entries()) {
    const own = ownTrees[i] ?? 0;
    const mode = modes[i] ?? '';
    const tree: Tree =
      mode === 'LEAF'
        ? { votes: votes.get(`${own}:${id}`) ?? [] }
        : {
            feature: features[i] ?? 0,
            isTrue: comparisonOf(node, mode, values[i] ?? 0, missing[i] === 1),
            ifTrue: find(`${own}:${ifTrue[i] ?? 0}`),
            ifFalse: find(`${own}:${ifFalse[i] ?? 0}`),
          };
    all.set(`${own}:${id}`, tree);
    if (!roots.has(own)) roots.set(own, tree);
  }
  return [...roots.values()];
}

/** What each leaf adds, by its tree and number. */
function votesOf(node: Node, prefix: 'class' | 'target'): ReadonlyMap<string, readonly Vote[]> {
  const [trees, ids] = [node.ints(`${prefix}_treeids`, []), node.ints(`${prefix}_nodeids`, [])];
  const targets = node.ints(`${prefix}_ids`, []);
  const votes = new Map<string, Vote[]>();
  for (const [i, weight] of attributeOf(node, `${prefix}_weights`).entries()) {
    const key = `${trees[i] ?? 0}:${ids[i] ?? 0}`;
    const own = votes.get(key) ?? [];
    own.push({ target: targets[i] ?? 0, weight });
    votes.set(key, own);
  }
  return votes;
}

/** The roots of the trees of TreeEnsemble. */
function newTreesOf(node: Node): readonly Tree[] {
  const numbers = (name: string) => {
    const tensor = node.tensor(name);
    return tensor === undefined ? [] : node.numbers(tensor);
  };
  const [splits, modes, members] = [numbers('nodes_splits'), numbers('nodes_modes'), numbers('membership_values')];
  const [features, missing] = [node.ints('nodes_featureids', []), node.ints('nodes_missing_value_tracks_true', [])];
  const [ifTrue, ifFalse] = [node.ints('nodes_truenodeids', []), node.ints('nodes_falsenodeids', [])];
  const [trueLeaves, falseLeaves] = [node.ints('nodes_trueleafs', []), node.ints('nodes_falseleafs', [])];
  const weights = numbers('leaf_weights');
  const leaves = node.ints('leaf_targetids', []).map((target, i): Leaf => ({ votes: [{ target, weight: weights[i] ?? 0 }] }));
  const sets = setsOf(members);
  let next = 0;
  const branches = modes.map((mode, i): Branch => {
    const tracksMissing = missing[i] === 1;
    const set = mode === 6 ? (sets[next++] ?? new Set<number>()) : undefined;
    const isMember = set && ((number: number) => set.has(number) || (tracksMissing && Number.isNaN(number)));
    return {
      feature: features[i] ?? 0,
      isTrue: isMember ?? comparisonOf(node, Object.keys(comparisons)[mode] ?? `${mode}`, splits[i] ?? 0, tracksMissing),
      ifTrue: () => treeAt(trueLeaves[i] === 1, ifTrue[i]),
      ifFalse: () => treeAt(falseLeaves[i] === 1, ifFalse[i]),
    };
  });
  const treeAt = (isLeaf: boolean, i = 0): Tree => {
    const found = isLeaf ? leaves[i] : branches[i];
    if (found === undefined) throw new RangeError(`a tree has no node ${i}`);
    return found;
  };
  return node.ints('tree_roots', []).map((root) => treeAt(false, root));
}

/** Sets that NaN ends. */
function setsOf(members: readonly number[]): readonly ReadonlySet<number>[] {
  const sets: Set<number>[] = [];
  let current = new Set<number>();
  for (const member of members) {
    if (!Number.isNaN(member)) {
      current.add(member);
      continue;
    }
    sets.push(current);
    current = new Set();
  }
  return sets;
}
