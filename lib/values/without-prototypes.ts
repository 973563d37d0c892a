/**
 * Removes the prototype of an object and of all objects in it. A property that a script adds to Object.prototype is
 * then not mistaken for a row or a field of a table.
 */
export function withoutPrototypes<T extends object>(root: T): T {
  if (!Array.isArray(root)) {
    // Several fields may share a row, which is converted only once.
    if (Object.getPrototypeOf(root) === null) return root;
    Object.setPrototypeOf(root, null);
  }
  for (const value of Object.values(root)) {
    if (typeof value === 'object' && value !== null) withoutPrototypes(value);
  }
  return root;
}

// A script may replace it.
const parse: (json: string) => unknown = JSON.parse;

/** What the JSON says, without prototypes. */
export const parseWithoutPrototypes = (json: string) => withoutPrototypes(parse(json) as object);
