import type { OpenApiDocument } from '../../contract/index.ts';
import { type Html, html } from '../html.ts';
import { createPageLinks } from '../page-html.ts';
import { createShell } from '../page-shell.ts';
import { readSignInTerms, type SignInTerms } from './sign-in-terms.ts';

/** The page as it comes: a form to sign in with, and the empty frame of a roster that the script fills. */
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
      body: html`<main id="main" tabindex="-1" data-base="${terms.base}">
${createWelcome(terms, pages[0])}${createRoster()}</main>
<dialog id="person" class="drawer" aria-labelledby="person-name"></dialog>
<dialog id="again" class="card" aria-labelledby="again-title"><h2 id="again-title">Sign in again</h2><p class="hint">Your sign-in has ended. What you were looking at stays.</p></dialog>
<footer class="foot"><p>${title} ${version}</p></footer>`,
    }),
  );
}

/** The fields have no names, so that nothing can put what is typed into an address. */
function createWelcome({ needsCompany, account, password }: SignInTerms, explanation: string | undefined): Html {
  return html`<section id="welcome">
<div>
<h1>Who is on the staff</h1>
<p class="lead">Find people by name, tag and skill, and see for each view the very request that made it.</p>
${picture}
</div>
<div class="card" id="door">
<h2>Sign in</h2>
<noscript><p class="hint">This page needs JavaScript.${explanation && html` What it shows is described in the <a href="${explanation}">documentation</a>.`}</p></noscript>
<form id="sign-in" hidden>
<label for="account">${account}</label>
<input id="account" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="320" required>
<label for="password">${password}</label>
<input id="password" type="password" autocomplete="current-password" maxlength="1024" required>
<div id="company-field">
<label for="company">Key of the company${!needsCompany && html` <span class="hint">may stay empty</span>`}</label>
<input id="company" autocomplete="off" autocapitalize="none" spellcheck="false"${needsCompany && html` required`}>
</div>
<div id="sign-in-fault" role="alert"></div>
<div class="buttons"><button class="main">Sign in</button><button type="button" id="leave" class="plain" hidden>Sign out</button></div>
<p class="hint">The token stays in this page’s memory alone, until you leave or sign out.</p>
</form>
</div>
</section>
`;
}

/** A roster at a glance: some people, and the days of their week. */
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

/** What people can be ordered by: the columns of the table that show one property. */
const columns = [
  { order: 'name', text: 'Name' },
  { order: 'id', text: 'StaffId' },
  { order: 'role', text: 'Class and type' },
  { order: 'fte', text: 'FTE' },
  { order: 'state', text: 'State' },
  { order: 'profile', text: 'Profile' },
];

function createRoster(): Html {
  return html`<section id="roster" hidden aria-labelledby="roster-title">
<div class="head"><h1 id="roster-title" tabindex="-1">Roster</h1><p class="count" id="count"></p><p class="who" id="who"></p><button type="button" class="plain" id="sign-out">Sign out</button></div>
<form class="card" id="filter" role="search" aria-label="People">
<fieldset id="fields">
<div class="find"><label for="text">Search</label><input id="text" type="search" placeholder="Name, StaffId or e-mail" maxlength="100" autocomplete="off" spellcheck="false"></div>
<div><label for="tag">Tag</label><select id="tag"><option value="">Any</option></select></div>
<div><label for="skill">Skill</label><select id="skill"><option value="">Any</option></select></div>
<div class="day"><label for="day">Skilled on</label><select id="day"><option value="">Any day</option>${days.map((day) => html`<option>${day}</option>`)}</select></div>
<div class="narrow"><label for="order">Order by</label><select id="order">${columns.map(({ order, text }) => html`<option value="${order}">${text}</option>`)}</select></div>
<label class="check"><input id="active" type="checkbox"> Active only</label>
<button type="button" class="plain" id="clear" disabled>Clear</button>
</fieldset>
<details id="expert">
<summary>Write the filter yourself</summary>
<label for="own-filter"><code>$filter</code>, in OData</label>
<textarea id="own-filter" rows="2" maxlength="16384" spellcheck="false" autocapitalize="none" autocomplete="off" aria-describedby="failure"></textarea>
<div class="buttons"><button class="main" id="apply">Apply</button><button type="button" class="plain" id="back">Back to the fields</button></div>
</details>
</form>
<div id="failure"></div>
<p id="hidden-data" class="card" role="note" hidden><strong>No tags, skills or profiles for this account.</strong> The API gives them to accounts with the scope <code>admin</code>; to all others they are empty lists, in filters too. (They are empty as well while a company has none.)</p>
<details class="card" id="request"><summary>The request behind this <span id="request-outcome"></span></summary><div id="request-shown"></div></details>
<div id="results">
<table class="card" role="table" aria-label="People">
<thead role="rowgroup"><tr role="row">${columns.map(({ order, text }) => html`<th scope="col" role="columnheader" data-order="${order}"><button type="button">${text}</button></th>`)}<th scope="col" role="columnheader">Tags</th><th scope="col" role="columnheader">Skills</th></tr></thead>
<tbody id="people" role="rowgroup"></tbody>
</table>
<nav class="pager" aria-label="Parts of the roster">
<button type="button" id="previous">Previous</button>
<span id="part"></span>
<label class="check">Per page <select id="size"><option>10</option><option selected>25</option><option>50</option><option>100</option></select></label>
<button type="button" id="next">Next</button>
</nav>
</div>
<details id="log"><summary>All requests of this page <span class="count" id="log-count">0</span></summary><ol class="requests" id="log-list"></ol></details>
</section>
`;
}
