/** Builds and runs cases, several in one graph, and computes their expected results. */
import { MLGraphBuilder, type MLContext, type MLOperand } from 'node-directml/webnn';
import { runGraph, type Input } from './compute.js';
import { withoutSubnormals, compare, type Comparison } from './compare.js';
import { bytesOf, elementsOf } from './elements.js';
import * as formulas from './formulas/index.js';
import { viewed } from './formulas/movement.js';
import type { CheckedOperator } from './operator.js';
import { sizeOf, type PlainTensor } from './plain-tensor.js';
import { resolveArguments, type CaseOperand, type WebnnCase } from './webnn-case.js';

/** Runs all cases in one graph. Returns the outputs of each case. */
export async function runCases(context: MLContext, tests: readonly WebnnCase[]): Promise<readonly (readonly PlainTensor[])[]> {
  const builder = new MLGraphBuilder(context);
  const inputs = new Map<string, CaseOperand>();
  const made = tests.map((test, number) => addCase(builder, test, number, inputs));
  const outputs = made.flatMap((own, number) => own.map((operand, i) => [`output ${number} ${i}`, operand] as const));
  const given = Array.from(inputs, ([name, { dataType, shape, data }]): Input => [
    name,
    dataType,
    shape,
    bytesOf(dataType, data),
  ]);
  const results = await runGraph(context, builder, given, Object.fromEntries(outputs));
  return made.map((own, number) =>
    own.map(({ dataType, shape }, i) => {
      const bytes = results.get(`output ${number} ${i}`) ?? new ArrayBuffer(0);
      return { dataType, shape, data: elementsOf(dataType, bytes, sizeOf(shape)) };
    }),
  );
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
  // The arguments are those of the operator's method, with operands in place of references.
  const call = method as (...args: readonly unknown[]) => MLOperand | readonly MLOperand[];
  return [call.apply(builder, [...resolveArguments(args, (name) => values.get(name))])].flat();
}

export type Expectation = ReturnType<typeof expectationOf>;

/** Computes the expected results of the case. `compare` returns one comparison for each output. */
export function expectationOf(operator: CheckedOperator, test: WebnnCase) {
  const operands = Object.fromEntries(Object.entries(test.operands).map(([name, operand]) => [name, viewed(operand)]));
  const args = resolveArguments(test.args, (name) => operands[name]);
  const allExpected = evaluate(test, args);
  const allFlushed = evaluate(
    test,
    resolveArguments(test.args, (name) => operands[name] && withoutSubnormals(operands[name])),
  );
  const compareAll = (actual: readonly PlainTensor[]): readonly Comparison[] => {
    if (actual.length !== allExpected.length) throw new RangeError(`${actual.length} outputs, not ${allExpected.length}`);
    return allExpected.map((expected, i) => {
      const [own, flushed] = [actual[i], allFlushed[i]];
      if (own === undefined || flushed === undefined) throw new RangeError(`no output ${i}`);
      if (own.dataType !== expected.dataType || own.shape.join() !== expected.shape.join()) {
        const text = ({ dataType, shape }: PlainTensor) => `${dataType} [${shape.join()}]`;
        return { worst: Infinity, flushed: 0, mismatch: `output ${i} is ${text(own)}, not ${text(expected)}` };
      }
      const result = compare(expected, flushed, own, operator.tolerance({ test, operands, args }, expected));
      return result.mismatch === null || i === 0 ? result : { ...result, mismatch: `output ${i} ${result.mismatch}` };
    });
  };
  return { test, compare: compareAll };
}

function evaluate({ operator }: WebnnCase, args: readonly unknown[]): readonly PlainTensor[] {
  const formula: unknown = formulas[operator];
  // The formula takes the arguments of the operator's method.
  const call = formula as (...args: readonly unknown[]) => PlainTensor | readonly PlainTensor[];
  return [call(...args)].flat();
}
