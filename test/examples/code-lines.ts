/** Counts lines of code, for comparing the lengths of two programs that Prettier has formatted. */
import ts from 'typescript';

/** The number of lines with code: all but empty lines, comments and imports. */
export function countCodeLines(text: string): number {
  const source = ts.createSourceFile('module.mjs', text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isJSDoc(node)) return;
    const children = node.getChildren(source);
    if (children.length > 0) children.forEach(visit);
    else if (node.kind !== ts.SyntaxKind.EndOfFileToken) lines.add(lineOf(node.getStart(source)));
  };
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  visit(source);
  return lines.size;
}
