/**
 * Small wrong changes to source code, as in mutation testing. A file gets all of its mutants at once, each beside the code that it
 * replaces: `a + b` becomes `eitherMutant(isMutantOn(7), a, b, (a, b) => a + b, (a, b) => a - b)`. So one build has all mutants.
 * No code stands twice, and none moves into another function, because it may wait or yield.
 */
import ts from 'typescript';

export interface Mutant {
  /** The path below lib/. */
  readonly path: string;
  readonly line: number;
  /** What is replaced, and by what. */
  readonly from: string;
  readonly to: string;
  /** Whether the code runs once, as its module is loaded. */
  readonly isLoading: boolean;
}

const { SyntaxKind } = ts;

const operators: ReadonlyMap<ts.SyntaxKind, readonly [usual: string, other: string]> = new Map([
  [SyntaxKind.LessThanToken, ['<', '<=']],
  [SyntaxKind.LessThanEqualsToken, ['<=', '<']],
  [SyntaxKind.GreaterThanToken, ['>', '>=']],
  [SyntaxKind.GreaterThanEqualsToken, ['>=', '>']],
  [SyntaxKind.PlusToken, ['+', '-']],
  [SyntaxKind.MinusToken, ['-', '+']],
  [SyntaxKind.AsteriskToken, ['*', '/']],
  [SyntaxKind.SlashToken, ['/', '*']],
  [SyntaxKind.PercentToken, ['%', '*']],
]);

/** Those of Math, and of arrays and texts. */
const methods: ReadonlyMap<string, string> = new Map([
  ['Math.min', 'max'],
  ['Math.max', 'min'],
  ['Math.floor', 'ceil'],
  ['Math.ceil', 'floor'],
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
]);

/**
 * Returns a file with its mutants.
 *
 * @param first the number of the first mutant
 * @param module how the file imports `eitherMutant` and `isMutantOn`, whose names nothing in lib/ has
 */
export function mutate(path: string, text: string, first: number, module: string) {
  const file = new MutatedFile(path, text, first);
  const made = file.text();
  const { mutants } = file;
  return { mutants, text: mutants.length === 0 ? text : `import { eitherMutant, isMutantOn } from '${module}'; ${made}` };
}

class MutatedFile {
  readonly mutants: Mutant[] = [];
  readonly #path: string;
  readonly #source: ts.SourceFile;
  readonly #first: number;

  constructor(path: string, text: string, first: number) {
    this.#path = path;
    this.#source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    this.#first = first;
  }

  text(): string {
    const { text } = this.#source;
    return text.slice(0, this.#source.getStart()) + this.#around(this.#source) + text.slice(this.#source.getEnd());
  }

  #write(node: ts.Node): string {
    return hasNoCode(node) ? node.getText() : (this.#changed(node) ?? this.#around(node));
  }

  /** A node as it is, around parts that change. */
  #around(node: ts.Node): string {
    const { text } = this.#source;
    let made = '';
    let end = node.getStart();
    node.forEachChild((part) => {
      // Comments and modifiers may be parts of two nodes.
      if (part.getStart() < end) return;
      made += text.slice(end, part.getStart()) + this.#write(part);
      end = part.getEnd();
    });
    return made + text.slice(end, node.getEnd());
  }

  /** The condition under which a new mutant is on. */
  #isOn(node: ts.Node, to: string): string {
    const line = this.#source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const isLoading = ts.findAncestor(node, ts.isFunctionLike) === undefined;
    this.mutants.push({ path: this.#path, line, from: node.getText().replaceAll(/\s+/g, ' '), to, isLoading });
    return `isMutantOn(${this.#first + this.mutants.length - 1})`;
  }

  #changed(node: ts.Node): string | undefined {
    if (ts.isBinaryExpression(node)) return this.#binary(node);
    if (ts.isPrefixUnaryExpression(node)) return this.#unary(node);
    if (ts.isIfStatement(node)) return this.#if(node);
    if (ts.isExpressionStatement(node)) return this.#statement(node);
    if (ts.isPropertyAccessExpression(node)) return this.#method(node);
    if (ts.isConditionalExpression(node)) {
      const { condition, whenTrue, whenFalse } = node;
      const isOther = this.#isOn(node, 'swapped');
      return `((!!(${this.#write(condition)}) !== ${isOther}) ? (${this.#write(whenTrue)}) : (${this.#write(whenFalse)}))`;
    }
    const text = node.getText();
    if (ts.isNumericLiteral(node) && !isNameOrDefault(node))
      return `(${this.#isOn(node, `${text} + 1`)} ? ${text} + 1 : ${text})`;
    if (isBoolean(node)) return `(${text} !== ${this.#isOn(node, `!${text}`)})`;
    return undefined;
  }

  #binary(node: ts.BinaryExpression): string | undefined {
    const { left, right, operatorToken } = node;
    const pair = operators.get(operatorToken.kind);
    if (pair !== undefined) {
      if (operatorToken.kind === SyntaxKind.PlusToken && [left, right].some(isText)) return undefined;
      const isOther = this.#isOn(node, pair[1]);
      const functions = pair.map((operator) => `(a, b) => a ${operator} b`).join(', ');
      return `eitherMutant(${isOther}, ${this.#write(left)}, ${this.#write(right)}, ${functions})`;
    }
    switch (operatorToken.kind) {
      case SyntaxKind.EqualsEqualsEqualsToken:
      case SyntaxKind.ExclamationEqualsEqualsToken: {
        const isOther = this.#isOn(node, 'the contrary');
        return `((${this.#write(left)} ${operatorToken.getText()} ${this.#write(right)}) !== ${isOther})`;
      }
      case SyntaxKind.AmpersandAmpersandToken: {
        const [first, second] = [this.#isOn(node, 'left: true'), this.#isOn(node, 'right: true')];
        return `((${first} || (${this.#write(left)})) && (${second} || (${this.#write(right)})))`;
      }
      case SyntaxKind.BarBarToken: {
        const [first, second] = [this.#isOn(node, 'left: false'), this.#isOn(node, 'right: false')];
        return `((!${first} && (${this.#write(left)})) || (!${second} && (${this.#write(right)})))`;
      }
      case SyntaxKind.QuestionQuestionToken: {
        const given = `(${this.#isOn(node, 'left: undefined')} ? undefined : (${this.#write(left)}))`;
        // Types ask for many constants that no program meets.
        return `(${given} ?? (${isConstant(right) ? right.getText() : this.#write(right)}))`;
      }
      default:
        return undefined;
    }
  }

  #unary(node: ts.PrefixUnaryExpression): string | undefined {
    if (node.operator === SyntaxKind.ExclamationToken) {
      return `((!(${this.#write(node.operand)})) !== ${this.#isOn(node, 'the contrary')})`;
    }
    if (node.operator !== SyntaxKind.MinusToken || isNumber(node.operand)) return undefined;
    return `eitherMutant(${this.#isOn(node, 'without the sign')}, ${this.#write(node.operand)}, null, (a) => -a, (a) => a)`;
  }

  #if({ expression, thenStatement, elseStatement }: ts.IfStatement): string {
    const never = this.#isOn(expression, 'if (false)');
    // Nothing passes a check that always fails.
    const always = throws(thenStatement) ? '' : `${this.#isOn(expression, 'if (true)')} || `;
    const made = `if (!${never} && (${always}(${this.#write(expression)}))) ${this.#write(thenStatement)}`;
    return elseStatement === undefined ? made : `${made} else ${this.#write(elseStatement)}`;
  }

  /** Calls and assignments can be left out. */
  #statement(node: ts.ExpressionStatement): string | undefined {
    const { expression } = node;
    const inner = ts.isAwaitExpression(expression) || ts.isVoidExpression(expression) ? expression.expression : expression;
    const isCall = ts.isCallExpression(inner) && inner.expression.kind !== SyntaxKind.SuperKeyword;
    if (!isCall && !isAssignment(expression)) return undefined;
    return `${this.#isOn(node, 'left out')} || (${this.#write(expression)});`;
  }

  #method(node: ts.PropertyAccessExpression): string | undefined {
    const { parent, name, expression } = node;
    if (!ts.isCallExpression(parent) || parent.expression !== node || node.questionDotToken !== undefined) return undefined;
    const other = methods.get(expression.getText() === 'Math' ? `Math.${name.text}` : name.text);
    if (other === undefined) return undefined;
    return `${this.#write(expression)}[${this.#isOn(node, other)} ? '${other}' : '${name.text}']`;
  }
}

/** True for types, imports and exports, and for enums, whose members other code has as constants. */
function hasNoCode(node: ts.Node): boolean {
  if (ts.isExpressionWithTypeArguments(node)) return false;
  const isDeclared = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === SyntaxKind.DeclareKeyword);
  return (
    isDeclared === true ||
    ts.isTypeNode(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  );
}

/** True for names of properties, and for numbers that only types ask for: `const [first = 0] = list`. */
function isNameOrDefault(node: ts.Node): boolean {
  const { parent } = node;
  return (ts.isPropertyAssignment(parent) && parent.name === node) || ts.isBindingElement(parent);
}

function isAssignment(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
}

function isBoolean({ kind }: ts.Node): boolean {
  return kind === SyntaxKind.TrueKeyword || kind === SyntaxKind.FalseKeyword;
}

function isNumber(node: ts.Node): boolean {
  return ts.isNumericLiteral(node) || ts.isBigIntLiteral(node);
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function isConstant(node: ts.Node): boolean {
  return ts.isLiteralExpression(node) || isBoolean(node) || ['[]', '{}', 'null', 'undefined'].includes(node.getText());
}

function throws(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  return last !== undefined && ts.isThrowStatement(last);
}
