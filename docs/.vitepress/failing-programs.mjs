// @ts-check
// Programs that fail in the playground, and what it must say: where, and what is wrong.

const operators = `import { gemm } from 'node-directml/operators';\n`;
const device = `import { createDevice } from 'node-directml';\nconst device = await createDevice();\n`;

/** @type {readonly (readonly [code: string, ...said: readonly string[]])[]} */
export const failingPrograms = [
  ['const x = 1;\nconst y = (2;\n', 'program.mjs:2:13', 'SyntaxError: Unexpected token'],
  ['const x = "open;\n', 'program.mjs:1:11', 'SyntaxError: Unterminated string constant'],
  ['const x = 1;\nlet x = 2;\n', 'program.mjs:2:5', "SyntaxError: Identifier 'x' has already been declared"],
  ['if (true) {\n  console.log(1);\n', 'program.mjs:3:1', 'SyntaxError: Unexpected token'],
  ['import { x from "node-directml";\n', 'program.mjs:1:12', 'SyntaxError: Unexpected token'],
  ['return 1;\n', 'program.mjs:1:1', "SyntaxError: 'return' outside of function"],
  ['function f() {\n  await f();\n}\n', 'program.mjs:2:3', 'SyntaxError: '],
  [
    `import { gem } from 'node-directml/operators';\ngem();\n`,
    'program.mjs:1:10',
    `SyntaxError: 'node-directml/operators' has no export 'gem' (did you mean 'gemm'?)`,
  ],
  [
    `${operators}import { gemm as product } from 'node-directml';\nproduct(gemm);\n`,
    'program.mjs:2:10',
    `SyntaxError: 'node-directml' has no export 'gemm'; 'node-directml/operators' has it`,
  ],
  [`import fs from 'node:fs';\n`, `Cannot find package 'node:fs'. In the browser, a program can import node-directml`],
  ['const x = 1;\nx.y.z;\n', 'program.mjs:2', 'TypeError: '],
  [
    `${device}device.tensor([[1, 2], [3]]);\n`,
    'program.mjs:3',
    'device.tensor: data[1]: expected 2 elements',
    `code: 'ERR_SIZES'`,
  ],
];
