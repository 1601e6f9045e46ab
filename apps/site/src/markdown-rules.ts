import { relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { type LinkTargets, linkTarget } from './link-targets.ts';
import { homePage } from './site-pages.ts';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** What VitePress knows about a page: `realPath` is its file, which otherwise is `path`. */
interface PageEnv {
  readonly path: string;
  readonly realPath?: string;
}

/**
 * Makes a page that is written for the repository a page of the site: its links lead to pages of the site or to files
 * of the repository, the pictures of its HTML are found, and the home page has its first lines in the hero alone.
 */
export function addMarkdownRules(md: MarkdownRenderer, root: string, targets: () => LinkTargets): void {
  md.core.ruler.push('site_links', ({ tokens, env }) => {
    const { path, realPath = path } = env as PageEnv;
    const source = relative(root, realPath);
    if (source === homePage) tokens.splice(0, tokens.findIndex(({ type }) => type === 'paragraph_close') + 1);
    const all = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
    let isUnlinked = false;
    for (const token of all) {
      if (token.type.startsWith('html_')) token.content = withRelativePictures(token.content);
      if (token.type === 'link_open' && token.attrGet('class') !== 'header-anchor') {
        const target = linkTarget(source, token.attrGet('href') ?? '', targets());
        isUnlinked = target === undefined;
        if (target === undefined) remove(token);
        else token.attrSet('href', target);
      } else if (token.type === 'link_close' && isUnlinked) {
        remove(token);
        isUnlinked = false;
      }
    }
  });
}

/** Only the text of a link remains. */
function remove(token: Token): void {
  token.type = 'html_inline';
  token.content = '';
}

/** Vue finds the files of paths that begin with a dot. */
function withRelativePictures(html: string): string {
  return html.replace(/\b(src|srcset)="(?![./]|[a-z]+:)/g, '$1="./');
}

/** Returns the anchor of a heading as GitHub makes it, which is what links between pages use. */
export function anchorOf(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
