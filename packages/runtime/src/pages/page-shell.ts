import { type Html, html } from './html.ts';

export interface ShellOptions {
  /** Name of the server, for people. */
  readonly title: string;
  /** What this page is, when it is not the server's own. */
  readonly label?: string;
  /** Where it is served, relative to the server's root; empty for the root itself. */
  readonly current: string;
  /** The pages that are served, this one among them. */
  readonly links: readonly PageLink[];
  readonly icon?: string | undefined;
  readonly styles: readonly string[];
  /** Run before the scripts, with what they need. */
  readonly libraries?: readonly string[];
  /** Modules. */
  readonly scripts: readonly string[];
  readonly skipTo: { readonly id: string; readonly text: string };
  readonly body: Html;
}

export interface PageLink {
  /** Relative to the server's root; empty for the root itself. */
  readonly path: string;
  readonly text: string;
}

/**
 * The frame of every page. It holds no script and no style of its own, and its addresses are relative, so that a proxy
 * may add a prefix.
 */
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
<p class="bar-name">${gate}<span>${title}</span></p>
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

/** The mark, drawn in the colour of the text around it. */
const gate = html`<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false"><g fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"><path d="M6 26V14a10 10 0 0 1 20 0v12"/><path d="M12.5 26v-9M19.5 26v-9M16 26V12" opacity=".65"/></g></svg>`;
