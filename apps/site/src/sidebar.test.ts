import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSidebar, missingFrom } from './sidebar.ts';
import { createPage, readSitePages } from './site-pages.ts';

const pages = readSitePages(join(import.meta.dirname, '../../..'));

describe('the sidebar', () => {
  it('shows every page of the site', () => {
    expect(pages.length).toBeGreaterThan(100);
    expect(missingFrom(createSidebar(pages), pages)).toEqual([]);
  });

  it('lacks a page that the index does not list', () => {
    const added = [...pages, createPage('docs/how-to/train-a-cat.md', '# Train a cat\n')];
    expect(missingFrom(createSidebar(added), added)).toEqual(['docs/how-to/train-a-cat.md']);
  });
});

describe('createSidebar', () => {
  const index = `# Documentation

- **You are new**: [README](../README.md), [questions](faq.md), [errors](errors.md).

## How to

### The cat

Food:

- [Feed it](how-to/feed.md), see [errors](errors.md)

## Reference

- [Decisions](decisions/README.md)
- [Errors again](errors.md)
`;
  const site = [
    createPage('README.md', '# Pets\n'),
    createPage('docs/README.md', index),
    createPage('docs/decisions/README.md', '# Decisions\n[b](b.md)\n'),
    createPage('docs/decisions/a.md', '# A\n'),
    createPage('docs/decisions/b.md', '# B\n'),
    createPage('docs/errors.md', '# Errors\n'),
    createPage('docs/faq.md', '# FAQ\n'),
    createPage('docs/how-to/feed.md', '# Feed `it`\n'),
  ];

  it('follows the headings of the index, and names each page once, by its title', () => {
    expect(createSidebar(site)).toEqual([
      { text: 'You are new', items: [{ text: 'FAQ', link: '/faq' }] },
      {
        text: 'How to',
        items: [
          {
            text: 'The cat',
            collapsed: true,
            items: [
              {
                text: 'Food',
                items: [
                  { text: 'Feed it', link: '/how-to/feed' },
                  { text: 'Errors', link: '/errors' },
                ],
              },
            ],
          },
        ],
      },
      {
        text: 'Reference',
        items: [
          {
            text: 'Decisions',
            link: '/decisions/',
            collapsed: true,
            items: [
              { text: 'B', link: '/decisions/b' },
              { text: 'A', link: '/decisions/a' },
            ],
          },
        ],
      },
    ]);
  });
});
