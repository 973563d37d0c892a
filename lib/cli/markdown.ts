/** Reads and shows the Markdown of the operators' pages: headings, paragraphs, lists, tables and programs. */
import { hanging, table, wrap } from './layout.js';
import { styled, type Terminal } from './terminal.js';

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** The first row has the titles of the columns. */
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'program'; readonly text: string };

export function readMarkdown(text: string): Block[] {
  const program = /```\w*\n([\s\S]*?)```/;
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .split(/(```\w*\n[\s\S]*?```)/)
    .flatMap((part) => {
      const code = program.exec(part)?.[1];
      if (code !== undefined) return [{ kind: 'program' as const, text: code.trimEnd() }];
      return part
        .split(/\n\s*\n/)
        .map((block) => block.trim())
        .filter((block) => block !== '')
        .flatMap(blocksOf);
    });
}

/** A heading may be followed by a paragraph without an empty line between them. */
function blocksOf(text: string): Block[] {
  const heading = /^(#+) (.*)\n?/.exec(text);
  if (heading !== null) {
    const [whole, marks = '', title = ''] = heading;
    const rest = text.slice(whole.length);
    return [{ kind: 'heading', level: marks.length, text: title }, ...(rest === '' ? [] : blocksOf(rest))];
  }
  const lines = text.split('\n');
  if (text.startsWith('- ')) return [{ kind: 'list', items: text.slice(2).split('\n- ').map(oneLine) }];
  if (text.startsWith('|')) return [{ kind: 'table', rows: lines.filter((line) => !/^[|\- ]+$/.test(line)).map(cellsOf) }];
  return [{ kind: 'paragraph', text: oneLine(text) }];
}

/** `| a | b \| c |` has the cells `a` and `b | c`. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^\|\s*|\s*\|$/g, '')
    .split(/\s*(?<!\\)\|\s*/)
    .map((cell) => cell.replaceAll('\\|', '|'));
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

/** Text without the marks of links and emphasis. Links to other sites keep their addresses. */
export function plainText(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\((https?:[^)]*)\)/g, '$1 ($2)')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '');
}

export function renderMarkdown(blocks: readonly Block[], terminal: Terminal): string {
  return blocks.map((block, i) => (i > 0 && hasSpace(block, blocks[i - 1]) ? '\n' : '') + render(block, terminal)).join('\n');
}

/** There is no empty line between a title and its content. */
function hasSpace(block: Block, before: Block | undefined): boolean {
  return block.kind === 'heading' || before?.kind !== 'heading' || before.level === 1;
}

const indent = '  ';

function render(block: Block, terminal: Terminal): string {
  const { width } = terminal;
  const inline = (text: string) => styledText(plainText(text), terminal);
  switch (block.kind) {
    case 'heading':
      return styled(terminal, 'bold', plainText(block.text).replaceAll('`', ''));
    case 'paragraph':
      return wrap(inline(block.text), width).join('\n');
    case 'list':
      return block.items.map((item) => hanging(`${indent}- `, inline(item), width)).join('\n');
    case 'program':
      return block.text.replace(/^(?=.)/gm, indent);
    case 'table': {
      const [titles = [], ...rows] = block.rows;
      const head = titles.map((title) => styled(terminal, 'dim', title));
      const text = table([head, ...rows.map((row) => row.map(inline))], width - indent.length);
      return text.replace(/^(?=.)/gm, indent);
    }
  }
}

/** Code without its backticks, and in color if there are colors. */
function styledText(text: string, terminal: Terminal): string {
  // Styles each word separately, so that no style continues over the end of a line.
  return text.replace(/`([^`]*)`/g, (_, code: string) => code.replace(/\S+/g, (word) => styled(terminal, 'cyan', word)));
}
