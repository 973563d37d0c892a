/** What tools print while they run, and of what failed. */

/** In the sandbox stdout is a file that is copied to the terminal, so an environment variable says whether there is one. */
const isTerminal = process.stdout.isTTY || process.env['NODE_DIRECTML_TERMINAL'] !== undefined;

/** Shows a line that the next one replaces; an empty one removes it. Only on a terminal. */
export function showProgress(text: string): void {
  if (isTerminal) process.stdout.write(`\r\x1b[K${text}`);
}

/** Prints failures, at most `shown` of them. */
export function printFailures(failures: readonly string[], shown: number): void {
  for (const failure of failures.slice(0, shown)) console.log(`\n${failure}`);
  if (failures.length > shown) console.log(`\n… and ${failures.length - shown} more, which --show shows\n`);
}

/** Adds one to how often something was seen. */
export function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
