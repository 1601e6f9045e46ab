import { html } from './html.ts';
import type { PageName } from './page-asset.ts';
import { createPagePolicy, createShell, type PageLink } from './page-shell.ts';

export interface PageOptions {
  readonly title: string;
  /** Served pages, for the links between them. */
  readonly pages: readonly PageName[];
  /** Name of the page at the root, if there is one. */
  readonly home: string | undefined;
}

/** Returns the links to the pages of a server. */
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
      body: html`<noscript><p class="notice">This page needs JavaScript. The contract is at <a href="openapi.json">openapi.json</a>.</p></noscript>
<main id="page" tabindex="-1"><p class="notice" role="status">Loading the contract…</p></main>`,
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

/** Hash of an empty style element, which a library fills through the CSSOM. */
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** Hash of the scrollbar style sheet in ReDoc's bundle. */
const scrollbarStyle = "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='";

const ownImages = { 'img-src': "'self' data:" };

/** The Content-Security-Policy of each page: this server's files, nothing inline. */
export const pagePolicies: Readonly<Record<PageName, Readonly<Record<string, string>>>> = {
  docs: createPagePolicy(ownImages),
  // ReDoc creates its search worker from a blob.
  redoc: createPagePolicy({
    ...ownImages,
    'style-src': `'self' ${emptyStyle} ${scrollbarStyle}`,
    'worker-src': 'blob:',
  }),
};
