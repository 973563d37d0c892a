/** Graphs that are right and have thousands of nodes: deep chains, chains beside each other, wide fans, and trees. */
import type { LooseGraph } from '../../graph/loose-graph.js';
import type { Random } from '../../random.js';
import type { LooseTensor } from '../candidate.js';

const FEWEST = 1_000;
const MOST = 4_000;

const unary = ['elementWiseNegate', 'elementWiseAbs', 'elementWiseSign', 'activationRelu', 'elementWiseIdentity'] as const;
const binary = ['elementWiseAdd', 'elementWiseSubtract', 'elementWiseMultiply', 'elementWiseMax'] as const;

export function largeGraph(random: Random): LooseGraph {
  const maker = new LargeMaker(random);
  const count = random.int(FEWEST, MOST);
  random.pick([
    () => maker.chains(count, 1),
    () => maker.chains(count, random.int(2, 40)),
    () => maker.fan(count),
    () => maker.tree(count),
  ])();
  return maker.graph;
}

class LargeMaker {
  readonly graph: LooseGraph;
  readonly #random: Random;
  readonly #tensor: LooseTensor;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#tensor = { dataType: random.pick(['float32', 'float16']), sizes: [1, random.int(1, 8)] };
    this.graph = { inputs: { x: structuredClone(this.#tensor) }, constants: {}, nodes: {}, outputs: {} };
  }

  /** Each node reads the one before it; some read the input too, or the one before it twice. */
  chains(count: number, chains: number): void {
    const length = Math.ceil(count / chains);
    for (let chain = 0; chain < chains; chain++) {
      let value = 'x';
      for (let i = 0; i < length; i++) {
        value = this.#random.chance(0.7) ? this.#one(value) : this.#both(value, this.#random.pick(['x', value]));
      }
      this.graph.outputs[`y${chain}`] = value;
    }
  }

  /** All nodes read one value, and all are outputs. */
  fan(count: number): void {
    const value = this.#one('x');
    for (let i = 1; i < count; i++) this.graph.outputs[`y${i}`] = this.#one(value);
  }

  /** All nodes read one value, and pairs of them are joined until one is left. */
  tree(count: number): void {
    let row = Array.from({ length: Math.ceil(count / 2) }, () => this.#one('x'));
    while (row.length > 1) {
      row = row.flatMap((value, i) => {
        const next = row[i + 1];
        return i % 2 === 1 ? [] : next === undefined ? [value] : [this.#both(value, next)];
      });
    }
    const [y = 'x'] = row;
    this.graph.outputs['y'] = y;
  }

  #one(inputTensor: string): string {
    return this.#add({ type: this.#random.pick(unary), inputTensor });
  }

  #both(aTensor: string, bTensor: string): string {
    return this.#add({ type: this.#random.pick(binary), aTensor, bTensor });
  }

  #add(fields: LooseGraph['nodes'][string]): string {
    const node = `n${this.#count++}`;
    this.graph.nodes[node] = { ...fields, outputTensor: structuredClone(this.#tensor) };
    return `${node}.outputTensor`;
  }
}
