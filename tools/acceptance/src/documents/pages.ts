import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MarkdownPage, parseMarkdownPage } from './markdown-page.ts';

/** The root of the workspace, as a path that ends in a slash. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

const patterns = [
  '*.md',
  '{docs,ops,deploy}/**/*.md',
  '{apps,examples,packages,specs,tools}/*/README.md',
  'examples/README.md',
];

/** Every page that people read here, sorted by its path. */
export const pages: readonly MarkdownPage[] = globSync(patterns, {
  cwd: root,
  exclude: (path) => /(^|\/)node_modules(\/|$)/.test(path),
})
  .toSorted()
  .map((path) => parseMarkdownPage(path, readFileSync(root + path, 'utf8')));

export function pageAt(path: string): MarkdownPage {
  const page = pages.find((each) => each.path === path);
  if (page === undefined) throw new Error(`There is no page ${path}.`);
  return page;
}
