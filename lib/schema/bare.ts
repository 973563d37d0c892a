/** An object and all in it, made to inherit nothing: what a script puts on Object.prototype is no field of the table's then. */
export function bare<T extends object>(root: T): T {
  if (!Array.isArray(root)) {
    // Rows that several fields share are done once.
    if (Object.getPrototypeOf(root) === null) return root;
    Object.setPrototypeOf(root, null);
  }
  for (const value of Object.values(root)) {
    if (typeof value === 'object' && value !== null) bare(value);
  }
  return root;
}
