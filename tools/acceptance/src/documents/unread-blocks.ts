import type { CodeBlock, MarkdownPage } from './markdown-page.ts';

const shells = ['sh', 'shell', 'bash', 'console'];

/**
 * Returns the shell blocks that no reading runs without a stated reason, and those that several run, each as
 * `path:line is run by … readings`.
 */
export function findUnreadBlocks(pages: readonly MarkdownPage[], read: readonly CodeBlock[]): string[] {
  return pages.flatMap(({ path, blocks }) =>
    blocks.flatMap((block) => {
      if (!shells.includes(block.language)) return [];
      const times = read.filter((each) => each === block).length;
      const wanted = block.notRun === undefined ? 1 : 0;
      return times === wanted ? [] : [`${path}:${block.line} is run by ${times} readings`];
    }),
  );
}
