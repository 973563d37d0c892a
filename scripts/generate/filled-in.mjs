// Leaves out of a descriptor what the package fills in, by asking the package itself: outputs, defaults and parts of outputs.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { checkout } from '../shared/common.mjs';
import { loadModules } from './load-module.mjs';

/** @typedef {import('./examples.mjs').Example['descriptor']} Descriptor */
/** @typedef {(operator: import('./facts.mjs').Operator, descriptor: Descriptor) => Descriptor} LeaveOut */

/**
 * Loads the rules of the operators, and with them the generated tables: call it after those are written.
 * @returns {Promise<LeaveOut>} Returns a descriptor with as few fields as mean the same.
 */
export async function leavingOutWhatIsFilledIn() {
  const [{ resolveDescriptor }, { highestFeatureLevel }, { DirectMLError }] =
    /** @type {[typeof import('../../lib/operators/resolve.js'), typeof import('../../lib/descriptors/feature-level.js'), typeof import('../../lib/values/errors.js')]} */ (
      await loadModules(
        ...['operators/resolve.ts', 'descriptors/feature-level.ts', 'values/errors.ts'].map((name) =>
          join(checkout, 'lib', name),
        ),
      )
    );
  const resolve = (/** @type {Descriptor} */ descriptor) => resolveDescriptor(descriptor, highestFeatureLevel).descriptor;

  return ({ fields }, descriptor) => {
    const whole = resolve(descriptor);
    const isSame = (/** @type {Descriptor} */ other) => {
      try {
        return isDeepStrictEqual(resolve(other), whole);
      } catch (error) {
        if (error instanceof DirectMLError) return false;
        throw error;
      }
    };
    let short = descriptor;
    const attempt = (/** @type {Descriptor} */ other) => {
      if (isSame(other)) short = other;
    };
    const outputs = fields.filter(({ role }) => role === 'output');
    // Outputs first: where an output and a field follow from each other, the field is what one writes.
    for (const { name } of new Set([...outputs, ...fields])) {
      const { [name]: _, ...others } = short;
      attempt({ ...others, type: descriptor.type });
    }
    for (const { name } of outputs) {
      for (const part of ['dataType', 'sizes']) {
        const { [name]: output } = short;
        if (output !== undefined) attempt({ ...short, [name]: without(part, output) });
      }
    }
    return short;
  };
}

/**
 * The description of an output, or of each in an array, without one of its fields.
 * @returns {unknown}
 */
function without(/** @type {string} */ part, /** @type {unknown} */ output) {
  if (Array.isArray(output)) return output.map((each) => without(part, each));
  if (typeof output !== 'object' || output === null) return output;
  return Object.fromEntries(Object.entries(output).filter(([name]) => name !== part));
}
