import { type Html, html } from './html.ts';
import type { PageName } from './page-asset.ts';

export interface ShellOptions {
  /** Display name of the server. */
  readonly title: string;
  /** Name of this page, in its title. */
  readonly label?: string;
  /** Path relative to the server's root; empty for the root. */
  readonly current: string;
  /** All served pages. */
  readonly links: readonly PageLink[];
  readonly icon?: string | undefined;
  readonly styles: readonly string[];
  /** Classic scripts that run before `scripts`. */
  readonly libraries?: readonly string[];
  /** Modules. */
  readonly scripts: readonly string[];
  readonly skipTo: { readonly id: string; readonly text: string };
  readonly body: Html;
}

export interface PageLink {
  /** Relative to the server's root; empty for the root. */
  readonly path: string;
  readonly text: string;
}

/** Returns a page with header and navigation. It has no inline scripts and styles, and only relative addresses. */
export function createShell(options: ShellOptions): Html {
  const { title, label, current, links, icon, styles, libraries = [], scripts, skipTo, body } = options;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}${label && ` – ${label}`}</title>
<link rel="icon" href="${icon ?? 'data:,'}">
${styles.map((href) => html`<link rel="stylesheet" href="${href}">\n`)}${libraries.map((src) => html`<script defer src="${src}"></script>\n`)}${scripts.map((src) => html`<script type="module" src="${src}"></script>\n`)}</head>
<body>
<a class="skip" href="#${skipTo.id}">${skipTo.text}</a>
<header class="bar">
<p class="bar-name">${logo}<span>${title}</span></p>
<nav aria-label="Pages">
<ul>
${links.map(({ path, text }) => html`<li><a href="${path === '' ? './' : path}"${path === current && html` aria-current="page"`}>${text}</a></li>\n`)}</ul>
</nav>
</header>
${body}
</body>
</html>
`;
}

const logo = html`<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false"><g fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"><path d="M6 26V14a10 10 0 0 1 20 0v12"/><path d="M12.5 26v-9M19.5 26v-9M16 26V12" opacity=".65"/></g></svg>`;

const directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** Returns the header that limits a page to this server's files, with some directives replaced. */
export function createPagePolicy(replaced: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const all = Object.entries({ ...directives, ...replaced }).map(([name, allowed]) => `${name} ${allowed}`);
  return { 'Content-Security-Policy': all.join('; ') };
}

export interface PageOptions {
  readonly title: string;
  /** Served pages, for the links between them. */
  readonly pages: readonly PageName[];
  /** Name of the page at the root, if there is one. */
  readonly home: string | undefined;
  /** Links to other pages of the server, after these. */
  readonly more?: readonly PageLink[] | undefined;
}

/** Returns the links to the pages of a server. */
export function createPageLinks({ pages, home, hasDocument, more = [] }: PageLinksOptions): readonly PageLink[] {
  return [
    ...(home === undefined ? [] : [{ path: '', text: home }]),
    ...pages.map((page) => ({ path: page, text: definitions[page].label })),
    ...(hasDocument ? [{ path: 'openapi.json', text: 'OpenAPI document' }] : []),
    ...more,
  ];
}

export interface PageLinksOptions extends Pick<PageOptions, 'pages' | 'home' | 'more'> {
  readonly hasDocument: boolean;
}

export function createPageHtml(page: PageName, { title, pages, home, more }: PageOptions): string {
  const { label, styles, libraries, scripts } = definitions[page];
  const located = (file: string) => `${page}/${file}`;
  return String(
    createShell({
      title,
      label,
      current: page,
      links: createPageLinks({ pages, home, hasDocument: true, more }),
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
