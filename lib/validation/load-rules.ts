/**
 * Loads the rules when the first descriptor is validated, because they are a large part of the library. load-rules.mts does the
 * same for dist/module, where bundlers need an import.
 */
import type { Rules } from './rules/rule.js';

let rules: Rules | undefined;

export function loadRules(): Rules {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` takes a turn of the event loop
  rules ??= (require('./rules/index.js') as typeof import('./rules/index.js')).rules;
  return rules;
}
