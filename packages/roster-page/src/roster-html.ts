import { createPageLinks, createShell, type Html, html } from '@rostergate/pages';
import {
  type OpenApiDocument,
  type ParameterObject,
  type RequestBodyObject,
  resolveReference,
} from '@rostergate/server';

/** Returns the page: a sign-in form, and an empty roster for the script to fill. */
export function createRosterHtml(document: OpenApiDocument): string {
  const terms = readSignInTerms(document);
  const isServed = (path: string) => document.paths[path] !== undefined;
  const pages = (['docs', 'redoc'] as const).filter((page) => isServed(`/${page}`));
  const { title, version } = document.info;
  return String(
    createShell({
      title,
      label: 'Roster',
      current: '',
      links: createPageLinks({ pages, home: 'Roster', hasDocument: isServed('/openapi.json') }),
      icon: 'roster/icon.svg',
      styles: ['roster/roster.css'],
      scripts: ['roster/roster.js'],
      skipTo: { id: 'main', text: 'Skip to the content' },
      body: html`<main id="main" tabindex="-1" data-base="${terms.base}"${terms.hasCatalogues && html` data-catalogues`}>
${createWelcome(terms, pages[0])}${createRoster(terms)}</main>
<dialog id="person" class="drawer" aria-labelledby="person-name"></dialog>
<dialog id="again" class="card" aria-labelledby="again-title"><h2 id="again-title">Sign in again</h2><p class="hint">Your session has expired. Your current view is preserved.</p></dialog>
<footer class="foot"><p>${title} ${version}</p></footer>`,
    }),
  );
}

/** The fields have no names, so that their values never enter a URL. */
function createWelcome({ needsCompany, account, password }: SignInTerms, explanation: string | undefined): Html {
  return html`<section id="welcome">
<div>
<h1>Staff roster</h1>
<p class="lead">Find people by name, tag and skill, change them, and see the API request behind each view.</p>
${picture}
</div>
<div class="card" id="sign-in-card">
<h2>Sign in</h2>
<noscript><p class="hint">This page needs JavaScript.${explanation && html` See the <a href="${explanation}">documentation</a> of the API.`}</p></noscript>
<form id="sign-in" hidden>
<label for="account">${account}</label>
<input id="account" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="320" required>
<label for="password">${password}</label>
<input id="password" type="password" autocomplete="current-password" maxlength="1024" required>
<div id="company-field">
<label for="company">Company key${!needsCompany && html` <span class="hint">optional</span>`}</label>
<input id="company" autocomplete="off" autocapitalize="none" spellcheck="false"${needsCompany && html` required`}>
</div>
<div id="sign-in-fault" role="alert"></div>
<div class="buttons"><button class="main">Sign in</button><button type="button" id="leave" class="plain" hidden>Sign out</button></div>
<p class="hint">This tab stores the token until you sign out. Sign out on a shared computer: a reopened tab is signed in.</p>
</form>
</div>
</section>
`;
}

/** An illustration: people and the days of their week. */
const picture = html`<svg class="picture" viewBox="0 0 400 180" aria-hidden="true" focusable="false">${[
  ['a', 90, '1111100'],
  ['b', 120, '0111110'],
  ['c', 76, '1010111'],
  ['d', 104, '1111001'],
].map(
  ([tone, width, days], i) =>
    html`<g class="${tone}"><circle cx="22" cy="${24 + 44 * i}" r="15"/><rect x="52" y="${17 + 44 * i}" width="${width}" height="14" rx="7"/>${[...String(days)].map((day, d) => html`<rect${day === '0' && html` class="off"`} x="${200 + 28 * d}" y="${13 + 44 * i}" width="21" height="21" rx="5"/>`)}</g>`,
)}</svg>`;

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** The sortable columns. */
const columns = [
  { order: 'name', text: 'Name' },
  { order: 'id', text: 'StaffId' },
  { order: 'role', text: 'Class and type' },
  { order: 'fte', text: 'FTE' },
  { order: 'state', text: 'State' },
  { order: 'profile', text: 'Profile' },
];

function createRoster({ hasCsv }: SignInTerms): Html {
  return html`<section id="roster" hidden aria-labelledby="roster-title">
<div class="head"><h1 id="roster-title" tabindex="-1">Roster</h1><p class="count" id="count"></p>${hasCsv && html`<button type="button" class="plain" id="csv">CSV<span class="unseen"> of all people found</span></button>`}<p class="who" id="who"></p><button type="button" class="plain" id="sign-out">Sign out</button></div>
<form class="card" id="filter" role="search" aria-label="People">
<fieldset id="fields">
<div class="find"><label for="text">Search</label><input id="text" type="search" placeholder="Name, StaffId or e-mail" maxlength="100" autocomplete="off" spellcheck="false"></div>
<div><label for="tag">Tag</label><select id="tag"><option value="">Any</option></select></div>
<div><label for="skill">Skill</label><select id="skill"><option value="">Any</option></select></div>
<div class="day"><label for="day">Skilled on</label><select id="day"><option value="">Any day</option>${days.map((day) => html`<option>${day}</option>`)}</select></div>
<div class="narrow"><label for="order">Order by</label><select id="order">${columns.map(({ order, text }) => html`<option value="${order}">${text}</option>`)}</select></div>
<button type="button" class="plain narrow" id="more-fields" aria-expanded="false" aria-controls="fields">Filters</button>
<label class="check"><input id="active" type="checkbox"> Active only</label>
<button type="button" class="plain" id="clear" disabled>Clear</button>
</fieldset>
<details id="expert">
<summary>Write an OData filter</summary>
<label for="own-filter"><code>$filter</code></label>
<textarea id="own-filter" rows="2" maxlength="16384" spellcheck="false" autocapitalize="none" autocomplete="off" aria-describedby="failure"></textarea>
<div class="buttons"><button class="main" id="apply">Apply</button><button type="button" class="plain" id="back">Back to the fields</button></div>
</details>
</form>
<div id="failure"></div>
<p id="hidden-data" class="card" role="note" hidden><strong>No tags, skills or profiles.</strong> The API shows them only to accounts with the scope <code>admin</code>; for others these lists are empty. They are also empty if the company has none.</p>
<details class="card" id="request"><summary>API request <span id="request-outcome"></span></summary><div id="request-shown"></div></details>
<div id="results">
<table class="card" role="table" aria-label="People">
<thead role="rowgroup"><tr role="row">${columns.map(({ order, text }) => html`<th scope="col" role="columnheader" data-order="${order}"><button type="button">${text}</button></th>`)}<th scope="col" role="columnheader">Tags</th><th scope="col" role="columnheader">Skills</th></tr></thead>
<tbody id="people" role="rowgroup"></tbody>
</table>
<nav class="pager" aria-label="Pages of the roster">
<button type="button" id="previous">Previous</button>
<span id="part"></span>
<label class="check">Per page <select id="size"><option>10</option><option selected>25</option><option>50</option><option>100</option></select></label>
<button type="button" id="next">Next</button>
</nav>
</div>
<details id="log"><summary>All API requests <span class="count" id="log-count">0</span></summary><ol class="requests" id="log-list"></ol></details>
</section>
`;
}

/** What the page takes from the contract of a server. */
interface SignInTerms {
  /** Base of the contract's paths, relative to the server's root. */
  readonly base: string;
  readonly needsCompany: boolean;
  /** Label of the account, such as an e-mail address or the name of a key. */
  readonly account: string;
  readonly password: string;
  /** Whether the list of people is also served as CSV. */
  readonly hasCsv: boolean;
  /** Whether the tags and skills of the company are served as a list. */
  readonly hasCatalogues: boolean;
}

/** Reads the terms from the document, so that the page fits both the API and the proxy. */
export function readSignInTerms(document: OpenApiDocument): SignInTerms {
  const { parameters = [], responses = {} } = document.paths['/staffmember']?.get ?? {};
  const found = resolveReference<Partial<RequestBodyObject>>(document, (responses['200'] ?? {}) as object);
  const company = parameters
    .map((parameter) => resolveReference<ParameterObject>(document, parameter))
    .find(({ name }) => name === 'companyKey');
  const body = document.paths['/login']?.post?.requestBody ?? { content: {} };
  const { schema = {} } = resolveReference<RequestBodyObject>(document, body).content['application/json'] ?? {};
  const { properties = {} } = resolveReference<{ properties?: Properties }>(document, schema as object);
  const describe = (name: string, otherwise: string) => (properties[name]?.description ?? otherwise).replace(/\.$/, '');
  return {
    base: (document.servers?.[0]?.url ?? '').replace(/^\//, ''),
    needsCompany: company?.required === true,
    account: describe('email', 'E-mail address'),
    password: describe('password', 'Password'),
    hasCsv: Object.hasOwn(found.content ?? {}, 'text/csv'),
    hasCatalogues: document.paths['/admin/{catalogue}']?.get !== undefined,
  };
}

type Properties = Readonly<Record<string, { readonly description?: string }>>;
