import { type Html, html } from '../html.ts';

/** A line that says whether the server can do its work, and what fails when it cannot; readiness.js keeps it true. */
export function createReadinessBlock(): Html {
  return html`<div class="readiness" id="readiness" data-state="unknown" role="status">
<p class="state"><span class="dot" aria-hidden="true"></span><span id="readiness-state">State not known yet</span></p>
<ul id="readiness-parts" hidden></ul>
</div>
`;
}
