/** Prints the progress and the failures of tools. */

/** In the sandbox stdout is a file that is copied to the terminal, so an environment variable says whether there is a terminal. */
const isTerminal = process.stdout.isTTY || process.env['NODE_DIRECTML_TERMINAL'] !== undefined;

/** On a terminal, shows a line that the next call replaces; an empty text removes it. */
export function showProgress(text: string): void {
  if (isTerminal) process.stdout.write(`\r\x1b[K${text}`);
}

/** Prints failures, at most `shown` of them. */
export function printFailures(failures: readonly string[], shown: number): void {
  for (const failure of failures.slice(0, shown)) console.log(`\n${failure}`);
  if (failures.length > shown) console.log(`\n… and ${failures.length - shown} more, which --show shows\n`);
}

/** Adds one to the count of the key. */
export function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
