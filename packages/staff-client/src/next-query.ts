import { readProblem } from './gen/read-problem.gen.ts';

/**
 * Returns a function that returns the query of a link to the next page. It throws an `ApiProblem` for a link to anything
 * but the list, and for a cycle of links: on its third round at the latest (Brent's algorithm).
 */
export function createLinkReader(listUrl: string): (link: string) => string {
  let latest: string | undefined;
  let remembered: string | undefined;
  let steps = 0;
  let stepsMax = 1;
  return (link) => {
    const list = new URL(listUrl, (globalThis as { readonly location?: { readonly href: string } }).location?.href);
    if (!URL.canParse(link, list)) throw broken(link, 'is not a URL');
    const { origin, pathname, search } = new URL(link, list);
    if (origin !== list.origin) throw broken(link, 'leads to another origin');
    if (pathname !== list.pathname) throw broken(link, 'does not lead to the list');
    if (!search || search === latest || search === remembered) throw broken(link, 'leads to the same page again');
    latest = search;
    if (++steps === stepsMax) {
      remembered = search;
      stepsMax *= 2;
      steps = 0;
    }
    return search;
  };
}

function broken(link: string, fault: string): Error {
  const detail = `The link to the next page, '${`${link}`.slice(0, 200)}', ${fault}: check baseUrl and the server.`;
  const given = { code: 'answer_unreadable', title: 'Unreadable response', detail };
  return readProblem(new Response(null), undefined, given);
}
