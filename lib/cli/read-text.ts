/** Reads the text that a command is given. */
import { constants } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { DirectMLError } from '../values/errors.js';
import { readWhole } from '../files/file-reader.js';
import { UsageError } from './command.js';

/** The file descriptor of the standard input. */
const standardInput = 0;

/**
 * @param command For errors.
 * @param name The path of a file, or `-` for the standard input, which may be a pipe.
 * @throws {UsageError} (as a rejection)
 */
export async function readText(command: string, name: string): Promise<string> {
  try {
    const bytes = name === '-' ? readFileSync(standardInput) : await readWhole(command, name, constants.MAX_STRING_LENGTH);
    // Without the mark that may begin the text.
    return new TextDecoder().decode(bytes);
  } catch (error) {
    throw new UsageError(`${nameOf(name)}: ${whyOf(error)}`);
  }
}

/** The name of what is read, for errors about its contents. */
export function nameOf(name: string): string {
  return name === '-' ? 'the standard input' : name;
}

function whyOf(error: unknown): string {
  if (!(error instanceof DirectMLError)) return error instanceof Error ? error.message : String(error);
  if (error.cause instanceof Error) return error.cause.message;
  return `expected ${error.expected ?? 'a file'}, given ${error.given ?? 'another one'}; - is the standard input`;
}
