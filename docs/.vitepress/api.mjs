// @ts-check
// Writes the API reference from the doc comments of lib/, as Markdown: TypeDoc.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Application, Converter, ReflectionKind } from 'typedoc';
import { checkout } from '../../scripts/shared/common.mjs';
import { apiFolder, siteName } from './pages.mjs';

/**
 * The pages of the operators, by the name of their descriptors. The reference has links to these instead of pages of
 * its own.
 */
const descriptors = Object.fromEntries(
  readdirSync(join(checkout, 'docs', 'operators')).map((file) => {
    const name = file.replace('.md', '');
    return [`${name.charAt(0).toUpperCase()}${name.slice(1)}Descriptor`, `/operators/${name}`];
  }),
);

/** @returns {Promise<void>} Rejects if TypeDoc has warnings, such as of a link that leads nowhere. */
export async function writeApiPages() {
  /** @type {Partial<import('typedoc').TypeDocOptions> & Partial<import('typedoc-plugin-markdown').PluginOptions>} */
  const options = {
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: [join(checkout, 'lib', 'index.ts')],
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
    externalSymbolLinkMappings: { [siteName]: descriptors },
    // Types that are parts of exported ones, and that nobody needs by name.
    validation: { notExported: false },
  };
  const app = await Application.bootstrapWithPlugins(options);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const type of project.getReflectionsByKind(ReflectionKind.Interface)) {
      if (type.name in descriptors) project.removeReflection(type);
    }
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc cannot read lib/index.ts');
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('the doc comments of lib/ have mistakes: see above');
}
