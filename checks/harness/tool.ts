/** A test tool has one or more modes, each with its options. Reads the options, explains them, and sets the exit code. */
import { existsSync, readFileSync } from 'node:fs';
import { readArguments, UsageError, type Arguments, type OptionSpec } from '#lib/cli/command.js';
import { hanging, table } from '#lib/cli/layout.js';
import { didYouMean } from '#lib/values/near-names.js';
import { vocabulary, type Word } from './vocabulary.js';

export interface Tool {
  readonly name: string;
  readonly modes: readonly Mode[];
}

export interface Mode {
  /** The option that chooses this mode; absent for the mode without one. */
  readonly option?: Word;
  readonly summary: string;
  /** The names that may be given, such as those of operators. */
  readonly names?: readonly string[];
  /** The placeholder of an argument that is not a name, such as `FOLDER`. */
  readonly argument?: string;
  /** The meaning of each option in this mode; empty if the vocabulary says everything. */
  readonly options: Readonly<Partial<Record<Word, string>>>;
  /** Returns the number of failures. */
  run(given: Given): Promise<number>;
}

const WIDTH = 120;
const MAX_SEED = 2 ** 31 - 1;
const SHOWN = 20;

/** Runs the tool with the arguments of the process. The exit code is 0 without failures, 1 with some, 2 if it could not run. */
export function runTool(tool: Tool, args: readonly string[] = process.argv.slice(2)): void {
  runMode(tool, args).then(
    (failures) => (process.exitCode = failures === 0 ? 0 : 1),
    (error: unknown) => {
      process.exitCode = 2;
      console.error(error instanceof UsageError ? error.message : error);
    },
  );
}

async function runMode(tool: Tool, args: readonly string[]): Promise<number> {
  const mode = modeOf(tool, args);
  const given = new Given(tool, mode, args);
  if (!given.has('help')) return mode.run(given);
  console.log(helpOf(tool));
  return 0;
}

function modeOf({ name, modes }: Tool, args: readonly string[]): Mode {
  const [chosen, other] = modes.filter(({ option }) => option !== undefined && args.includes(`--${option}`));
  if (other !== undefined) throw new UsageError(`${name}: --${chosen?.option} and --${other.option} exclude each other`);
  const mode = chosen ?? modes.find(({ option }) => option === undefined);
  if (mode === undefined) throw new Error(`${name} does nothing without an option`);
  return mode;
}

/** The arguments of a mode. */
export class Given {
  /** The given names; all valid names if none is given. */
  readonly names: readonly string[];
  /** The argument that is no name. */
  readonly argument: string | undefined;
  readonly #title: string;
  readonly #arguments: Arguments;

  constructor(tool: Tool, mode: Mode, args: readonly string[]) {
    this.#title = titleOf(tool, mode);
    const maxPositionals = mode.names?.length ?? (mode.argument === undefined ? 0 : 1);
    try {
      this.#arguments = readArguments({ name: 'it', options: specsOf(tool, mode), maxPositionals }, args, {});
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const hint = error.message.includes('did you mean') ? '' : `; npm run ${tool.name} -- --help shows what there is`;
      throw this.mistake(`${error.message}${hint}`);
    }
    const { positionals } = this.#arguments;
    const all = mode.names ?? [];
    const unknown = positionals.find((name) => mode.names !== undefined && !all.includes(name));
    if (unknown !== undefined) {
      const nearest = didYouMean(unknown, all) ?? `there are: ${all.join(', ')}`;
      throw this.mistake(`there is no '${unknown}' (${nearest})`);
    }
    this.names = positionals.length === 0 || mode.names === undefined ? all : positionals;
    this.argument = mode.names === undefined ? positionals[0] : undefined;
  }

  /** True if names were given. */
  get isNamed(): boolean {
    return this.#arguments.positionals.length > 0;
  }

  has(word: Word): boolean {
    return this.#arguments.has(word);
  }

  textOf(word: Word): string | undefined {
    return this.#arguments.valueOf(word);
  }

  /** Those of these options that are given, as the end of a command line. */
  repeated(...words: readonly Word[]): string {
    return words
      .filter((word) => this.has(word))
      .map((word) => ` --${word}${this.textOf(word) === undefined ? '' : ` ${this.textOf(word)}`}`)
      .join('');
  }

  numberOf(word: Word, otherwise: number, least = 0): number {
    try {
      return this.#arguments.numberOf(word, least, otherwise);
    } catch (error) {
      throw error instanceof UsageError ? this.mistake(error.message) : error;
    }
  }

  /** One of the names; the first one if the option is not given. */
  choiceOf<Name extends string>(word: Word, names: readonly [Name, ...Name[]]): Name {
    const text = this.textOf(word);
    if (text === undefined) return names[0];
    const chosen = names.find((name) => name === text);
    if (chosen !== undefined) return chosen;
    throw this.mistake(`--${word} is ${names.join(' or ')}, not '${text}'`);
  }

  seed(): number {
    const seed = this.numberOf('seed', Math.floor(Math.random() * MAX_SEED));
    if (seed > MAX_SEED) throw this.mistake(`--seed is at most ${MAX_SEED}`);
    return seed;
  }

  /** The single case that is given, as `read` understands its JSON; undefined if none is. */
  caseOf<Case>(read: (json: string) => Case): Case | undefined {
    const text = this.textOf('case');
    if (text === undefined) return undefined;
    try {
      return read(!text.startsWith('{') && existsSync(text) ? readFileSync(text, 'utf8') : text);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof TypeError) throw this.mistake(`--case: ${error.message}`);
      throw error;
    }
  }

  shown(): number {
    return this.numberOf('show', SHOWN);
  }

  /** The error of a wrong argument: one line, which names the tool. */
  mistake(message: string): UsageError {
    return new UsageError(`${this.#title}: ${message}`);
  }
}

function titleOf({ name }: Tool, { option }: Mode): string {
  return option === undefined ? name : `${name} --${option}`;
}

/** The options of a mode. The mode without an option also has the options of the others, so that they are offered as near names. */
function specsOf({ modes }: Tool, mode: Mode): Record<string, OptionSpec> {
  const switches = modes.flatMap(({ option }) => (mode.option === undefined || mode.option === option ? (option ?? []) : []));
  const words = [...switches, ...Object.keys(mode.options).filter(isWord), 'help' as const];
  return Object.fromEntries(words.map((word) => [word, vocabulary[word]]));
}

function isWord(text: string): text is Word {
  return Object.hasOwn(vocabulary, text);
}

export function helpOf(tool: Tool): string {
  const modes = tool.modes.map((mode) => {
    const what = mode.names === undefined ? (mode.argument ?? '') : '[name ...]';
    const usage = ['npm run', tool.name, ...(what === '' && mode.option === undefined ? [] : ['--']), what];
    if (mode.option !== undefined) usage.push(`--${mode.option}`);
    const rows = Object.entries(mode.options).map(([word, meaning]) => {
      const { value, help } = isWord(word) ? vocabulary[word] : { help: '' };
      return [`  --${word}${value === undefined ? '' : ` ${value}`}`, meaning === '' ? help : meaning];
    });
    const head = `${usage.filter((part) => part !== '').join(' ')}\n${hanging('  ', mode.summary, WIDTH)}`;
    return rows.length === 0 ? head : `${head}\n${table(rows, WIDTH)}`;
  });
  return [...modes, 'Exit codes: 0 if all is well, 1 if something is wrong, 2 if the tool could not run.'].join('\n\n');
}
