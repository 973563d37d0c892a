/** The gradients of the inputs of a node: those of its operator's rule, without a fused activation and a scale. */
import type { Graph } from '../api/graphs/graph.js';
import { Composed, type Expression, type InputGradients, type NodeFields, type Operations } from '../descriptors/gradient.js';
import { valuesOf, type TensorSlot } from '../descriptors/resolved.js';
import { Value } from '../graph/value.js';
import { OutputSource, type BuiltNode } from '../graph/value-source.js';
import { withoutNulls } from './operations.js';
import { gradientRuleOf } from './rule-of.js';
import { isFloat } from '../tensors/data-types.js';

/** A node's fields, with values in those of tensors. */
type Fields = Readonly<Record<string, unknown>>;
type Scaled = Pick<NodeFields<'elementWiseIdentity'>, 'scaleBias'> & Pick<NodeFields<'elementWiseAdd1'>, 'fusedActivation'>;
/** The gradients of outputs, by their paths in the descriptor. */
export type Given = ReadonlyMap<string, Expression>;

/** The gradients of the node's outputs; `sums` has them by position. A text says why the node has none. */
export function givenTo({ operator: { descriptor, slots } }: BuiltNode, sums: ReadonlyMap<number, Expression>): Given | string {
  const given = new Map<string, Expression>();
  for (const { role, position, path, tensor } of slots) {
    const sum = sums.get(position);
    if (role !== 'output' || sum === undefined) continue;
    if (tensor !== null && !isFloat(tensor.dataType)) {
      const rule = gradientRuleOf(descriptor.type);
      return typeof rule === 'string' ? rule : 'its output has integers';
    }
    given.set(path, sum);
  }
  return given;
}

/** A text says why the node has none. */
export function gradientsOf(graph: Graph, node: BuiltNode, given: Given, o: Operations): InputGradients | Composed | string {
  const rule = gradientRuleOf(node.operator.descriptor.type);
  if (typeof rule === 'string') return rule;
  const fields = fieldsOf(graph, node);
  if ((fields['fusedActivation'] ?? fields['scaleBias'] ?? null) !== null) return apart(graph, node, fields, o);
  const [gradient] = given.values();
  return gradient === undefined ? {} : rule(fields as NodeFields<never>, gradient, o, (path) => given.get(path));
}

/** The node is computed again without activation and scale, which then are steps of their own. */
function apart(graph: Graph, { operator: { slots } }: BuiltNode, fields: Fields, o: Operations): Composed {
  const { fusedActivation, scaleBias = null } = fields as Partial<Scaled>;
  const request: Record<string, unknown> = { ...fields, fusedActivation: null, scaleBias: null };
  for (const { role, field, path, tensor } of slots) {
    if (tensor === null) continue;
    if (role === 'output') request[path] = { dataType: tensor.dataType, sizes: tensor.sizes };
    // It applies to each input: elementWisePow scales its exponents, too.
    else if (scaleBias !== null) request[field] = scaledBy(scaleBias, fields[field] as Expression, o);
  }
  const outputs = graph.addAny(withoutNulls(request));
  const { outputTensor } = outputs;
  if (!fusedActivation || !Value.is(outputTensor)) return new Composed(outputs as Record<string, Value>);
  return new Composed({ ...(outputs as Record<string, Value>), outputTensor: o.activated(fusedActivation, outputTensor) });
}

/** Integers stay integers. */
function scaledBy({ scale, bias }: NonNullable<Scaled['scaleBias']>, value: Expression, o: Operations): Expression {
  if (isFloat(value.dataType)) return o.add(o.multiply(value, scale), bias);
  const to = (each: Expression, dataType: string) => o.cast(each, { outputTensor: { dataType } });
  return to(o.add(o.multiply(to(value, 'float32'), scale), bias), value.dataType);
}

/** The descriptor with values in the fields of tensors. */
function fieldsOf(graph: Graph, node: BuiltNode): Fields {
  const { descriptor, slots } = node.operator;
  const lists = new Map<string, (Value | null)[]>();
  const fields: Record<string, unknown> = { ...valuesOf(descriptor) };
  for (const slot of slots) {
    const value = valueAt(graph, node, slot);
    const list = slot.isArray ? [...(lists.get(slot.field) ?? []), value] : null;
    if (list !== null) lists.set(slot.field, list);
    fields[slot.field] = list ?? value;
  }
  return fields;
}

function valueAt(graph: Graph, node: BuiltNode, slot: TensorSlot): Value | null {
  const { tensor, role, position } = slot;
  if (tensor === null) return null;
  const source = role === 'output' ? new OutputSource(graph, node, slot, tensor) : node.inputs[position];
  if (source === null || source === undefined) throw new TypeError('a node has a source for each input');
  return new Value(tensor.dataType, tensor, source);
}
