// @ts-check
// Writes the API reference from the doc comments of lib/, as Markdown: TypeDoc.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Application, Converter, ReflectionKind } from 'typedoc';
import { checkout } from '../../scripts/shared/common.mjs';
import { apiFolder, entries, operatorsEntry, siteName } from './pages.mjs';

/**
 * The pages of the operators, by the names of their descriptors and functions. The reference has links to these instead of pages of
 * its own.
 */
const described = Object.fromEntries(
  readdirSync(join(checkout, 'docs', 'operators')).flatMap((file) => {
    const name = file.replace('.md', '');
    const page = `/operators/${name}`;
    return [
      [`${name.charAt(0).toUpperCase()}${name.slice(1)}Descriptor`, page],
      [name, page],
    ];
  }),
);

/** @returns {Promise<void>} Rejects if TypeDoc has warnings, such as of a link that leads nowhere. */
export async function writeApiPages() {
  /** @type {Partial<import('typedoc').TypeDocOptions> & Partial<import('typedoc-plugin-markdown').PluginOptions>} */
  const options = {
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: entries.map(({ types }) => join(checkout, types.replace('dist', 'lib').replace('.d.ts', '.ts'))),
    tsconfig: join(checkout, 'tsconfig.json'),
    out: join(checkout, apiFolder),
    logLevel: 'Warn',
    readme: 'none',
    disableSources: true,
    entryFileName: 'README',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    pageTitleTemplates: { index: 'API', member: '{name}' },
    indexFormat: 'table',
    useCodeBlocks: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    externalSymbolLinkMappings: { [siteName]: described },
    // Types of onnxruntime-common, which has pages of its own.
    excludeExternals: true,
    // Types that are parts of exported ones, and that nobody needs by name.
    validation: { notExported: false },
  };
  const app = await Application.bootstrapWithPlugins(options);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const one of project.getReflectionsByKind(ReflectionKind.Interface | ReflectionKind.Function)) {
      const isFunction = one.kind === ReflectionKind.Function;
      if (one.name in described && (!isFunction || one.parent?.name === operatorsEntry)) project.removeReflection(one);
    }
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc cannot read lib/');
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('the doc comments of lib/ have mistakes: see above');
}
