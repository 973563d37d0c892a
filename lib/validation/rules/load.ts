/**
 * Loads the rules when the first descriptor is validated, because they are a large part of the library. load.mts does the same for
 * dist/module, where bundlers need an import.
 */
import type { Rules } from './rule.js';

let rules: Rules | undefined;

export function loadRules(): Rules {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` takes a turn of the event loop
  rules ??= (require('./index.js') as typeof import('./index.js')).rules;
  return rules;
}
