import type { PageName } from './page-asset.ts';

export interface PageOptions {
  readonly title: string;
  /** The pages that are served, for the links between them. */
  readonly pages: readonly PageName[];
}

/** The pages hold no script and no style of their own; addresses are relative, so that a proxy may add a prefix. */
export function createPageHtml(page: PageName, { title, pages }: PageOptions): string {
  const name = escapeHtml(title);
  const { label, styles, scripts } = definitions[page];
  const links = [...pages.map((other) => ({ href: other, text: definitions[other].label })), openapiLink];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name} – ${label}</title>
<link rel="icon" href="data:,">
${styles.map((file) => `<link rel="stylesheet" href="${page}/${file}">`).join('\n')}
</head>
<body>
<header class="brand">
<strong>${name}</strong>
<nav aria-label="Documentation">
${links.map(({ href, text }) => `<a href="${href}"${href === page ? ' aria-current="page"' : ''}>${text}</a>`).join('\n')}
</nav>
</header>
<noscript><p class="notice">This page needs JavaScript. The contract itself is at <a href="openapi.json">openapi.json</a>.</p></noscript>
<main id="page"></main>
${scripts.map((file) => `<script src="${page}/${file}"></script>`).join('\n')}
</body>
</html>
`;
}

const openapiLink = { href: 'openapi.json', text: 'OpenAPI document' };

const definitions: Readonly<Record<PageName, { label: string; styles: string[]; scripts: string[] }>> = {
  docs: {
    label: 'Swagger UI',
    styles: ['swagger-ui.css', 'page.css'],
    scripts: ['swagger-ui-bundle.js', 'docs.js'],
  },
  redoc: { label: 'ReDoc', styles: ['page.css'], scripts: ['redoc.standalone.js', 'redoc.js'] },
};

const shared = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** What each page may load: this server's own files, and nothing inline but where the library leaves no choice. */
export const contentSecurityPolicies: Readonly<Record<PageName, string>> = {
  docs: [...shared, "style-src 'self'"].join('; '),
  // ReDoc writes its styles into the page as it runs, and makes its search worker from a blob.
  redoc: [...shared, "style-src 'self' 'unsafe-inline'", 'worker-src blob:'].join('; '),
};

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
