// @ts-check
// The site of `npm run docs`: the repository's own Markdown as it is, and the API reference that api.mjs writes.
import { defineConfig } from 'vitepress';
import { headingAnchor, repositoryLinks } from './links.mjs';
import { navigation, notPages, root, sidebars, siteName, sitePath, sourceUrl } from './pages.mjs';
import { graphPictures, tensorPictures } from './pictures.mjs';
import { runnableBlocks } from './playground/markdown.mjs';
import { playground } from './playground/vite.mjs';
import { search } from './search.mjs';

/** A graph of three nodes. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M4 4l4 8 4-8" fill="none" stroke="#3451b2"/>' +
  '<g fill="#3451b2"><circle cx="4" cy="4" r="3"/><circle cx="12" cy="4" r="3"/><circle cx="8" cy="12" r="3"/></g></svg>';

export default defineConfig({
  title: siteName,
  description: 'Microsoft DirectML for Node.js and Electron',
  lang: 'en',
  base: `/${siteName}/`,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: root,
  srcExclude: notPages(),
  rewrites: sitePath,
  outDir: `${root}/build/docs/site`,
  cacheDir: `${root}/build/docs/cache`,
  cleanUrls: true,
  markdown: {
    // The comments of the default themes are too pale to be read by everyone.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: headingAnchor },
    config(md) {
      md.use(repositoryLinks).use(graphPictures).use(tensorPictures);
      md.use(runnableBlocks);
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
  vite: {
    // Private fields stay as they are: for older targets, the library would be larger and slower.
    build: { chunkSizeWarningLimit: 4000, target: 'es2022' },
    plugins: [playground()],
    worker: { format: 'es', plugins: () => [playground()] },
  },
});
