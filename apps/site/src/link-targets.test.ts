import { describe, expect, it } from 'vitest';
import { linkTarget } from './link-targets.ts';
import { createPage } from './site-pages.ts';

const repository = 'https://example.com/pets/pets';
const sources = ['README.md', 'docs/README.md', 'docs/faq.md', 'docs/decisions/README.md', 'packages/odata/README.md'];
const pages = sources.map((source) => createPage(source, '# A page\n'));
const targetOf = (link: string, source = 'docs/faq.md') => linkTarget(source, link, { pages, repository });

describe('linkTarget', () => {
  it.each([
    ['README.md', '/documentation'],
    ['../README.md#start-in-60-seconds', '/#start-in-60-seconds'],
    ['decisions/README.md', '/decisions/'],
    ['../packages/odata/README.md#fields', '/packages/odata/#fields'],
  ])('leads to a page of the site: %s', (link, target) => {
    expect(targetOf(link)).toBe(target);
  });

  it.each([
    ['../specs/staff/openapi.yaml', `${repository}/blob/HEAD/specs/staff/openapi.yaml`],
    ['../packages/mcp/README.md#tools', `${repository}/blob/HEAD/packages/mcp/README.md#tools`],
    ['../deploy/', `${repository}/blob/HEAD/deploy/`],
  ])('leads to the repository when the site has no such page: %s', (link, target) => {
    expect(targetOf(link)).toBe(target);
  });

  it('is relative to the folder of the page', () => {
    expect(targetOf('../faq.md', 'docs/decisions/README.md')).toBe('/faq');
  });

  it.each(['https://example.com/', 'mailto:a@example.com', '#a-heading'])('leaves %s unchanged', (link) => {
    expect(targetOf(link)).toBe(link);
  });

  it('is undefined for a file while the repository is unknown', () => {
    expect(linkTarget('docs/faq.md', '../LICENSE', { pages, repository: undefined })).toBeUndefined();
    expect(linkTarget('docs/faq.md', 'README.md', { pages, repository: undefined })).toBe('/documentation');
  });
});
