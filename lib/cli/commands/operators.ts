/** `node-directml operators [NAME]`: all operators, or the page of one. */
import type { OperatorType } from '../../index.js';
import type { Command } from '../command.js';
import { counted, table } from '../layout.js';
import { readMarkdown, renderMarkdown } from '../markdown.js';
import { listOperators, operatorFacts } from '../operator-facts.js';
import { operatorNamed } from '../operator-names.js';
import { operatorPage } from '../package-files.js';
import { styled, type Terminal } from '../terminal.js';

export const operators: Command = {
  name: 'operators',
  summary: 'Lists the operators, or shows the fields, rules and an example of one',
  usage: '[NAME]',
  maxPositionals: 1,
  options: {},
  help: [
    'NAME is the name of an operator, such as gemm, or one that it has elsewhere: in ONNX, WebNN, PyTorch, NumPy, or in the ' +
      'headers of DirectML.',
    '  node-directml operators gemm\n  node-directml operators torch.matmul\n  node-directml operators DML_OPERATOR_GEMM',
  ],
  run(given, terminal) {
    const [name] = given.positionals;
    if (name === undefined) printList(terminal, given.has('json'));
    else printOne(terminal, operatorNamed(name, terminal), given.has('json'));
    return Promise.resolve(0);
  },
};

function printList(terminal: Terminal, isJson: boolean): void {
  const list = listOperators();
  if (isJson) {
    terminal.out(JSON.stringify(list, null, 2));
    return;
  }
  for (const family of new Set(list.map((operator) => operator.family))) {
    terminal.out(styled(terminal, 'bold', family));
    const rows = list.filter((operator) => operator.family === family).map(({ name, summary }) => [name, summary]);
    terminal.out(`${table(rows, terminal.width - 2).replace(/^(?=.)/gm, '  ')}\n`);
  }
  terminal.out(`${counted(list.length, 'operator')}. node-directml operators NAME shows one.`);
}

function printOne(terminal: Terminal, name: OperatorType, isJson: boolean): void {
  const page = readMarkdown(operatorPage(name));
  terminal.out(isJson ? JSON.stringify(operatorFacts(name, page), null, 2) : renderMarkdown(page, terminal));
}
