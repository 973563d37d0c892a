/** The gradients of the inputs of a node: those of its operator's rule, behind a fused activation, and before a scale. */
import type { Graph } from '../api/graphs/graph.js';
import type { Expression, GradientRule, InputGradients, NodeFields, Operations } from '../descriptors/gradient.js';
import { isActivation, valuesOf, type ResolvedActivation, type TensorSlot } from '../descriptors/resolved.js';
import { Value } from '../graph/value.js';
import { OutputSource, type BuiltNode } from '../graph/value-source.js';
import { gradientRuleOf } from './rule-of.js';
import { isFloat } from '../tensors/data-types.js';

/** A node's fields, with values in those of tensors. */
type Fields = Readonly<Record<string, unknown>>;
/** The gradients of outputs, by their paths in the descriptor. */
type Given = ReadonlyMap<string, Expression>;

/** `sums` has the gradients of outputs by their positions. A text says why the node has none. */
export function gradientsOf(
  graph: Graph,
  node: BuiltNode,
  sums: ReadonlyMap<number, Expression>,
  o: Operations,
): InputGradients | string {
  const { descriptor, slots } = node.operator;
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
  const fields = fieldsOf(graph, node);
  const { fusedActivation, scaleBias } = fields;
  if (isActivation(fusedActivation)) return behindActivation(graph, node, { ...fields, fusedActivation }, given, o);
  if (!isScaleBias(scaleBias)) return apply(gradientRuleOf(descriptor.type), fields, given, o);
  // It applies to each input: elementWisePow scales its exponents, too.
  const scaled = inputs(slots).map((name) => [name, scaledBy(scaleBias, fields[name] as Expression, o)] as const);
  const found = apply(gradientRuleOf(descriptor.type), { ...fields, ...Object.fromEntries(scaled), scaleBias: null }, given, o);
  if (typeof found === 'string') return found;
  const times = (gradient: Expression | undefined) => gradient && o.multiply(gradient, scaleBias.scale);
  return Object.fromEntries(Object.entries(found).map(([name, of]) => [name, (index: number) => times(of(index))]));
}

function inputs(slots: readonly TensorSlot[]): readonly string[] {
  return slots.flatMap(({ role, field }) => (role === 'input' ? [field] : []));
}

/** Integers stay integers. */
function scaledBy(scaleBias: ScaleBias, value: Expression, o: Operations): Expression {
  if (isFloat(value.dataType)) return o.identity(value, { scaleBias });
  const to = (each: Expression, dataType: string) => o.cast(each, { outputTensor: { dataType } });
  return to(o.identity(to(value, 'float32'), { scaleBias }), value.dataType);
}

/** The node is computed again without the activation, which then is a step of its own. */
function behindActivation(
  graph: Graph,
  { operator: { descriptor, slots } }: BuiltNode,
  { fusedActivation, ...fields }: Fields & { readonly fusedActivation: ResolvedActivation },
  given: Given,
  o: Operations,
): InputGradients | string {
  const request: Record<string, unknown> = { ...fields };
  for (const { role, path, tensor } of slots) {
    if (role === 'output' && tensor !== null) request[path] = { dataType: tensor.dataType, sizes: tensor.sizes };
  }
  const plain = graph.addAny(withoutNulls(request));
  const behind = { ...valuesOf(fusedActivation), inputTensor: plain['outputTensor'], outputTensor: fields['outputTensor'] };
  const found = apply(gradientRuleOf(fusedActivation.type), behind, given, o);
  if (typeof found === 'string') return found;
  const before = new Map(given);
  before.delete('outputTensor');
  const gradient = given.has('outputTensor') ? found['inputTensor']?.(0) : undefined;
  if (gradient !== undefined) before.set('outputTensor', gradient);
  return apply(gradientRuleOf(descriptor.type), { ...fields, ...plain, fusedActivation: null }, before, o);
}

function apply(rule: GradientRule | string, fields: Fields, given: Given, o: Operations): InputGradients | string {
  if (typeof rule === 'string') return rule;
  const [gradient] = given.values();
  return gradient === undefined ? {} : rule(fields as NodeFields<never>, gradient, o, (path) => given.get(path));
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

interface ScaleBias {
  readonly scale: number;
  readonly bias: number;
}

function isScaleBias(value: unknown): value is ScaleBias {
  return typeof value === 'object' && value !== null && 'scale' in value;
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
