/** The calls in the stack of an error. */
export function frames({ stack = '' }: Error): readonly string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}
