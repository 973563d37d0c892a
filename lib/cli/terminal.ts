/** The output of a command. Tests pass their own. */
import { writeSync } from 'node:fs';
import { printable } from '../values/given.js';

export interface Terminal {
  /** In characters. */
  readonly width: number;
  readonly hasColors: boolean;
  /** Prints a text and ends its line. */
  out(text: string): void;
  /** The same for errors. */
  error(text: string): void;
  /** Shows the progress of long work in one line, which the next call replaces; null removes it. Shows nothing in a pipe. */
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

/** The width of lines in a pipe or a file; a terminal reports its own width. */
const pipeWidth = 100;
const maxWidth = 120;
const minWidth = 40;

export function styled(terminal: Terminal, style: Style, text: string): string {
  if (!terminal.hasColors) return text;
  const [on, off] = styles[style];
  return `\x1b[${on}m${text}\x1b[${off}m`;
}

/** Line ends, and sequences that set styles and colours. */
// eslint-disable-next-line no-control-regex -- the escape character begins the sequences of styles
const meant = /(\n|\x1b\[[\d;]+m)/;

/** Escapes control characters, such as those in a file name, which a terminal would otherwise obey. */
export function visible(text: string): string {
  return text
    .split(meant)
    .map((part, i) => (i % 2 === 1 ? part : printable(part)))
    .join('');
}

/** Ends the process when nobody reads its output any more, or when it cannot be written. */
function endWithoutOutput({ code, message }: NodeJS.ErrnoException): never {
  // A reader such as `head` closes the pipe early; that is not an error.
  if (code === 'EPIPE') process.exit(0);
  try {
    writeSync(process.stderr.fd, `node-directml: the output cannot be written: ${message}\n`);
  } catch {
    // This cannot be written either.
  }
  process.exit(1);
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  stdout.on('error', endWithoutOutput);
  // If errors cannot be written, the exit code still reports them.
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
