/** Like load-rules.ts, for dist/module, which is bundled: the rules are part of the bundle. */
import type { Rules } from './rules/rule.js';
import { rules } from './rules/index.js';

export function loadRules(): Rules {
  return rules;
}
