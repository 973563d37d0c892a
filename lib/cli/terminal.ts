/** What a command prints to. Tests give one of their own. */

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

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  // A reader such as `head` that has enough closes the pipe; that is no error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  let isShown = false;
  const columns = stdout.isTTY ? stdout.columns : pipeWidth;
  return {
    width: Math.max(minWidth, Math.min(maxWidth, columns)),
    hasColors: stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
    out: (text) => void stdout.write(`${text}\n`),
    error: (text) => void stderr.write(`${text}\n`),
    progress: (text) => {
      if (!stderr.isTTY || (text === null && !isShown)) return;
      isShown = text !== null;
      stderr.write(`\r\x1b[K${(text ?? '').slice(0, stderr.columns - 1)}`);
    },
  };
}
