/** Pictures of graphs, as text for Mermaid. */
import { shorten } from '../values/errors.js';
import type { ResolvedGraph } from './resolved-graph.js';
import type { ResolvedTensor } from '../descriptors/resolved.js';

/** A flowchart with the operators and their tensors: https://mermaid.js.org/syntax/flowchart.html */
export function mermaidOf(graph: ResolvedGraph): string {
  const lines = ['flowchart TB'];
  for (const [index, { name }] of graph.inputs.entries()) lines.push(`input${index}([${titleOf(name)}])`);
  for (const [index, { name }] of graph.constants.entries()) lines.push(`constant${index}[(${titleOf(name)})]`);
  for (const [index, { name, operator }] of graph.nodes.entries()) {
    const { type } = operator.descriptor;
    lines.push(`node${index}[${titleOf(name, name === type || isNumbered(name, type) ? '' : `: ${type}`)}]`);
  }
  for (const [index, { name }] of graph.outputs.entries()) lines.push(`output${index}([${titleOf(name)}])`);
  for (const [index, { operator, inputs }] of graph.nodes.entries()) {
    for (const { role, position, tensor } of operator.slots) {
      const source = role === 'input' ? (inputs[position] ?? null) : null;
      if (source !== null && tensor !== null)
        lines.push(`${source.kind}${source.index} -->|${quoted(textOf(tensor))}| node${index}`);
    }
  }
  for (const [index, { source, tensor }] of graph.outputs.entries()) {
    lines.push(`node${source.index} -->|${quoted(textOf(tensor))}| output${index}`);
  }
  return `${lines.join('\n  ')}\n`;
}

/** True for the names that `add` gives, such as `gemm_0`. */
function isNumbered(name: string, type: string): boolean {
  return name.startsWith(type) && /^_\d+$/.test(name.slice(type.length));
}

/** The name, cut to the length of those in errors. */
function titleOf(name: string, rest = ''): string {
  return quoted(`${shorten(name)}${rest}`);
}

/** `float32 [1, 64, 56, 56]` */
function textOf({ dataType, sizes, strides }: ResolvedTensor): string {
  const layout = strides === null ? '' : `, strides [${strides.join(', ')}]`;
  return `${dataType} [${sizes.join(', ')}]${layout}`;
}

/** In Mermaid, characters in quotes are written as entities if they have a meaning. */
function quoted(text: string): string {
  return `"${text.replace(/[^\p{L}\p{N} .,:_[\]-]/gu, (character) => `#${character.codePointAt(0)};`)}"`;
}
