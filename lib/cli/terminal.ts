/** What a command prints to. Tests give one of their own. */
import { writeSync } from 'node:fs';
import { printable } from '../given.js';

export interface Terminal {
  /** In characters. */
  readonly width: number;
  readonly hasColors: boolean;
  /** Prints a text and ends its line. */
  out(text: string): void;
  /** The same for errors. */
  error(text: string): void;
  /** Shows how far long work is, in one line that the next call replaces; null removes it. Nothing in a pipe. */
  progress(text: string | null): void;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** The sequences of ECMA-48 that turn a style on and off. */
const styles: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Lines in a pipe or a file are cut here; a terminal says its own width. */
const pipeWidth = 100;
const maxWidth = 120;
const minWidth = 40;

export function styled(terminal: Terminal, style: Style, text: string): string {
  if (!terminal.hasColors) return text;
  const [on, off] = styles[style];
  return `\x1b[${on}m${text}\x1b[${off}m`;
}

/** Line ends, and the sequences of `styled`. */
// eslint-disable-next-line no-control-regex -- the escape character begins the sequences of styles
const meant = /(\n|\x1b\[\d+m)/;

/** What a terminal shows of a text: characters that it would obey, such as those in the name of a file, are escaped. */
export function visible(text: string): string {
  return text
    .split(meant)
    .map((part, i) => (i % 2 === 1 ? part : printable(part)))
    .join('');
}

/** Ends the process when nobody reads its output any more, or when there is no place for it. */
function endWithoutOutput({ code, message }: NodeJS.ErrnoException): never {
  // A reader such as `head` that has enough closes the pipe; that is no error.
  if (code === 'EPIPE') process.exit(0);
  try {
    writeSync(process.stderr.fd, `node-directml: the output cannot be written: ${message}\n`);
  } catch {
    // Nor can this.
  }
  process.exit(1);
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  stdout.on('error', endWithoutOutput);
  // Without a place for errors, the exit code still tells.
  stderr.on('error', () => undefined);
  let isShown = false;
  const columns = stdout.isTTY ? stdout.columns : pipeWidth;
  return {
    width: Math.max(minWidth, Math.min(maxWidth, columns)),
    hasColors: stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
    out: (text) => void stdout.write(`${visible(text)}\n`),
    error: (text) => void stderr.write(`${visible(text)}\n`),
    progress: (text) => {
      if (!stderr.isTTY || (text === null && !isShown)) return;
      isShown = text !== null;
      stderr.write(`\r\x1b[K${(text ?? '').slice(0, stderr.columns - 1)}`);
    },
  };
}
