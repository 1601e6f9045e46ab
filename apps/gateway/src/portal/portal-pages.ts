import type { Portal, Settings } from '@rostergate/endpoints';
import {
  type AssetSource,
  assetFile,
  type CallExample,
  createPageLinks,
  createPagePolicy,
  createShell,
  type Html,
  html,
  type PageLink,
} from '@rostergate/pages';
import type { OpenApiDocument, RawReply, ReplyHeaders } from '@rostergate/server';
import type { Problem } from '@rostergate/server/problem';
import { ownPageLinks, servedPages } from '../served-document.ts';
import type { Developer } from './developer-sign-in.ts';
import { createKeyForm, createKeyList, type KeyFormOptions } from './key-blocks.ts';
import { createLimitsBlock, type LimitsBlockOptions } from './limits-block.ts';
import { type CreatedKey, labelOf } from './owned-keys.ts';
import { createUsageBlock, type PortalUsage } from './usage-chart.ts';

/** One file each for styles and scripts. */
export const portalAssets = {
  'portal.css': { parts: ['tokens.css', 'shell.css', 'controls.css', 'portal.css'].map(assetFile) },
  'portal.js': { parts: ['dom.js', 'portal.js'].map(assetFile) },
  'icon.svg': { parts: [assetFile('icon.svg')] },
} as const satisfies Record<string, AssetSource>;

export interface PortalPagesOptions {
  readonly settings: Readonly<Settings>;
  readonly portal: Portal;
  readonly document: OpenApiDocument;
  /** Returns a first call with a key; undefined when there is nothing to call. */
  readonly firstCall: ((key: string) => readonly CallExample[]) | undefined;
}

export interface HomeOptions extends Omit<KeyFormOptions, 'portal'>, LimitsBlockOptions {
  readonly developer: Developer;
  /** The key that was just created, which is shown once. */
  readonly created: CreatedKey | undefined;
  readonly usage: PortalUsage;
}

/** The pages of the portal. */
export interface PortalPages {
  /** For a browser without a session. */
  welcome(): RawReply;
  home(options: HomeOptions): RawReply;
  fault(problem: Problem, headers?: ReplyHeaders): RawReply;
}

const label = 'Developer portal';
/** In place of a key that the page does not know. */
const keyPlaceholder = 'YOUR_KEY';

export function createPortalPages({ settings, portal, document, firstCall }: PortalPagesOptions): PortalPages {
  const { title } = document.info;
  const served = servedPages(settings);
  const links = createPageLinks({
    pages: (['docs', 'redoc'] as const).filter((page) => served[page]),
    home: served.landing ? 'Overview' : undefined,
    hasDocument: served.openapi,
    more: ownPageLinks(settings),
  }).map(({ path, text }): PageLink => ({ path: `/${path}`, text }));

  function reply(status: number, body: Html, headers: ReplyHeaders = {}): RawReply {
    const page = createShell({
      ...{ title, label, body },
      current: '/portal',
      links,
      icon: '/portal/assets/icon.svg',
      styles: ['/portal/assets/portal.css'],
      scripts: ['/portal/assets/portal.js'],
      skipTo: { id: 'main', text: 'Skip to the content' },
    });
    return { status, raw: String(page), contentType: 'text/html; charset=utf-8', headers: { ...policy, ...headers } };
  }

  return {
    welcome: () =>
      reply(
        200,
        html`<main id="main" tabindex="-1" class="narrow">
<h1>${label}</h1>
<p class="lead">Sign in to create your own API keys for ${title}, and to see your limits and usage.</p>
<p><a class="main-link" href="/portal/sign-in">Sign in</a></p>
</main>`,
      ),
    home(options) {
      const { developer, created, keys } = options;
      return reply(
        created === undefined ? 200 : 201,
        html`<main id="main" tabindex="-1">
<div class="intro">
<div><h1>Your API keys</h1>
<p class="lead">Signed in as ${developer.name}</p></div>
<form method="post" action="/portal/sign-out"><button class="plain">Sign out</button></form>
</div>
${created && createNewKeyBlock(created, firstCall)}${createKeyList(options)}${createKeyForm({ ...options, portal })}
${createLimitsBlock(options)}
${createUsageBlock(options.usage, keys)}
${created === undefined && firstCall && createCallBlock(firstCall(keyPlaceholder))}</main>`,
      );
    },
    fault: (problem, headers) =>
      reply(
        problem.status,
        html`<main id="main" tabindex="-1" class="narrow">
<h1>${problem.title}</h1>
<p class="lead">${problem.detail}</p>
<p><a class="main-link" href="/portal">Back to the portal</a></p>
</main>`,
        { ...problem.headers, ...headers },
      ),
  };
}

/** Only files of this server; forms are sent to it. Its own requests carry their origin, which they are checked by. */
const policy = {
  ...createPagePolicy({ 'form-action': "'self'" }),
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store, no-transform',
};

function createNewKeyBlock({ key, entry }: CreatedKey, firstCall: PortalPagesOptions['firstCall']): Html {
  return html`<section class="card new-key" aria-labelledby="new-key-title">
<h2 id="new-key-title">Copy your new key ${labelOf(entry)}</h2>
<p>It is shown only now, and is valid within 2 seconds.</p>
${createCodeBlock('key', key)}${firstCall && html`<h3>Make the first call</h3>\n${createExamples(firstCall(key))}`}</section>
`;
}

function createCallBlock(examples: readonly CallExample[]): Html {
  return html`<section class="card" aria-labelledby="call-title">
<h2 id="call-title">First call</h2>
<p class="hint">Replace <code>${keyPlaceholder}</code>. A new key is filled in for you.</p>
${createExamples(examples)}</section>
`;
}

function createExamples(examples: readonly CallExample[]): Html {
  return html`${examples.map(({ language, code }) => html`<h4>${language}</h4>\n${createCodeBlock(language, code)}`)}`;
}

function createCodeBlock(name: string, code: string): Html {
  return html`<div class="code"><pre tabindex="0" aria-label="${name}"><code>${code}</code></pre><button type="button" class="copy plain" aria-label="Copy ${name}" hidden>Copy</button></div>
`;
}
