import { posix } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { homePage, indexPage, linksOf, resolveLink, type SitePage } from './site-pages.ts';

type Item = DefaultTheme.SidebarItem;
type Group = Item & { items: Item[] };

/**
 * Returns the sidebar: the headings of the index are its groups, and the links below them are its pages, each once. A
 * link that is repeated below a heading is not shown above the first heading. The pages of a folder that the index does
 * not list are below the page of the folder (name.md or name/README.md), in the order in which it links to them.
 */
export function createSidebar(pages: readonly SitePage[]): Item[] {
  const bySource = new Map(pages.map((page) => [page.source, page]));
  const index = bySource.get(indexPage);
  if (index === undefined) return [];
  const [introduction = '', ...sections] = index.text.split(/^(?=## )/m);
  const listed = new Set([homePage, indexPage]);

  const take = (source: string, text: string): Item[] =>
    linksOf(text).flatMap((link) => {
      const page = bySource.get(resolveLink(source, link).path);
      if (page === undefined || listed.has(page.source)) return [];
      listed.add(page.source);
      return [itemOf(page)];
    });

  const itemOf = (page: SitePage): Item => {
    const folder = nameOf(page.source);
    const isBelow = ({ source }: SitePage) => posix.dirname(nameOf(source)) === folder && !listed.has(source);
    const below = pages.filter(isBelow).map(({ source }) => source);
    const item = { text: page.title, link: page.url };
    if (below.length === 0) return item;
    const linked = linksOf(page.text).map((link) => resolveLink(page.source, link).path);
    const ordered = [...new Set([...linked.filter((path) => below.includes(path)), ...below])];
    for (const source of ordered) listed.add(source);
    const items = ordered
      .flatMap((source) => bySource.get(source) ?? [])
      .map(({ title, url }) => ({ text: title, link: url }));
    return { ...item, collapsed: true, items };
  };

  const groups = sections.map((section) => readSection(section, (text) => take(indexPage, text)));
  return [...readIntroduction(introduction, (text) => take(indexPage, text)), ...groups].filter(isFilled);
}

/** Returns the path of a page without its extension; of a README, the path of its folder. */
function nameOf(source: string): string {
  return source.replace(/(\/README)?\.md$/, '');
}

/** Each entry of the list above the first heading is a group: `- **You are new**: [README](../README.md)`. */
function readIntroduction(text: string, take: (text: string) => Item[]): Group[] {
  return text.split(/^(?=- \*\*)/m).flatMap((entry) => {
    const [, name] = /^- \*\*(.+?)\*\*/.exec(entry) ?? [];
    return name === undefined ? [] : [{ text: name, items: take(entry) }];
  });
}

/** Within a section, `### Name` begins a group that can be opened, and a line `Name:` a group inside of it. */
function readSection(text: string, take: (text: string) => Item[]): Group {
  const [heading = '', ...lines] = text.split('\n');
  const section: Group = { text: heading.slice(3), items: [] };
  let part = section;
  let current = section;
  for (const line of lines) {
    const [, partName] = /^### (.+)$/.exec(line) ?? [];
    const [, groupName] = /^([A-Z][\w ]*):$/.exec(line) ?? [];
    if (partName !== undefined) {
      part = { text: partName, collapsed: true, items: [] };
      section.items.push(part);
      current = part;
    } else if (groupName !== undefined) {
      current = { text: groupName, items: [] };
      part.items.push(current);
    } else current.items.push(...take(line));
  }
  section.items = section.items.filter(isFilled);
  return section;
}

function isFilled({ link, items = [] }: Item): boolean {
  return link !== undefined || items.some(isFilled);
}

/** Returns the sources of all pages that a sidebar does not show. The home page and the index are in the header. */
export function missingFrom(sidebar: readonly Item[], pages: readonly SitePage[]): string[] {
  const shown = new Set(linksIn(sidebar));
  return pages
    .filter(({ source, url }) => source !== homePage && source !== indexPage && !shown.has(url))
    .map(({ source }) => source);
}

function linksIn(items: readonly Item[]): string[] {
  return items.flatMap(({ link, items: below = [] }) => [...(link === undefined ? [] : [link]), ...linksIn(below)]);
}
