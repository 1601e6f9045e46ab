import {
  describePlan,
  describeWindow,
  type LimitUse,
  type OwnerUses,
  type Plan,
  periodEndAfter,
} from '@rostergate/access/limits';
import { type Html, html } from '@rostergate/pages';

/** The limits of a developer, over all keys. */
export type PortalLimits = { readonly state: 'off' | 'unavailable' } | ({ readonly state: 'read' } & OwnerUses);

export interface LimitsBlockOptions {
  readonly limits: PortalLimits;
  /** Empty without a plan. */
  readonly planName: string;
  readonly plan: Plan | undefined;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/** Returns what is left of each limit, or why it is unknown. */
export function createLimitsBlock({ limits, planName, plan, nowMs }: LimitsBlockOptions): Html | false {
  if (limits.state === 'off') return false;
  return html`<section class="card" aria-labelledby="limits-title">
<h2 id="limits-title">Limits</h2>
<p>${plan && html`Plan <strong>${planName}</strong>: ${describePlan(plan)}. `}All of your keys share these limits.</p>
${limits.state === 'read' ? createUses(limits, nowMs) : html`<p class="hint">What you have used cannot be read now. Try again in a minute.</p>`}
</section>`;
}

function createUses({ uses, isEstimate }: OwnerUses, nowMs: number): Html {
  if (uses.length === 0) return html`<p class="hint">Requests are not counted now, so no limit applies.</p>`;
  return html`<ul class="limits">
${uses.map((use, i) => createUse(use, { id: `limit-${i}`, nowMs }))}</ul>
${isEstimate && html`<p class="hint">These are estimates: the shared counts are unavailable, and each process counts its own requests.</p>`}`;
}

function createUse(
  { limit, window, used, resetMs }: LimitUse,
  { id, nowMs }: { readonly id: string; readonly nowMs: number },
): Html {
  const left = Math.max(0, limit - used);
  const reset =
    typeof window === 'string'
      ? html`It resets at ${timeOf(periodEndAfter(nowMs, window))}.`
      : used > 0 && html`The next one is free again at ${timeOf(nowMs + resetMs)}.`;
  return html`<li><p id="${id}"><strong>${numberText(left)} left</strong> of ${numberText(limit)} ${limit === 1 ? 'request' : 'requests'} ${describeWindow(window)}</p>
<meter aria-labelledby="${id}" min="0" max="${limit}" high="${Math.floor(limit * 0.8)}" value="${Math.min(used, limit)}"></meter>
<p class="hint">${used === 0 ? 'None' : numberText(used)} used. ${reset}</p></li>
`;
}

/** Returns a time in UTC, rounded up to a second. */
function timeOf(ms: number): Html {
  const text = new Date(Math.ceil(ms / 1000) * 1000).toISOString();
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

function numberText(value: number): string {
  return value.toLocaleString('en');
}
