import type { KeyRecord } from '@rostergate/access/keys';
import type { Settings } from '@rostergate/endpoints';
import { minus, type Note } from './change.ts';

/** The limits of a client: requests by window, such as `minute` or `quota per month`. */
type Limits = ReadonlyMap<string, number>;

const clients = [
  { plan: 'anonymous_plan', perMinute: 'rate_limit_per_minute' },
  { plan: 'default_plan', perMinute: 'rate_limit_per_minute_authenticated' },
] as const;

/** Notes changed limits of addresses, of keys without a plan, and of plans. */
export function compareLimits(old: Readonly<Settings>, next: Readonly<Settings>, note: Note): void {
  for (const client of clients) {
    const isSamePlan = old[client.plan] === next[client.plan] && old[client.plan] !== '';
    // A changed plan is noted once for everyone who has it.
    if (isSamePlan && old.rate_limit_enabled === next.rate_limit_enabled) continue;
    const hasPlan = old[client.plan] !== '' || next[client.plan] !== '';
    const partOf = (window: string) => (hasPlan ? `${client.plan} ${window}` : client.perMinute);
    noteLimits(limitsOf(old, client), limitsOf(next, client), (rule, window, text) => note(rule, partOf(window), text));
  }
  const [before, now] = [old, next].map(({ rate_limit_enabled, plans }) => (rate_limit_enabled ? plans : {})) as [
    Settings['plans'],
    Settings['plans'],
  ];
  for (const name of Object.keys(before)) {
    if (now[name] === undefined) note('plan-removed', `plans.${name}`, `the plan ${name} no longer exists`);
  }
  for (const [name, plan] of Object.entries(now)) {
    const other = before[name];
    if (other === undefined) note('plan-added', `plans.${name}`, `the plan ${name} is new`);
    else {
      noteLimits(limitsOfPlan(other), limitsOfPlan(plan), (rule, window, text) =>
        note(rule, `plans.${name} ${window}`, text),
      );
    }
  }
}

/** Notes keys that a plan gives other limits than before. */
export function compareKeyPlan(
  old: { readonly key: KeyRecord; readonly settings: Readonly<Settings> },
  next: { readonly key: KeyRecord; readonly settings: Readonly<Settings> },
  part: string,
  note: Note,
): void {
  if (old.key.plan === next.key.plan) return;
  const [before, now] = [old, next].map(({ key, settings }) => {
    const plan = key.plan === undefined || !settings.rate_limit_enabled ? undefined : settings.plans[key.plan];
    return plan === undefined ? limitsOf(settings, clients[1]) : limitsOfPlan(plan);
  }) as [Limits, Limits];
  const nameOf = ({ key }: typeof old) => key.plan ?? 'no plan';
  noteLimits(before, now, (rule, window, text) => {
    const change = `the key ${next.key.name} has ${nameOf(next)} instead of ${nameOf(old)}: ${window} ${text}`;
    note(rule === 'setting-tightened' ? 'key-plan-tightened' : 'key-plan-relaxed', part, change);
  });
}

function limitsOf(settings: Readonly<Settings>, { plan, perMinute }: (typeof clients)[number]): Limits {
  if (!settings.rate_limit_enabled) return new Map();
  const own = settings.plans[settings[plan]];
  return own === undefined ? new Map([['minute', settings[perMinute]]]) : limitsOfPlan(own);
}

function limitsOfPlan({ limits = [], quota }: Settings['plans'][string]): Limits {
  const found = new Map<string, number>(limits.map(({ requests, per }) => [per, requests]));
  if (quota !== undefined) found.set(`quota per ${quota.per}`, quota.requests);
  return found;
}

/** Notes each window whose limit changed; a window without a limit admits everything. */
function noteLimits(before: Limits, now: Limits, note: NoteLimit): void {
  for (const window of new Set([...before.keys(), ...now.keys()])) {
    const [from, to] = [before, now].map((limits) => limits.get(window) ?? Number.POSITIVE_INFINITY) as [
      number,
      number,
    ];
    compareLimit(window, from, to, note);
  }
}

/** Notes a changed number whose lower values are stricter; infinity is no limit. */
export function compareLimit(part: string, from: number, to: number, note: NoteLimit): void {
  if (from !== to)
    note(to < from ? 'setting-tightened' : 'setting-relaxed', part, `${textOf(from)} became ${textOf(to)}`);
}

type NoteLimit = (rule: 'setting-tightened' | 'setting-relaxed', part: string, text: string) => void;

const textOf = (limit: number): string => (limit === Number.POSITIVE_INFINITY ? 'no limit' : String(limit));

/** Notes the origins of pages that can no longer call, and that can now. */
export function compareOrigins(name: string, old: readonly string[], next: readonly string[], note: Note): void {
  const [origins, nowOrigins] = [new Set(old), new Set(next)];
  for (const origin of minus(origins, nowOrigins))
    note('setting-tightened', name, `pages of ${origin} can no longer call`);
  for (const origin of minus(nowOrigins, origins)) note('setting-relaxed', name, `pages of ${origin} can now call`);
}
