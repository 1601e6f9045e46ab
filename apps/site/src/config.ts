import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { readHero } from './home-page.ts';
import { addMarkdownRules, anchorOf } from './markdown-rules.ts';
import { repositoryAddress } from './repository-address.ts';
import { createSidebar } from './sidebar.ts';
import { homePage, readSitePages } from './site-pages.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const pages = readSitePages(root);
const repository = repositoryAddress(JSON.parse(read('package.json')), process.env);
const routes = new Map(pages.map(({ source, route }) => [source, route]));
const icon = `data:image/svg+xml,${encodeURIComponent(read('packages/pages/src/assets/icon.svg'))}`;
const { name, text } = readHero(read(homePage));

/** Every other Markdown file, which VitePress would make a page of. */
function otherFiles(): string[] {
  const isBelow = (path: string) => !/(^|\/)(node_modules|dist|\.\w+)$/.test(path);
  return globSync('**/*.md', { cwd: root, exclude: (path) => !isBelow(path) }).filter((path) => !routes.has(path));
}

/** The settings of VitePress: docs/ as a site that sends no request to another origin. */
export const config = defineConfig({
  srcDir: root,
  outDir: './dist',
  cacheDir: './node_modules/.vitepress',
  srcExclude: otherFiles(),
  rewrites: (source) => routes.get(source) ?? source,
  // Files named config.ts are no settings of VitePress here.
  additionalConfig: {},
  cleanUrls: true,
  lang: 'en',
  title: name,
  description: text,
  // As the pages of the servers: the colours follow the system, and so do the pictures.
  appearance: 'force-auto',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: icon }]],
  markdown: {
    anchor: { slugify: anchorOf },
    // `{name}` after code is text.
    attrs: false,
    emoji: false,
    config: (md) => addMarkdownRules(md, root, () => ({ pages, repository })),
  },
  transformPageData: ({ filePath, frontmatter }) => {
    if (filePath === homePage) return homePageData();
    // The outline would take the place that the diagram needs.
    return hasWideDiagram(read(filePath)) ? { frontmatter: { ...frontmatter, aside: false } } : undefined;
  },
  themeConfig: {
    logo: { src: icon, alt: '' },
    nav: [
      { text: 'Documentation', link: '/documentation' },
      { text: 'Gateway', link: '/apps/gateway/' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'Promises', link: '/promises' },
      ...(repository === undefined ? [] : [{ text: 'Repository', link: repository }]),
    ],
    sidebar: createSidebar(pages),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    footer: { message: 'MIT license' },
  },
  vite: {
    plugins: [
      {
        name: 'find-vue',
        enforce: 'pre',
        // Pages import Vue, which is installed for this package and not where the pages are.
        resolveId(id, importer) {
          const isOfPage = importer?.endsWith('.md') && /^vue(\/|$)/.test(id);
          return isOfPage ? this.resolve(id, join(import.meta.dirname, 'config.ts'), { skipSelf: true }) : undefined;
        },
      },
      {
        name: 'bundle-vue-alone',
        enforce: 'post',
        // VitePress would bundle these before a page asks for them, but looks for them where the pages are.
        config({ optimizeDeps }) {
          const others = optimizeDeps?.include?.filter((id) => !id.startsWith('vitepress > '));
          if (optimizeDeps && others) optimizeDeps.include = others;
        },
      },
    ],
    publicDir: false,
    // Large pages, such as the test reports, and the search index are chunks of their own.
    build: { chunkSizeWarningLimit: 4_000 },
    server: {
      // The credentials of the demo are below the root as well.
      fs: { deny: ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', '**/.local/**'] },
    },
  },
});

function hasWideDiagram(markdown: string): boolean {
  return /^```text\n(?:(?!```).*\n)*?.{100}/m.test(markdown);
}

function homePageData() {
  const { name, text, tagline } = readHero(read(homePage));
  return {
    title: name,
    titleTemplate: ':title',
    frontmatter: {
      layout: 'home',
      hero: {
        text,
        tagline,
        actions: [
          { text: 'Start in 60 seconds', link: '#start-in-60-seconds' },
          { text: 'Documentation', link: '/documentation', theme: 'alt' },
        ],
      },
    },
  };
}
