/** Makes a case that fails smaller, as long as it fails in the same way. */

/**
 * @param smaller The next smaller cases, the smallest first
 * @param firstFailing Returns the first of some cases that fails in the same way; undefined if none does
 */
export async function shrunk<Case>(
  failing: Case,
  smaller: (test: Case) => Promise<readonly Case[]> | readonly Case[],
  firstFailing: (cases: readonly Case[]) => Promise<Case | undefined>,
): Promise<Case> {
  for (let smallest = failing; ;) {
    const next = await firstFailing(await smaller(smallest));
    if (next === undefined) return smallest;
    smallest = next;
  }
}

/** Descriptors of graphs, right ones and broken ones. */
interface Graph {
  readonly inputs?: object | undefined;
  readonly constants?: object | undefined;
  readonly nodes: object;
  readonly outputs: object;
}

/** An output of a node, by the name with which others refer to it. */
export interface Computed {
  readonly name: string;
  readonly tensor: object;
  /** What the node reads that could take the place of this output: values of the same data type and sizes. */
  readonly alike: readonly string[];
}

/** The name of the input that takes the place of a node's output. */
export function inputFor({ name }: Computed): string {
  return name.replaceAll('.', '_');
}

/** The graph with fewer outputs, or with inputs or what it reads in place of a node, each without what is then of no use. */
export function smallerGraphs<Any extends Graph>(graph: Any, computedBy: (node: string) => readonly Computed[]): Any[] {
  const outputs = Object.entries(graph.outputs);
  // A single output at once, if that will do.
  const fewer = [...outputs.map((kept) => [kept]), ...outputs.map((left) => outputs.filter((other) => other !== left))];
  const withFewerOutputs = outputs.length < 2 ? [] : fewer.map((kept) => pruned({ ...graph, outputs: Object.fromEntries(kept) }));
  const nodes = Object.keys(graph.nodes)
    .toReversed()
    .map((node) => ({ node, computed: computedBy(node) }));
  return [
    ...withFewerOutputs,
    ...nodes.flatMap(({ node, computed }) => withoutNode(graph, node, computed)),
    ...nodes.flatMap(({ node, computed }) => bridged(graph, node, computed)),
  ];
}

/** The graph with inputs in place of the outputs of a node; none if nothing else would be left. */
function withoutNode<Any extends Graph>(graph: Any, node: string, computed: readonly Computed[]): Any[] {
  const names = new Map(computed.map((value) => [value.name, inputFor(value)]));
  // An output that is an input would be a copy of it.
  const outputs = Object.entries(graph.outputs).filter(([, reference]) => !names.has(nameIn(reference)));
  if (names.size === 0 || outputs.length === 0) return [];
  const added = computed.map((value) => [inputFor(value), value.tensor]);
  return [
    pruned({
      ...graph,
      inputs: { ...graph.inputs, ...Object.fromEntries(added) },
      nodes: otherNodes(graph, node, names),
      outputs: Object.fromEntries(outputs),
    }),
  ];
}

/** The graph with what a node reads in place of its only output. */
function bridged<Any extends Graph>(graph: Any, node: string, computed: readonly Computed[]): Any[] {
  const [only, second] = computed;
  if (only === undefined || second !== undefined) return [];
  return only.alike.map((name) => {
    const names = new Map([[only.name, name]]);
    return pruned({ ...graph, nodes: otherNodes(graph, node, names), outputs: renamed(graph.outputs, names) });
  });
}

/** The other nodes, with other names for values. */
function otherNodes({ nodes }: Graph, node: string, names: ReadonlyMap<string, string>): object {
  const others = Object.entries(nodes).filter(([name]) => name !== node);
  return Object.fromEntries(others.map(([name, descriptor]) => [name, renamed(descriptor, names)]));
}

/** The fields of a node, or the outputs of a graph, with other names for values. */
function renamed(descriptor: object, names: ReadonlyMap<string, string>): object {
  const rename = (reference: unknown): unknown => {
    if (typeof reference === 'string') return names.get(reference) ?? reference;
    if (Array.isArray(reference)) return reference.map(rename);
    if (typeof reference !== 'object' || reference === null || !('value' in reference)) return reference;
    return { ...reference, value: rename(reference.value) };
  };
  return Object.fromEntries(
    Object.entries(descriptor).map(([field, value]) => [field, field === 'type' ? value : rename(value)]),
  );
}

/** Without the nodes, inputs and constants that no output needs. */
function pruned<Any extends Graph>(graph: Any): Any {
  const nodes = new Map(Object.entries(graph.nodes));
  const needed = new Set<string>();
  const waiting = Object.values(graph.outputs).map(nameIn);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const key = nodes.has(nodeOf(name)) ? nodeOf(name) : name;
    if (needed.has(key)) continue;
    needed.add(key);
    waiting.push(...stringsIn(nodes.get(key)));
  }
  const keep = (all: object | undefined) => Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => needed.has(name)));
  return { ...graph, inputs: keep(graph.inputs), constants: keep(graph.constants), nodes: keep(graph.nodes) };
}

/** The names that the fields of a node refer to, and other strings. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) ? Object.values(value).flatMap(stringsIn) : [];
}

function nameIn(reference: unknown): string {
  return typeof reference === 'object' && reference !== null && 'value' in reference
    ? String(reference.value)
    : String(reference);
}

function nodeOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? name : name.slice(0, dot);
}
