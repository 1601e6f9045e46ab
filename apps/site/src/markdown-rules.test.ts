import { createMarkdownRenderer } from 'vitepress';
import { expect, test } from 'vitest';
import type { LinkTargets } from './link-targets.ts';
import { addMarkdownRules, anchorOf } from './markdown-rules.ts';
import { createPage } from './site-pages.ts';

const pages = ['README.md', 'docs/faq.md', 'docs/errors.md'].map((source) => createPage(source, '# A page\n'));
let targets: LinkTargets = { pages, repository: undefined };

const renderer = await createMarkdownRenderer('/work', {
  highlight: (code) => code,
  anchor: { slugify: anchorOf },
  config: (md) => addMarkdownRules(md, '/work', () => targets),
});
const render = (source: string, text: string) =>
  renderer.render(text, { path: '/work/route.md', realPath: `/work/${source}`, cleanUrls: true });

test('links lead to pages, with the anchors that GitHub makes of headings', () => {
  expect(render('docs/faq.md', '## `a.json` & b\n\n[errors](errors.md#ajson--b)\n')).toMatch(
    / id="ajson--b".*<a href="\/errors#ajson--b">errors<\/a>/s,
  );
});

test('only the text of a link to a file remains while the repository is unknown', () => {
  const text = '[the `file`](../LICENSE), [errors](errors.md)\n';
  expect(render('docs/faq.md', text)).toBe('<p>the <code>file</code>, <a href="/errors">errors</a></p>\n');
  targets = { pages, repository: 'https://example.com/pets' };
  expect(render('docs/faq.md', text)).toContain('<a href="https://example.com/pets/blob/HEAD/LICENSE"');
});

test('pictures in HTML are relative to the page', () => {
  const html =
    '<picture>\n<source srcset="images/a.png">\n<img src="../b.png">\n<img src="https://example.com/c.png">\n</picture>\n';
  expect(render('docs/faq.md', html)).toBe(html.replace('"images', '"./images'));
});

test('the home page begins after the first paragraph, which its hero shows', () => {
  expect(render('README.md', '# Pets\n\nPets finds\npets. It is fast.\n\nMore.\n')).toBe('<p>More.</p>\n');
  expect(render('docs/faq.md', '# Pets\n\nPets.\n')).toContain('<p>Pets.</p>');
});
