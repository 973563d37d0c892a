/** Shrinks a failing case for as long as it still fails in the same way. */

/**
 * @param smaller The next smaller cases, the smallest first
 * @param firstFailing Returns the first of some cases that fails in the same way; undefined if none does
 */
export async function shrunk<Case>(
  failing: Case,
  smaller: (test: Case) => Promise<readonly Case[]> | readonly Case[],
  firstFailing: (cases: readonly Case[]) => Promise<Case | undefined>,
): Promise<Case> {
  for (let smallest = failing; ;) {
    const next = await firstFailing(await smaller(smallest));
    if (next === undefined) return smallest;
    smallest = next;
  }
}
