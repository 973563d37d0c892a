/** Adds up what graphs gave, and prints it. */
import type { OperatorType } from 'node-directml';
import { operatorTable } from '#lib/schema/generated/table.js';
import { operatorTypes } from '../operators/cases.js';
import type { Trouble } from '../harness/interview.js';
import { printFailures } from '../harness/report.js';
import type { GraphAnswer } from './child.js';
import type { Position } from './positions.js';

const POSITIONS: readonly Position[] = ['first', 'middle', 'last', 'only'];
/** From this number of graphs on, every operator must have been at each position this often. */
const FULL_RUN = 3000;
const LEAST = 10;

export class GraphReport {
  readonly #seed: number;
  readonly #from: number;
  readonly #places = new Map<OperatorType, Map<Position, number>>();
  readonly #failures: string[] = [];
  #graphs = 0;
  #nodes = 0;

  constructor(seed: number, from: number) {
    this.#seed = seed;
    this.#from = from;
  }

  get isGood(): boolean {
    return this.#failures.length === 0 && this.#tooRare().length === 0;
  }

  trouble(index: number, what: Trouble, output: string): void {
    const text = what === 'death' ? 'the process died' : 'the process hung';
    this.#failures.push(`${text}\n${output.trimEnd()}\n${this.#command(index)}`);
  }

  add(index: number, { positions, failure, json }: GraphAnswer): void {
    this.#graphs += 1;
    this.#nodes += positions.length;
    for (const [type, position] of positions) {
      const row = this.#places.get(type) ?? new Map<Position, number>();
      this.#places.set(type, row);
      row.set(position, (row.get(position) ?? 0) + 1);
    }
    if (failure === null) return;
    this.#failures.push(
      `${failure}\n${this.#command(index)}${json === null ? '' : `\n  npm run conformance -- --graphs --case '${json}'`}`,
    );
  }

  /** Prints the table of operators, the failures and the totals. */
  print(hasTable: boolean, shown: number): void {
    if (hasTable) console.log(this.#table().join('\n'));
    printFailures(this.#failures, shown);
    const lines: string[] = [];
    const rare = this.#tooRare();
    if (rare.length > 0) lines.push('', `less than ${LEAST} times: ${rare.join(', ')}`);
    else if (this.#graphs >= FULL_RUN) lines.push('', `each operator at least ${LEAST} times first, middle and last`);
    const types = this.#places.size;
    lines.push('', `${this.#graphs} graphs, ${this.#nodes} nodes of ${types} operators, ${this.#failures.length} mismatches`);
    console.log(lines.join('\n'));
  }

  /** The operators and positions that a full run has too rarely. An operator that reads no tensor is first, or the only one. */
  #tooRare(): string[] {
    if (this.#graphs < FULL_RUN) return [];
    return operatorTypes.flatMap((type) => {
      const readsTensors = operatorTable[type].fields.some(({ role }) => role === 'input');
      const wanted: Position[] = readsTensors ? ['first', 'middle', 'last'] : ['first'];
      return wanted
        .filter((position) => (this.#places.get(type)?.get(position) ?? 0) < LEAST)
        .map((position) => `${type} ${position}`);
    });
  }

  #command(index: number): string {
    return `  npm run conformance -- --graphs --seed ${this.#seed} --from ${this.#from + index} --cases 1`;
  }

  #table(): string[] {
    const line = (head: string, cells: readonly string[]) =>
      `${head.padEnd(36)}${cells.map((cell) => cell.padStart(8)).join('')}`;
    return [
      line('nodes', POSITIONS),
      ...operatorTypes.map((type) =>
        line(
          type,
          POSITIONS.map((position) => String(this.#places.get(type)?.get(position) ?? '·')),
        ),
      ),
    ];
  }
}
