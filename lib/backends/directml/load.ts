/**
 * Loads the backend when a device or the adapters are first asked for, because other programs do not need it. load.mts does the
 * same for dist/module, where bundlers need an import.
 */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` needs flags within Jest
export const loadDirectML = () => require('./index.js') as typeof import('./index.js');
