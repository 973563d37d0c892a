// @ts-check
// The site of `npm run docs`: the repository's own Markdown as it is, and the API reference that api.mjs writes.
import { defineConfig } from 'vitepress';
import { frontPage, mark, transformPageData } from './front.mjs';
import { functionSections } from './function-sections.mjs';
import { headingAnchor, repositoryLinks } from './links.mjs';
import { navigation, notPages, root, sidebars, siteName, sitePath, sourceUrl } from './pages.mjs';
import { graphPictures, tensorPictures } from './pictures.mjs';
import { runnableBlocks } from './playground/markdown.mjs';
import { playground } from './playground/vite.mjs';
import { search } from './search.mjs';

const icon = `data:image/svg+xml,${encodeURIComponent(mark)}`;

export default defineConfig({
  title: siteName,
  description: 'Microsoft DirectML for Node.js and Electron',
  lang: 'en',
  base: `/${siteName}/`,
  head: [['link', { rel: 'icon', href: icon }]],
  srcDir: root,
  srcExclude: notPages(),
  rewrites: sitePath,
  outDir: `${root}/build/docs/site`,
  cacheDir: `${root}/build/docs/cache`,
  cleanUrls: true,
  transformPageData,
  markdown: {
    // The comments of the default themes are too pale to be read by everyone.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: headingAnchor },
    config(md) {
      md.use(repositoryLinks).use(functionSections).use(graphPictures).use(tensorPictures);
      md.use(runnableBlocks).use(frontPage);
    },
  },
  themeConfig: {
    logo: icon,
    nav: navigation(),
    sidebar: sidebars(),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: search },
    socialLinks: [{ icon: 'github', link: sourceUrl }],
  },
  // A page with all operators is larger than what Vite finds worth a warning.
  vite: {
    // Private fields stay as they are: for older targets, the library would be larger and slower.
    build: { chunkSizeWarningLimit: 4000, target: 'es2022' },
    plugins: [playground()],
    worker: { format: 'es', plugins: () => [playground()] },
  },
});
