import { expect, test } from 'vitest';
import { parseMarkdownPage } from './markdown-page.ts';

const parse = (...lines: string[]) => parseMarkdownPage('page.md', lines.join('\n'));

test('headings have the anchors that GitHub gives them', () => {
  const { anchors } = parse(
    '# The `serve` command',
    '## The proxy’s keys file',
    '## Twice',
    '## Twice',
    '## snake_case',
  );
  expect([...anchors]).toEqual(['the-serve-command', 'the-proxys-keys-file', 'twice', 'twice-1', 'snake_case']);
});

test('a block has its language, its heading, its line and its text, without the indentation of a list', () => {
  const { blocks } = parse('## Run it', '- so:', '', '  ```sh', '  ls', '    -l', '  ```');
  expect(blocks).toEqual([{ language: 'sh', heading: 'Run it', line: 4, text: 'ls\n  -l\n', notRun: undefined }]);
});

test('a mark counts for the block right below it alone', () => {
  const { blocks } = parse('<!-- not run: no -->', '', '```sh', 'a', '```', '```sh', 'b', '```');
  expect(blocks.map(({ notRun }) => notRun)).toEqual(['no', undefined]);
  expect(parse('<!-- not run: no -->', 'words', '```sh', '```').blocks[0]?.notRun).toBeUndefined();
});

test('links are read only outside of code', () => {
  const { links } = parse('[a](b.md#c) and `[d](e.md)`', '```md', '[f](g.md)', '```', '| [`h`](i.md) |');
  expect(links).toEqual([
    { target: 'b.md#c', line: 1 },
    { target: 'i.md', line: 5 },
  ]);
});
