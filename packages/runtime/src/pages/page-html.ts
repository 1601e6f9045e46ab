import { html } from './html.ts';
import type { PageName } from './page-asset.ts';
import { createPagePolicy } from './page-policy.ts';
import { createShell, type PageLink } from './page-shell.ts';

export interface PageOptions {
  readonly title: string;
  /** The pages that are served, for the links between them. */
  readonly pages: readonly PageName[];
  /** What the server's page at its root is called, when it has one. */
  readonly home: string | undefined;
}

/** Links to the pages of a server, in the order in which every page of it shows them. */
export function createPageLinks({ pages, home, hasDocument }: PageLinksOptions): readonly PageLink[] {
  return [
    ...(home === undefined ? [] : [{ path: '', text: home }]),
    ...pages.map((page) => ({ path: page, text: definitions[page].label })),
    ...(hasDocument ? [{ path: 'openapi.json', text: 'OpenAPI document' }] : []),
  ];
}

export interface PageLinksOptions extends Pick<PageOptions, 'pages' | 'home'> {
  readonly hasDocument: boolean;
}

export function createPageHtml(page: PageName, { title, pages, home }: PageOptions): string {
  const { label, styles, libraries, scripts } = definitions[page];
  const located = (file: string) => `${page}/${file}`;
  return String(
    createShell({
      title,
      label,
      current: page,
      links: createPageLinks({ pages, home, hasDocument: true }),
      styles: styles.map(located),
      libraries: libraries.map(located),
      scripts: scripts.map(located),
      skipTo: { id: 'page', text: 'Skip to the documentation' },
      body: html`<noscript><p class="notice">This page needs JavaScript. The contract itself is at <a href="openapi.json">openapi.json</a>.</p></noscript>
<main id="page" tabindex="-1"><p class="notice" role="status">Reading the contract…</p></main>`,
    }),
  );
}

interface PageDefinition {
  readonly label: string;
  readonly styles: readonly string[];
  readonly libraries: readonly string[];
  readonly scripts: readonly string[];
}

const definitions: Readonly<Record<PageName, PageDefinition>> = {
  docs: {
    label: 'Swagger UI',
    styles: ['swagger-ui.css', 'page.css'],
    libraries: ['swagger-ui-bundle.js'],
    scripts: ['docs.js'],
  },
  redoc: { label: 'ReDoc', styles: ['page.css'], libraries: ['redoc.standalone.js'], scripts: ['redoc.js'] },
};

/** Of an empty style element: what a library makes before it adds rules one by one, which needs no leave. */
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** Of the style sheet of the scrollbars that ReDoc's bundle brings along. */
const scrollbarStyle = "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='";

const ownImages = { 'img-src': "'self' data:" };

/** What each page may load: this server's own files, and nothing inline. */
export const pagePolicies: Readonly<Record<PageName, Readonly<Record<string, string>>>> = {
  docs: createPagePolicy(ownImages),
  // ReDoc makes its search worker from a blob.
  redoc: createPagePolicy({
    ...ownImages,
    'style-src': `'self' ${emptyStyle} ${scrollbarStyle}`,
    'worker-src': 'blob:',
  }),
};
