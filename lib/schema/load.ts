/**
 * Loads the operator table when the first operator is described, and the names that operators have elsewhere when an error needs
 * them, because both are a third of the library. load.mts does the same for dist/module, where bundlers need an import.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- `import()` takes a turn of the event loop */

let table: typeof import('./generated/table.js').operatorTable | undefined;

export function loadTable(): typeof import('./generated/table.js').operatorTable {
  table ??= (require('./generated/table.js') as typeof import('./generated/table.js')).operatorTable;
  return table;
}

export const loadOtherNames = () =>
  (require('./generated/other-names.js') as typeof import('./generated/other-names.js')).otherOperatorNames();
