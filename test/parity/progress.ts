/** Shows a line that the next one replaces; only on a terminal. */
export function showProgress(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`);
}
