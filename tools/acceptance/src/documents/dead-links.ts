import { posix } from 'node:path';
import type { MarkdownPage } from './markdown-page.ts';

/** The targets of links other than pages. */
export interface LinkTargets {
  readonly pages: readonly MarkdownPage[];
  /** Whether a file or folder exists at a path from the root of the workspace. */
  isThere(path: string): boolean;
}

/** Returns the dead links of a page within the workspace, each as `path:line: fault`. */
export function findDeadLinks(page: MarkdownPage, { pages, isThere }: LinkTargets): string[] {
  const byPath = new Map(pages.map((each) => [each.path, each]));
  return page.links.flatMap(({ target, line }) => {
    const fault = describe(target);
    return fault === undefined ? [] : [`${page.path}:${line}: ${fault}`];
  });

  function describe(target: string): string | undefined {
    if (/^[a-z][a-z+.-]*:/i.test(target)) return URL.canParse(target) ? undefined : `${target} is no address.`;
    const [file = '', anchor] = target.split('#');
    const path = file === '' ? page.path : posix.join(posix.dirname(page.path), decodeURI(file));
    if (path.startsWith('..') || file.startsWith('/')) return `${target} leaves the workspace.`;
    if (!isThere(path)) return `${target}: there is no ${path}.`;
    if (anchor === undefined) return undefined;
    const linked = byPath.get(path);
    if (linked === undefined) return `${target}: ${path} is no page with headings.`;
    return linked.anchors.has(anchor) ? undefined : `${target}: ${path} has no heading #${anchor}.`;
  }
}
