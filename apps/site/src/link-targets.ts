import { resolveLink, type SitePage } from './site-pages.ts';

/** Where the links of pages lead. */
export interface LinkTargets {
  readonly pages: readonly SitePage[];
  /** The address of the repository, without a final slash. */
  readonly repository: string | undefined;
}

/**
 * Returns the address of a link on the site: of a page if the site has it, otherwise of the file in the repository.
 * Undefined if the repository is unknown. Links with a scheme, and those within a page, are unchanged.
 */
export function linkTarget(source: string, link: string, { pages, repository }: LinkTargets): string | undefined {
  if (/^([a-z][a-z+.-]*:|#)/i.test(link)) return link;
  const { path, anchor } = resolveLink(source, link);
  const page = pages.find((each) => each.source === path);
  if (page !== undefined) return page.url + anchor;
  return repository && `${repository}/blob/HEAD/${encodeURI(path)}${anchor}`;
}
