/** Errors of the package in the words of the command line. */

/** What a program writes, and the option or command that stands for it. */
const words: readonly (readonly [ofPrograms: string, ofCommands: string])[] = [
  [`createDevice({ backend: 'reference' })`, '--backend reference'],
  ['options.adapter', '--adapter'],
  ['options.backend', '--backend'],
  ['one of listAdapters() or its luid', 'a LUID, or a number, that node-directml adapters prints'],
  [`in options.initializationInputs, for its flags are 'ownedByDml'`, 'in tensors'],
  ['(the options of compileGraph take it too)', '(tensors take it too)'],
];

export function inFlags(message: string): string {
  return words.reduce((text, [ofPrograms, ofCommands]) => text.replaceAll(ofPrograms, ofCommands), message);
}
