// @ts-check
// The site of `npm run docs`: the repository's own Markdown as it is, and the API reference that scripts/docs/api.mjs writes.
import { defineConfig } from 'vitepress';
import { headingAnchor, repositoryLinks } from './links.mjs';
import { navigation, notPages, root, sidebars, siteName, sitePath, sourceUrl } from './pages.mjs';
import { graphPictures } from './pictures.mjs';
import { search } from './search.mjs';

export default defineConfig({
  title: siteName,
  description: 'Microsoft DirectML for Node.js and Electron',
  lang: 'en',
  base: `/${siteName}/`,
  srcDir: root,
  srcExclude: notPages(),
  rewrites: sitePath,
  outDir: `${root}/build/docs/site`,
  cacheDir: `${root}/build/docs/cache`,
  cleanUrls: true,
  markdown: {
    anchor: { slugify: headingAnchor },
    config(md) {
      md.use(repositoryLinks).use(graphPictures);
    },
  },
  themeConfig: {
    nav: navigation(),
    sidebar: sidebars(),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: search },
    socialLinks: [{ icon: 'github', link: sourceUrl }],
  },
  // A page with all operators is larger than what Vite finds worth a warning.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
});
