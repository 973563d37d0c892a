/** Counts lines and characters of code, for comparing the lengths of two programs that Prettier has formatted. */
import ts from 'typescript';

/** What a program has without empty lines, comments and imports. */
export interface CodeLength {
  readonly lines: number;
  /** Characters without indentation. */
  readonly characters: number;
}

export function lengthOfCode(text: string): CodeLength {
  const source = ts.createSourceFile('module.mjs', text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const lines = new Set<number>();
  let characters = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isJSDoc(node)) return;
    const children = node.getChildren(source);
    if (children.length > 0) children.forEach(visit);
    else if (node.kind !== ts.SyntaxKind.EndOfFileToken) {
      const start = node.getStart(source);
      lines.add(source.getLineAndCharacterOfPosition(start).line);
      const isAfterSpace = /^ [^\n]*$/.test(text.slice(node.getFullStart(), start));
      characters += node.getWidth(source) + (isAfterSpace ? 1 : 0);
    }
  };
  visit(source);
  return { lines: lines.size, characters };
}
