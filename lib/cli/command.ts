/** The definition of a command, and the reader of its arguments. */
import { parseArgs } from 'node:util';
import { didYouMean } from '../values/near-names.js';
import type { Terminal } from './terminal.js';

export interface OptionSpec {
  /** The name of the option's value; absent for an option without one. */
  readonly value?: string;
  readonly help: string;
  /** Names of this option in other tools, such as `--count`; an error for one of them suggests this option. */
  readonly otherNames?: readonly string[];
}

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The arguments behind the name of the command, such as `FILE.json`. */
  readonly usage: string;
  readonly maxPositionals: number;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Further paragraphs for `--help`. */
  readonly help: readonly string[];
  /** Returns the exit code: 0, or 1 if something is wrong. */
  run(given: Arguments, terminal: Terminal): Promise<number>;
}

export interface Arguments {
  readonly positionals: readonly string[];
  has(option: string): boolean;
  /** The value of an option; undefined if the option is not given. */
  valueOf(option: string): string | undefined;
  /** The values of an option that may be given several times. */
  valuesOf(option: string): readonly string[];
  /** The value as a whole number of at least `least`; `otherwise` if the option is not given. */
  numberOf(option: string, least: number, otherwise: number): number;
}

/** Wrong arguments: exit code 2. */
export class UsageError extends Error {}

/** The options of every command. */
export const commonOptions: Readonly<Record<string, OptionSpec>> = {
  json: { help: 'print JSON, for programs' },
  help: { help: 'show this help' },
};

/** @throws {UsageError} for an option that the command lacks, a value that is missing or too much, or too many arguments */
export function readArguments(
  { name, options, maxPositionals }: Pick<Command, 'name' | 'options' | 'maxPositionals'>,
  args: readonly string[],
  common = commonOptions,
): Arguments {
  const known: Readonly<Record<string, OptionSpec>> = { ...options, ...common };
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(known).map(([option, { value }]) => [
        option,
        { type: value === undefined ? 'boolean' : 'string', ...(option === 'help' ? { short: 'h' } : {}) },
      ]),
    ),
  });
  const all: (readonly [option: string, value: string | null])[] = [];
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (spec === undefined) throw unknownOption(token.rawName, token.name, known);
    all.push([token.name, valueOf(token.rawName, spec, token.value, token.inlineValue === true)]);
  }
  const extra = positionals[maxPositionals];
  if (extra !== undefined) throw new UsageError(`${name} takes no argument '${extra}'`);
  // Of an option that is given twice, the last one counts.
  const values = new Map(all);
  return {
    positionals,
    has: (option) => values.has(option),
    valueOf: (option) => values.get(option) ?? undefined,
    valuesOf: (option) => all.flatMap(([name, value]) => (name === option && value !== null ? [value] : [])),
    numberOf: (option, least, otherwise) => wholeNumber(option, values.get(option) ?? undefined, least, otherwise),
  };
}

function unknownOption(rawName: string, name: string, known: Readonly<Record<string, OptionSpec>>): UsageError {
  const others = Object.entries(known).map(([option, { otherNames = [] }]) => [`--${option}`, otherNames] as const);
  const names = Object.keys(known).map((option) => `--${option}`);
  const question = didYouMean(rawName, names, Object.fromEntries(others));
  return new UsageError(`there is no option ${name.length === 1 ? rawName : `--${name}`}${question ? ` (${question})` : ''}`);
}

/** A value that begins with `-` and is not a number is probably the next option. */
function valueOf(rawName: string, spec: OptionSpec, value: string | undefined, isInline: boolean): string | null {
  if (spec.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return null;
  }
  if (value === undefined || (!isInline && /^-[^\d]/.test(value)))
    throw new UsageError(`${rawName} needs a value: ${spec.value}`);
  return value;
}

function wholeNumber(option: string, text: string | undefined, least: number, otherwise: number): number {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`--${option} is a whole number of at least ${least}, not '${text}'`);
}
