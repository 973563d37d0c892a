/** Like load.ts, for dist/module, which is bundled: the rules are part of the bundle. */
import type { Rules } from './rule.js';
import { rules } from './index.js';

export function loadRules(): Rules {
  return rules;
}
