import { existsSync } from 'node:fs';

/** A built site: the text of each HTML file by its path, such as `how-to/serve-https.html`. */
export type BuiltPages = ReadonlyMap<string, string>;

export interface LinkCheck {
  /** The address of the repository, without a final slash. */
  readonly repository: string;
  /** The folder with the files of the repository. */
  readonly root: string;
  /** The folder of the built site. */
  readonly outDir: string;
}

/** Returns the links of a built site that lead to no page, anchor or file, each as `page: link`. */
export function findDeadLinks(pages: BuiltPages, check: LinkCheck): string[] {
  const anchors = new Map([...pages].map(([path, html]) => [path, anchorsOf(html)]));
  return [...pages].flatMap(([path, html]) =>
    [...new Set(attributesOf(html, 'href|src'))].filter((link) => isDead(link, path)).map((link) => `${path}: ${link}`),
  );

  function isDead(link: string, path: string): boolean {
    const files = `${check.repository}/blob/HEAD/`;
    if (link.startsWith(files))
      return !existsSync(`${check.root}/${decodeURI(link.slice(files.length).replace(/#.*/, ''))}`);
    if (/^[a-z][a-z+.-]*:/i.test(link)) return false;
    const { pathname, hash } = new URL(link, `https://site.invalid/${path}`);
    const file = decodeURI(pathname.slice(1));
    const page = link.startsWith('#')
      ? path
      : [file, `${file}.html`, `${file}index.html`].find((each) => pages.has(each));
    if (page === undefined) return hash !== '' || file === '' || !existsSync(`${check.outDir}/${file}`);
    return hash !== '' && !anchors.get(page)?.has(decodeURIComponent(hash.slice(1)));
  }
}

function anchorsOf(html: string): ReadonlySet<string> {
  return new Set(attributesOf(html, 'id'));
}

/** Returns the values of an attribute in all tags, not in texts. */
function attributesOf(html: string, names: string): string[] {
  const inTag = new RegExp(`\\s(?:${names})="([^"]*)"`, 'g');
  return [...html.matchAll(/<[a-z][^<>]*>/g)].flatMap(([tag]) =>
    [...tag.matchAll(inTag)].map(([, value = '']) => value.replaceAll('&amp;', '&')),
  );
}
