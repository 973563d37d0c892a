/** How much is drawn at random: less in `npm test` than in `npm run test:all`. scripts/test.mjs says which of them runs. */
const isQuick = process.env['NODE_DIRECTML_TESTS_WITHOUT']?.includes('long') === true;

/** How many cases to draw. */
export function drawn(count: { readonly quick: number; readonly all: number }): number {
  return isQuick ? count.quick : count.all;
}
