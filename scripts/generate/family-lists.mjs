// Writes lib/operators/generated/{rules,kernels,gradients}.ts: what all families export. Names what a family lacks, and where it
// belongs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../shared/common.mjs';
import { banner } from './banner.mjs';
import { families } from './facts.mjs';

/** @returns {string} */
export function rulesFile() {
  const modules = Object.keys(families).flatMap((family) => modulesOf(family, 'rule'));
  return `${banner}
import type { Rules } from '../../descriptors/rule.js';
${imports(modules)}
export const rules: Rules = {
${spread(modules)}};
`;
}

/** @returns {string} */
export function kernelsFile() {
  const modules = Object.keys(families).flatMap((family) => modulesOf(family, 'kernel'));
  return `${banner}
import type { Kernel } from '../../compute/kernel.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
${imports(modules)}
export const kernels: { readonly [Type in OperatorType]: Kernel<Type> } = {
${spread(modules)}};
`;
}

/** @returns {string} */
export function gradientsFile() {
  const names = Object.keys(families);
  for (const family of names) checkGradients(family);
  const own = names.map((family) => `import { gradients as ${nameOf(family)} } from '../${family}/gradient.js';\n`);
  return `${banner}
import type { GradientRules } from '../../descriptors/gradient.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
${own.join('')}
export const gradients: GradientRules<OperatorType> = {
${spread(names)}};
`;
}

function checkGradients(/** @type {string} */ family) {
  const file = `lib/operators/${family}/gradient.ts`;
  const text = existsSync(join(checkout, file)) ? readFileSync(join(checkout, file), 'utf8') : '';
  for (const name of Object.keys(families[family]?.operators ?? {})) {
    if (!new RegExp(String.raw`\b${name}:`).test(text))
      throw new Error(`${name} has no gradient: ${file} has neither a rule nor a reason`);
  }
}

/** Returns the family's modules of a part, such as `kernel` and `kernel-gradient`, as paths in lib/operators. */
function modulesOf(/** @type {string} */ family, /** @type {'rule' | 'kernel'} */ part) {
  const folder = `lib/operators/${family}`;
  const files = existsSync(join(checkout, folder)) ? readdirSync(join(checkout, folder)) : [];
  const own = files.filter((file) => file === `${part}.ts` || file.startsWith(`${part}-`)).sort();
  const text = own.map((file) => readFileSync(join(checkout, folder, file), 'utf8')).join('\n');
  for (const name of Object.keys(families[family]?.operators ?? {})) {
    if (new RegExp(`^export const ${name}\\b`, 'm').test(text)) continue;
    throw new Error(`${name} has no ${part}: ${folder}/${part}.ts exports none of that name`);
  }
  return own.map((file) => `${family}/${file.replace('.ts', '')}`);
}

function imports(/** @type {readonly string[]} */ modules) {
  return modules.map((module) => `import * as ${nameOf(module)} from '../${module}.js';\n`).join('');
}

function spread(/** @type {readonly string[]} */ modules) {
  return modules.map((module) => `  ...${nameOf(module)},\n`).join('');
}

/** Returns `poolingKernelGradient` for `pooling/kernel-gradient`. */
function nameOf(/** @type {string} */ module) {
  return module.replaceAll(/[-/](\w)/g, (_, /** @type {string} */ letter) => letter.toUpperCase());
}
