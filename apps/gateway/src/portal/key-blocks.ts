import { keyStateAt, type RawKeyEntry } from '@rostergate/access/keys';
import type { Portal } from '@rostergate/endpoints';
import { type Html, html } from '@rostergate/pages';
import { labelOf } from './owned-keys.ts';

export interface OwnedKeyList {
  readonly keys: readonly RawKeyEntry[];
  readonly nowMs: number;
}

/** Keys that are no longer valid are listed up to this number, newest first. */
const endedMax = 10;

/** Returns the list of keys: valid ones with their actions, then the newest of the others. */
export function createKeyList({ keys, nowMs }: OwnedKeyList): Html {
  const newestFirst = keys.toSorted((a, b) => String(b.created_at).localeCompare(String(a.created_at)));
  const valid = newestFirst.filter((entry) => keyStateAt(entry, nowMs) === 'active');
  const ended = newestFirst.filter((entry) => !valid.includes(entry)).slice(0, endedMax);
  return html`<section aria-labelledby="keys-title">
<div class="head"><h2 id="keys-title">Keys</h2><p class="count">${valid.length} valid</p></div>
${valid.length === 0 && html`<p class="card hint">You have no valid key. Create one below: it takes a name.</p>\n`}<ul class="keys">
${valid.map((entry) => createValidKey(entry))}${ended.map(
  (entry) => html`<li class="card key ended"><h3>${labelOf(entry)}</h3>${createMarks(entry)}
<p class="hint">${keyStateAt(entry, nowMs) === 'revoked' ? html`Revoked ${timeOf(entry.revoked_at)}` : html`Expired ${timeOf(entry.expires_at)}`}</p></li>
`,
)}</ul>
</section>
`;
}

function createValidKey(entry: RawKeyEntry): Html {
  const label = labelOf(entry);
  const action = `/portal/keys/${encodeURIComponent(entry.name)}`;
  return html`<li class="card key">
<h3>${label}</h3>${createMarks(entry)}
<p class="hint">Created ${timeOf(entry.created_at)}${typeof entry.expires_at === 'string' && html`, expires ${timeOf(entry.expires_at)}`}</p>
<div class="actions">
<details><summary>Rotate<span class="unseen"> ${label}</span></summary>
<form method="post" action="${action}/rotate">
<p>A new key replaces this one, which stays valid for the time that you choose.</p>
<label>Old key stays valid for <select name="overlap_hours"><option value="24">24 hours</option><option value="168">7 days</option><option value="0">no time</option></select></label>
<button class="main">Create the new key</button>
</form></details>
<details><summary>Revoke<span class="unseen"> ${label}</span></summary>
<form method="post" action="${action}/revoke">
<p>Requests with this key are rejected within 2 seconds. This cannot be undone.</p>
<button class="danger">Revoke ${label}</button>
</form></details>
</div>
</li>
`;
}

function createMarks({ prefix, plan, scopes = [] }: RawKeyEntry): Html {
  const marks = [...(plan === undefined ? [] : [`plan ${plan}`]), ...(scopes as string[]).map((one) => `scope ${one}`)];
  return html`
<p class="marks"><code>${String(prefix ?? '')}…</code>${marks.map((text) => html` <span class="mark">${text}</span>`)}</p>`;
}

function timeOf(time: unknown): Html {
  const text = String(time);
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

export interface KeyFormOptions extends OwnedKeyList {
  readonly portal: Portal;
  /** Whether the plan of a new key is that of the developer's other keys. */
  readonly hasPlan: boolean;
}

/** Returns the form that creates a key, or why there can be no more. */
export function createKeyForm({ portal, keys, nowMs, hasPlan }: KeyFormOptions): Html {
  const { plans, scopes, keys_max: keysMax } = portal;
  const isFull = keys.filter((entry) => keyStateAt(entry, nowMs) === 'active').length >= keysMax;
  return html`<section class="card" aria-labelledby="create-title">
<h2 id="create-title">Create a key</h2>
${
  isFull
    ? html`<p class="hint">You can have ${keysMax} valid keys. Revoke one to create another.</p>`
    : html`<form class="create" method="post" action="/portal/keys">
<label for="key-name">Name</label>
<input id="key-name" name="name" required maxlength="64" pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" autocomplete="off" spellcheck="false" aria-describedby="key-name-hint">
<p class="hint" id="key-name-hint">Where you use it, such as laptop. Letters, digits, dot, underscore and hyphen.</p>
${!hasPlan && plans.length > 1 && html`<label for="key-plan">Plan</label>\n<select id="key-plan" name="plan">${plans.map((one) => html`<option>${one}</option>`)}</select>\n`}${
  scopes.length > 0 &&
  html`<fieldset><legend>Scopes</legend>
${scopes.map((scope) => html`<label class="check"><input type="checkbox" name="scopes" value="${scope}"> ${scope}</label>\n`)}</fieldset>
`
}<button class="main">Create the key</button>
</form>`
}
</section>`;
}
