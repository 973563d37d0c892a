/** `npm test` draws fewer random cases than `npm run test:all`. scripts/test.mjs sets the variable that tells them apart. */
const isQuick = process.env['NODE_DIRECTML_TESTS_WITHOUT']?.includes('long') === true;

/** Returns how many cases to draw. */
export function drawn(count: { readonly quick: number; readonly all: number }): number {
  return isQuick ? count.quick : count.all;
}
