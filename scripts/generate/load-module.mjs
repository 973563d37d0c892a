// Loads TypeScript modules, so that generating needs no built library.
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { rolldown } from 'rolldown';

const requireOfNode = createRequire(import.meta.url);
const entry = '\0modules';

/**
 * Returns the exports of TypeScript modules, which share what they import. Packages are empty objects.
 * @returns {Promise<any>} an array of them
 */
export async function loadModules(/** @type {readonly string[]} */ ...paths) {
  const code = paths.map((path, i) => `export * as module${i} from ${JSON.stringify(path)};`).join('\n');
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    external: (id) => id !== entry && !id.startsWith('.') && !isAbsolute(id),
    plugins: [{ name: 'modules', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? code : null) }],
    logLevel: 'warn',
  });
  const { output } = await bundle.generate({ format: 'cjs' });
  await bundle.close();
  /** @type {Record<string, any>} */
  const exports = {};
  const require = (/** @type {string} */ name) => (name.startsWith('node:') ? requireOfNode(name) : {});
  new Function('exports', 'require', output[0].code)(exports, require);
  return paths.map((_, i) => exports[`module${i}`]);
}
