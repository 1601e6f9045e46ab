import { expect, test } from 'vitest';
import { parseMarkdownPage } from './markdown-page.ts';
import { pages } from './pages.ts';
import { blocksOf } from './read-page.ts';
import { readings } from './readings/index.ts';
import { findUnreadBlocks } from './unread-blocks.ts';

test('pair shell blocks ⇄ tests: every shell block is run by one test or has a comment with the reason why not', () => {
  expect(findUnreadBlocks(pages, readings.flatMap(blocksOf))).toEqual([]);
});

test('mutation shell blocks ⇄ tests: a block is added to a page only', () => {
  const page = parseMarkdownPage(
    'page.md',
    ['```sh', 'a', '```', '<!-- not run: no -->', '```sh', 'b', '```'].join('\n'),
  );
  const [first] = page.blocks;
  expect(findUnreadBlocks([page], page.blocks.slice(0, 1))).toEqual([]);
  expect(findUnreadBlocks([page], [])).toEqual(['page.md:1 is run by 0 readings']);
  expect(
    findUnreadBlocks(
      [page],
      [first, first].flatMap((block) => block ?? []),
    ),
  ).toEqual(['page.md:1 is run by 2 readings']);
});
