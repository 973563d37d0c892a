/** The words of all test tools: an option means the same in each tool that has it. docs/contributing.md explains them. */
import type { OptionSpec } from '#lib/cli/command.js';

const words = {
  seed: {
    value: 'N',
    help: 'what the cases are drawn from: the same seed gives the same cases (default: another one each time)',
  },
  cases: { value: 'N', help: 'how many cases', otherNames: ['--count', '--calls', '--number'] },
  from: { value: 'N', help: 'the number of the first case (default: 0)', otherNames: ['--start', '--skip'] },
  case: {
    value: 'CASE',
    help: 'only this case: the JSON that a failure prints, or the name of a file with it',
    otherNames: ['--descriptor', '--graph'],
  },
  only: { value: 'TEXT', help: 'only what has the text in its name', otherNames: ['--filter', '--grep'] },
  tests: { value: 'TEXT', help: 'only tests in files whose path has the text' },
  show: { value: 'N', help: 'how many failures are printed at most (default: 20)', otherNames: ['--shown'] },
  backend: { value: 'NAME', help: 'directml or reference', otherNames: ['--reference'] },
  device: { value: 'NAME', help: 'the device type of WebNN: cpu, gpu or npu' },
  level: { value: 'LEVEL', help: 'the feature level (default: the highest)', otherNames: ['--feature-level'] },
  node: { value: 'VERSION', help: 'the Node.js that runs it: 20, 22, 24 or all (default: this one)' },
  workers: { value: 'N', help: 'how many processes at a time', otherNames: ['--jobs', '--parallel'] },
  silence: {
    value: 'SECONDS',
    help: 'how long a process may give no result before it counts as hung',
    otherNames: ['--timeout'],
  },
  json: { value: 'FILE', help: 'also writes all results to a file' },
  table: { help: 'also prints which data types and dimension counts were covered' },
  verbose: { help: 'prints every case, not only failures' },
  onnxruntime: { help: "compares all cases that ONNX can express with onnxruntime's CPU provider" },
  tolerances: { help: 'prints the tolerance of each operator and the reason for it' },
  graphs: { help: 'graphs of operators, instead of operators' },
  webnn: { help: "WebNN's operators, instead of DirectML's" },
  examples: { help: "worked examples of DirectML's pages, on the reference" },
  malformed: { help: 'malformed values at the boundary of the addon', otherNames: ['--crash'] },
  sessions: { help: 'sessions on ONNX models' },
  files: { help: 'files that strangers may give' },
  dispatch: { help: 'dispatches with extreme numbers and any data' },
  pytorch: { help: 'compares with the gradients of PyTorch' },
  answers: { help: 'compares with the answers of PyTorch in a file' },
  write: { help: 'writes the expectations of the tests again' },
  stored: { help: 'the descriptors in checks/verdicts/stored' },
  collect: { help: 'selects the descriptors anew' },
  help: { help: 'show this help' },
} satisfies Record<string, OptionSpec>;

export type Word = keyof typeof words;

export const vocabulary: Readonly<Record<Word, OptionSpec>> = words;
