/** esbuild. Its bundles are minified, because the package must not depend on names. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { nameOf, packageName, refuse, type Bundler } from './request.js';

export const withEsbuild: Bundler = async ({ app, entry, isExternal, output }) => {
  for (const format of ['esm', 'cjs'] as const) {
    const { warnings } = await build({
      absWorkingDir: app,
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      format,
      minify: true,
      external: isExternal ? [packageName] : [],
      outfile: join(output, nameOf(format)),
      logLevel: 'silent',
    });
    refuse(warnings.map(({ text }) => text));
  }
};
