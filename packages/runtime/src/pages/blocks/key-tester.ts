import { type Html, html } from '../html.ts';

/**
 * A form that asks /auth/validate about a key. The key has no name in the form, so that nothing can put it into an
 * address.
 */
export function createKeyTesterBlock(): Html {
  return html`<section class="card tester" aria-labelledby="tester-title">
<h2 id="tester-title">Try a key</h2>
<p class="hint">Send it as <code>X-API-Key</code> or as <code>Authorization: Bearer</code>.</p>
<form id="tester" hidden>
<label for="tester-key">Your key</label>
<div class="field">
<input id="tester-key" type="password" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" required aria-describedby="tester-hint">
<button type="button" class="plain" id="tester-show" aria-pressed="false">Show</button>
</div>
<div class="buttons"><button class="main">Check key</button><button type="button" id="tester-forget" hidden>Forget it</button></div>
<p class="hint" id="tester-hint">This page keeps it in memory alone, until you leave.</p>
</form>
<div id="tester-verdict" class="verdict" role="status"></div>
<noscript><p>Without JavaScript, ask <code>/auth/validate</code> with the key in its header.</p></noscript>
</section>
`;
}
