/** Builds and runs cases, several of them as one graph, and computes what their results have to be. */
import { MLGraphBuilder, type MLContext, type MLOperand } from 'node-directml/webnn';
import { withoutSubnormals, compare, type Comparison } from './compare.js';
import { bytesOf, elementsOf } from './elements.js';
import type { CheckedOperator, ShapedCase } from './operator.js';
import { sizeOf, type PlainTensor } from './plain-tensor.js';
import { resolveArguments, viewed, type CaseOperand, type WebnnCase } from './webnn-case.js';

/** The outputs of each of the cases, which are in one graph. */
export async function runCases(context: MLContext, tests: readonly WebnnCase[]): Promise<readonly (readonly PlainTensor[])[]> {
  const builder = new MLGraphBuilder(context);
  const inputs = new Map<string, CaseOperand>();
  const outputs: Record<string, MLOperand> = {};
  const names = tests.map((test, number) => {
    return addCase(builder, test, number, inputs).map((operand, i) => {
      const name = `output ${number} ${i}`;
      outputs[name] = operand;
      return name;
    });
  });
  const graph = await builder.build(outputs);
  const given = await Promise.all(
    [...inputs].map(async ([name, { dataType, shape, data }]) => {
      const tensor = await context.createTensor({ dataType, shape, writable: true });
      context.writeTensor(tensor, bytesOf(dataType, data));
      return [name, tensor] as const;
    }),
  );
  const results = await Promise.all(
    Object.entries(outputs).map(async ([name, { dataType, shape }]) => {
      return [name, await context.createTensor({ dataType, shape, readable: true })] as const;
    }),
  );
  context.dispatch(graph, Object.fromEntries(given), Object.fromEntries(results));
  const read = await Promise.all(
    results.map(async ([name, tensor]) => {
      const { dataType, shape } = tensor;
      const data = elementsOf(dataType, await context.readTensor(tensor), sizeOf(shape));
      return [name, { dataType, shape, data }] as const;
    }),
  );
  for (const [, tensor] of [...given, ...results]) tensor.destroy();
  graph.destroy();
  const tensors = new Map<string, PlainTensor>(read);
  return names.map((own) => own.flatMap((name) => tensors.get(name) ?? []));
}

function addCase(
  builder: MLGraphBuilder,
  { operator, operands, args }: WebnnCase,
  number: number,
  inputs: Map<string, CaseOperand>,
): readonly MLOperand[] {
  const made = Object.entries(operands).map(([name, operand]) => {
    const { kind, dataType, shape, data, views = [] } = operand;
    const key = `${name} ${number}`;
    if (kind === 'input') inputs.set(key, operand);
    const desc = { dataType, shape };
    let value = kind === 'input' ? builder.input(key, desc) : builder.constant(desc, bytesOf(dataType, data));
    for (const view of views) {
      if ('reshape' in view) value = builder.reshape(value, view.reshape);
      else if ('transpose' in view) value = builder.transpose(value, { permutation: view.transpose });
      else if ('expand' in view) value = builder.expand(value, view.expand);
      else value = builder.slice(value, view.slice.starts, view.slice.sizes);
    }
    return [name, value] as const;
  });
  const values = new Map(made);
  const method: unknown = builder[operator];
  // the arguments are those of the operator, with operands
  const call = method as (...args: readonly unknown[]) => MLOperand | readonly MLOperand[];
  return [call.apply(builder, [...resolveArguments(args, (name) => values.get(name))])].flat();
}

/** What the case has to give. */
export class Expectation {
  readonly #shaped: ShapedCase;
  readonly #operator: CheckedOperator;
  readonly #expected: readonly PlainTensor[];
  readonly #flushed: readonly PlainTensor[];

  constructor(operator: CheckedOperator, test: WebnnCase) {
    this.#operator = operator;
    const operands = Object.fromEntries(Object.entries(test.operands).map(([name, operand]) => [name, viewed(operand)]));
    const flushed = Object.fromEntries(Object.entries(operands).map(([name, tensor]) => [name, withoutSubnormals(tensor)]));
    const args = resolveArguments(test.args, (name) => operands[name]);
    this.#shaped = { test, operands, args };
    this.#expected = evaluate(operator, args);
    this.#flushed = evaluate(
      operator,
      resolveArguments(test.args, (name) => flushed[name]),
    );
  }

  /** One comparison for each output. */
  compare(actual: readonly PlainTensor[]): readonly Comparison[] {
    if (actual.length !== this.#expected.length) throw new RangeError(`${actual.length} outputs, not ${this.#expected.length}`);
    return this.#expected.map((expected, i) => {
      const [own, flushed] = [actual[i], this.#flushed[i]];
      if (own === undefined || flushed === undefined) throw new RangeError(`no output ${i}`);
      if (own.dataType !== expected.dataType || own.shape.join() !== expected.shape.join()) {
        const text = ({ dataType, shape }: PlainTensor) => `${dataType} [${shape.join()}]`;
        return { worst: Infinity, flushed: 0, mismatch: `output ${i} is ${text(own)}, not ${text(expected)}` };
      }
      const result = compare(expected, flushed, own, this.#operator.tolerance(this.#shaped, expected));
      return result.mismatch === null || i === 0 ? result : { ...result, mismatch: `output ${i} ${result.mismatch}` };
    });
  }
}

function evaluate({ formula }: CheckedOperator, args: readonly unknown[]): readonly PlainTensor[] {
  // the formula takes the arguments of its operator
  const call = formula as (...args: readonly unknown[]) => PlainTensor | readonly PlainTensor[];
  return [call(...args)].flat();
}
