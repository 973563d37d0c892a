/** The functions of operators as rules of gradients use them: they add nodes to one graph. */
import type { Graph } from '../api/graphs/graph.js';
import type { Expression, Operations } from '../descriptors/gradient.js';
import { call } from '../functions/call.js';
import { formOf } from '../functions/form.js';
import { valuesOf, type ResolvedActivation } from '../descriptors/resolved.js';
import { operatorTable } from '../descriptors/generated/table.js';
import { Value } from '../graph/value.js';
import { CallOutput, renamed } from './names.js';
import type { DataType } from '../tensors/generated/enums.js';
import type { TensorData } from '../api/memory/tensor-data.js';
import type { OperatorType } from '../descriptors/generated/descriptors.js';

const byGraph = new WeakMap<Graph, Operations>();

export function operationsOn(graph: Graph): Operations {
  const known = byGraph.get(graph);
  if (known !== undefined) return known;
  const zeros = ({ dataType, sizes }: Expression) => graph.numberOf({ operator: 'grad', field: '' }, dataType, 0, sizes);
  const constant = (dataType: DataType, sizes: readonly number[], elements: readonly number[]) =>
    graph.constant({ dataType, sizes }, elements as TensorData<DataType>);
  const activated = (activation: ResolvedActivation, inputTensor: Expression) =>
    graph.addAny({ ...withoutNulls(valuesOf(activation)), inputTensor })['outputTensor'];
  const linear = (value: Value, input: Value, gradientOf: (gradient: Value) => Value) => {
    const call = { inputs: [input], backward: (gradient: Value) => [gradientOf(gradient)] };
    return renamed(value, (source, layout) => new CallOutput(source, layout, call, 0));
  };
  const functions = Object.keys(operatorTable).map((name) => {
    const type = name as OperatorType;
    const { takesPlace } = formOf(type, operatorTable[type]);
    const add = (...given: readonly unknown[]) => call(type, takesPlace ? [graph, ...given] : given);
    return [shortName(type), add] as const;
  });
  const operations = { ...Object.fromEntries(functions), zeros, constant, linear, activated } as unknown as Operations;
  byGraph.set(graph, operations);
  return operations;
}

function shortName(type: string): string {
  const name = type.replace(/^elementWise/, '');
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Expressions of rules are values. */
export function asValue(expression: Expression): Value {
  if (!Value.is(expression)) throw new TypeError('rules compose values');
  return expression;
}

/** The fields that a descriptor may have. */
export function withoutNulls(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
