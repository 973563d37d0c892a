/** The command line: `npx node-directml COMMAND`. */
import { DirectMLError } from '../values/errors.js';
import { commonOptions, readArguments, UsageError, type Command, type OptionSpec } from './command.js';
import { adapters } from './commands/adapters.js';
import { bench } from './commands/bench.js';
import { conformance } from './commands/conformance.js';
import { doctor } from './commands/doctor.js';
import { operators } from './commands/operators.js';
import { run } from './commands/run.js';
import { inFlags } from './flags.js';
import { hanging, table, wrap } from './layout.js';
import { nearOrAll } from './near-or-all.js';
import { packageVersion } from './package-files.js';
import { processTerminal, styled, type Terminal } from './terminal.js';

const commands: readonly Command[] = [doctor, adapters, operators, run, bench, conformance];
/** Names of commands elsewhere. */
const otherNames = {
  doctor: ['check', 'diagnose', 'info'],
  adapters: ['devices', 'list', 'gpus'],
  operators: ['ops', 'op', 'describe'],
  run: ['exec', 'compute'],
  bench: ['benchmark', 'measure', 'speed'],
};

const exitCodes = 'Exit codes: 0 if all is well, 1 if something is wrong, 2 if the arguments are.';

/** Runs a command, and returns the exit code of the process. */
export async function main(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === undefined || ['help', '--help', '-h'].includes(name)) {
      const about = rest[0];
      terminal.out(about === undefined ? overview(terminal) : helpOf(commandNamed(about), terminal));
      return name === undefined ? 2 : 0;
    }
    if (name === '--version' || name === '-v') {
      terminal.out(packageVersion());
      return 0;
    }
    return await runCommand(commandNamed(name), rest, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.error(hanging('node-directml: ', error.message, terminal.width));
    terminal.error('node-directml --help lists the commands, node-directml COMMAND --help their options.');
    return 2;
  }
}

async function runCommand(command: Command, args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readArguments(command, args);
  if (given.has('help')) {
    terminal.out(helpOf(command, terminal));
    return 0;
  }
  try {
    return await command.run(given, terminal);
  } catch (error) {
    if (!(error instanceof DirectMLError)) throw error;
    if (given.has('json')) terminal.out(JSON.stringify({ error: factsOf(error) }, null, 2));
    else terminal.error(`${error.code}: ${inFlags(error.message)}`);
    return 1;
  } finally {
    terminal.progress(null);
  }
}

/** The properties that programs can use. */
function factsOf(error: DirectMLError): object {
  const { code, message, operator, field, expected, given, call, hresultName } = error;
  return { code, message, operator, field, expected, given, call, hresultName };
}

function commandNamed(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const isOption = name.startsWith('-');
  const names = isOption ? ['--help', '--version'] : commands.map((candidate) => candidate.name);
  const what = isOption ? 'option' : 'command';
  throw new UsageError(`there is no ${what} '${name}' (${nearOrAll(name, names, otherNames)})`);
}

function overview(terminal: Terminal): string {
  const title = (text: string) => styled(terminal, 'bold', text);
  return [
    paragraph(`node-directml ${packageVersion()}: Microsoft DirectML for Node.js, from the command line.`, terminal),
    `\n${title('Usage')}\n  node-directml COMMAND [arguments] [options]`,
    `\n${title('Commands')}`,
    indented(
      table(
        commands.map(({ name, summary }) => [name, summary]),
        terminal.width - 2,
      ),
    ),
    `\n${title('Options')}`,
    indented(table(optionRows({ ...commonOptions, version: { help: 'show the version' } }), terminal.width - 2)),
    `\n${paragraph(exitCodes, terminal)}`,
  ].join('\n');
}

function helpOf({ name, usage, summary, options, help }: Command, terminal: Terminal): string {
  const title = (text: string) => styled(terminal, 'bold', text);
  const all = { ...options, ...commonOptions };
  return [
    paragraph(`${summary}.`, terminal),
    `\n${title('Usage')}\n  node-directml ${[name, usage, '[options]'].filter((part) => part !== '').join(' ')}`,
    `\n${title('Options')}`,
    indented(table(optionRows(all), terminal.width - 2)),
    // A line that begins with spaces is an example and keeps its layout.
    ...help.map((text) => `\n${text.startsWith('  ') ? text : paragraph(text, terminal)}`),
    `\n${paragraph(exitCodes, terminal)}`,
  ].join('\n');
}

function optionRows(options: Readonly<Record<string, OptionSpec>>): string[][] {
  return Object.entries(options).map(([name, { value, help }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, help]);
}

function paragraph(text: string, terminal: Terminal): string {
  return wrap(text, terminal.width).join('\n');
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
