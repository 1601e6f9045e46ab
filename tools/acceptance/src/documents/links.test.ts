import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { findDeadLinks } from './dead-links.ts';
import { parseMarkdownPage } from './markdown-page.ts';
import { pageAt, pages, root } from './pages.ts';

const targets = { pages, isThere: (path: string) => existsSync(root + path) };

test('pair links ⇄ pages: every link of every page leads to an existing file and heading', () => {
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.flatMap((page) => findDeadLinks(page, targets))).toEqual([]);
});

test('mutation links ⇄ pages: a file is moved, or a heading is renamed', () => {
  const moved = { pages, isThere: (path: string) => path !== 'docs/licenses.md' && targets.isThere(path) };
  expect(findDeadLinks(pageAt('docs/README.md'), moved)).toEqual([
    expect.stringMatching(/^docs\/README\.md:\d+: licenses\.md: there is no docs\/licenses\.md\.$/),
  ]);
  const renamed = pages.map((page) =>
    page.path === 'CONTRIBUTING.md' ? { ...page, anchors: new Set<string>() } : page,
  );
  expect(findDeadLinks(pageAt('docs/README.md'), { ...targets, pages: renamed })).toEqual([
    expect.stringContaining('CONTRIBUTING.md has no heading #a-release.'),
  ]);
});

test('mutation links ⇄ pages: a link to a missing target is added', () => {
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

test('the README of an example has at most 200 words', () => {
  const readmes = pages.map(({ path }) => path).filter((path) => /^examples\/.+\/README\.md$/.test(path));
  expect(readmes.length).toBeGreaterThanOrEqual(6);
  const long = readmes.filter((path) => (readFileSync(root + path, 'utf8').match(/\S+/g)?.length ?? 0) > 200);
  expect(long).toEqual([]);
});

test('code is in fences that name its language', () => {
  const bare = pages.flatMap(({ path, blocks, indentedCode }) => [
    ...blocks.filter(({ language }) => language === '').map(({ line }) => `${path}:${line}`),
    ...indentedCode.map((line) => `${path}:${line}`),
  ]);
  expect(bare).toEqual([]);
});
