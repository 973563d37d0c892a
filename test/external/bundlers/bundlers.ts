/**
 * The bundlers, each with the few settings that its users need for a program for Node.js. docs/guides/bundlers.md shows them.
 * Each makes an ES module and CommonJS.
 */
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import { build as vite } from 'vite';
import webpack from 'webpack';
import { withEsbuild } from './esbuild.js';
import { formats, nameOf, packageName, refuse, type Bundler } from './request.js';

const withRollup: Bundler = async ({ entry, isExternal, output }) => {
  const bundle = await rollup({
    input: entry,
    external: isExternal ? [/^node-directml/] : [],
    plugins: [nodeResolve()],
    onwarn: ({ message }) => refuse([message]),
  });
  for (const format of formats) await bundle.write({ file: join(output, nameOf(format)), format });
  await bundle.close();
};

const withRolldown: Bundler = async ({ app, entry, isExternal, output }) => {
  const bundle = await rolldown({
    cwd: app,
    input: entry,
    platform: 'node',
    external: isExternal ? [/^node-directml/] : [],
    onLog: (_level, { message }) => refuse([message]),
  });
  for (const format of formats) await bundle.write({ file: join(output, nameOf(format)), format });
  await bundle.close();
};

/** As for a server. Vite leaves packages outside by itself. */
const withVite: Bundler = async ({ app, entry, isExternal, output }) => {
  await vite({
    root: app,
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: isExternal ? [] : [packageName] },
    build: {
      ssr: entry,
      outDir: output,
      emptyOutDir: false,
      rolldownOptions: { output: formats.map((format) => ({ format, entryFileNames: nameOf(format) })) },
    },
  });
};

/** The settings of electron-vite for the main process. Its version 5 also sets the export conditions, which lack "module". */
const withElectronVite: Bundler = async ({ app, entry, isExternal, output }) => {
  await vite({
    root: app,
    configFile: false,
    logLevel: 'silent',
    resolve: { mainFields: ['module', 'jsnext:main', 'jsnext'], conditions: ['node'] },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      ssrEmitAssets: true,
      target: 'node20',
      minify: false,
      outDir: output,
      emptyOutDir: false,
      rolldownOptions: {
        input: entry,
        output: formats.map((format) => ({ format, entryFileNames: nameOf(format) })),
        external: [
          'electron',
          /^electron\/.+/,
          ...builtinModules.flatMap((name) => [name, `node:${name}`]),
          ...(isExternal ? [packageName, /^(node-directml)\/.+/] : []),
        ],
      },
    },
  });
};

const withWebpack: Bundler = async ({ app, entry, isExternal, output }) => {
  const common = { mode: 'production', target: 'node', context: app, entry, optimization: { minimize: false } } as const;
  const compiler = webpack([
    {
      ...common,
      experiments: { outputModule: true },
      output: { path: output, filename: nameOf('es'), module: true, library: { type: 'module' }, chunkFormat: 'module' },
      ...(isExternal ? { externals: /^node-directml/, externalsType: 'module' } : {}),
    },
    {
      ...common,
      output: { path: output, filename: nameOf('cjs') },
      ...(isExternal ? { externals: /^node-directml/, externalsType: 'commonjs' } : {}),
    },
  ]);
  await new Promise<void>((resolve, reject) => {
    compiler.run((error, stats) => {
      if (error !== null) reject(error);
      else if (stats?.hasErrors() === true || stats?.hasWarnings() === true) reject(new Error(stats.toString('errors-warnings')));
      else compiler.close(() => resolve());
    });
  });
};

export const bundlers: Readonly<Record<string, Bundler>> = {
  esbuild: withEsbuild,
  Rollup: withRollup,
  rolldown: withRolldown,
  Vite: withVite,
  'electron-vite': withElectronVite,
  webpack: withWebpack,
};
