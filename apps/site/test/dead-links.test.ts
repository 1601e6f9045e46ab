import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDeadLinks } from './dead-links.ts';

const repository = 'https://example.com/pets/pets';
const check = { repository, root: join(import.meta.dirname, '..'), outDir: import.meta.dirname };
const linksTo = (...links: string[]) => links.map((link) => `<p><a class="a" href="${link}">b</a></p>`).join('');

test('a link is dead without its page, its anchor or its file', () => {
  const pages = new Map([
    [
      'index.html',
      linksTo('/a', '/a#top', '#here', '/b/', 'https://example.com/', '/nothing', '/a#nothing', '#nothing'),
    ],
    ['a.html', `<h2 id="top">A</h2>${linksTo('/', '/dead-links.ts', `${repository}/blob/HEAD/package.json#a`)}`],
    ['b/index.html', linksTo('../a', 'a', `${repository}/blob/HEAD/nothing.json`, '/nothing.js')],
  ]);
  pages.set('index.html', `<h1 id="here">A</h1>${pages.get('index.html')}`);
  expect(findDeadLinks(pages, check)).toEqual([
    'index.html: /nothing',
    'index.html: /a#nothing',
    'index.html: #nothing',
    'b/index.html: a',
    `b/index.html: ${repository}/blob/HEAD/nothing.json`,
    'b/index.html: /nothing.js',
  ]);
});
