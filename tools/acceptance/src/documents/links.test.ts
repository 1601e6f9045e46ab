import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { findDeadLinks } from './dead-links.ts';
import { parseMarkdownPage } from './markdown-page.ts';
import { pageAt, pages, root } from './pages.ts';

const targets = { pages, isThere: (path: string) => existsSync(root + path) };

test.each(pages.map(({ path }) => path))('every link of %s leads somewhere, to its heading too', (path) => {
  expect(findDeadLinks(pageAt(path), targets)).toEqual([]);
});

test('a link to a file or a heading that is not there is found, by its line', () => {
  const page = parseMarkdownPage(
    'docs/page.md',
    ['# A page', '[a](other.md)', '[b](#a-page) [c](#nothing)', '[d](../../out.md)', '`[e](none.md)`'].join('\n'),
  );
  expect(findDeadLinks(page, { pages: [page], isThere: (path) => path === page.path })).toEqual([
    'docs/page.md:2: other.md: there is no docs/other.md.',
    'docs/page.md:3: #nothing: docs/page.md has no heading #nothing.',
    'docs/page.md:4: ../../out.md leaves the workspace.',
  ]);
});

test('every page of docs/ is reached from its index', () => {
  const linked = (path: string) =>
    pageAt(path).links.map(({ target }) => posix.join(posix.dirname(path), target.split('#')[0] ?? ''));
  const reached = new Set(['docs/README.md']);
  for (const path of reached) {
    for (const next of linked(path)) if (pages.some((page) => page.path === next)) reached.add(next);
  }
  expect(pages.map(({ path }) => path).filter((path) => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
});

test('code stands in fences that name its language', () => {
  const bare = pages.flatMap(({ path, blocks, indentedCode }) => [
    ...blocks.filter(({ language }) => language === '').map(({ line }) => `${path}:${line}`),
    ...indentedCode.map((line) => `${path}:${line}`),
  ]);
  expect(bare).toEqual([]);
});
