import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The page that orders all others. Its links also bring pages outside of docs/ to the site. */
export const indexPage = 'docs/README.md';

/** The page that becomes the home page. */
export const homePage = 'README.md';

/** A page of the site. */
export interface SitePage {
  /** The file, relative to the root of the workspace, such as `docs/how-to/serve-https.md`. */
  readonly source: string;
  /** The file of VitePress, such as `how-to/serve-https.md`. */
  readonly route: string;
  /** The address, such as `/how-to/serve-https`. */
  readonly url: string;
  /** Its first heading, without formatting. */
  readonly title: string;
  /** The Markdown text. */
  readonly text: string;
}

/** Reads all pages of the site: README.md, all of docs/, what else the index links to, and the examples. */
export function readSitePages(root: string): SitePage[] {
  const index = readFileSync(join(root, indexPage), 'utf8');
  const linked = linksOf(index).map((link) => resolveLink(indexPage, link).path);
  const inFolders = globSync(['docs/**/*.md', 'examples/*/README.md'], { cwd: root });
  const sources = new Set([homePage, ...inFolders, ...linked.filter((path) => path.endsWith('.md'))]);
  return [...sources].sort().map((source) => createPage(source, readFileSync(join(root, source), 'utf8')));
}

/** Returns a page of the site from its file. */
export function createPage(source: string, text: string): SitePage {
  const route = routeOf(source);
  const [, title = source] = /^# (.+)$/m.exec(text) ?? [];
  return { source, route, url: urlOf(route), title: title.replaceAll('`', ''), text };
}

/** docs/ is the top of the site. A README is the page of its folder, but the index has a name of its own. */
function routeOf(source: string): string {
  if (source === indexPage) return 'documentation.md';
  const path = source.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
  return path.includes('/') ? path : path.toLowerCase();
}

function urlOf(route: string): string {
  return `/${route.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;
}

/** Returns the targets of the inline links of a Markdown text, in order. */
export function linksOf(markdown: string): string[] {
  return [...markdown.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
}

/** A link of a page to a file of the workspace. */
export interface FileLink {
  /** Relative to the root of the workspace. */
  readonly path: string;
  /** With its `#`, or empty. */
  readonly anchor: string;
}

/** Returns the file that a relative link leads to. */
export function resolveLink(source: string, link: string): FileLink {
  const [, file = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(link) ?? [];
  const path = file === '' ? source : posix.join(posix.dirname(source), decodeURI(file));
  return { path, anchor };
}
