import { type Html, html } from '../html.ts';

/** Returns a form that checks a key with /auth/validate. The field has no name, so that the key never enters a URL. */
export function createKeyTesterBlock(): Html {
  return html`<section class="card tester" aria-labelledby="tester-title">
<h2 id="tester-title">Check a key</h2>
<p class="hint">Send your key as <code>X-API-Key</code> or <code>Authorization: Bearer</code>.</p>
<form id="tester" hidden>
<label for="tester-key">Your key</label>
<div class="field">
<input id="tester-key" type="password" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" required aria-describedby="tester-hint">
<button type="button" class="plain" id="tester-show" aria-pressed="false">Show</button>
</div>
<div class="buttons"><button class="main">Check key</button><button type="button" id="tester-forget" hidden>Clear</button></div>
<p class="hint" id="tester-hint">The key stays in this page’s memory until you leave.</p>
</form>
<div id="tester-verdict" class="verdict" role="status"></div>
<noscript><p>Without JavaScript, send the key to <code>/auth/validate</code>.</p></noscript>
</section>
`;
}
