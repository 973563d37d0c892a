/** On a terminal only, in a line that the next one takes the place of. */
export function showProgress(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`);
}
