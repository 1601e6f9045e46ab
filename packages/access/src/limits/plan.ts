import { didYouMean } from '@rostergate/server/problem';
import type { HitWindow } from './hit-store.ts';
import type { LimitPolicy } from './limit-policy.ts';

/** A named set of limits, as in settings.json. */
export interface Plan {
  /** Each in any interval of its length. */
  readonly limits?: readonly PlanLimit[] | undefined;
  /** In each day or month of the calendar, in UTC. */
  readonly quota?: PlanQuota | undefined;
}

export interface PlanLimit {
  readonly requests: number;
  readonly per: 'second' | 'minute' | 'hour' | 'day';
}

export interface PlanQuota {
  readonly requests: number;
  readonly per: 'day' | 'month';
}

/** The plans of a server, and who has one without naming it. */
export interface PlanSettings {
  readonly plans: Readonly<Record<string, Plan>>;
  /** The plan of keys and tokens without one; empty for none. */
  readonly default_plan: string;
  /** The plan of addresses without a key; empty for none. */
  readonly anonymous_plan: string;
}

export function isPlanName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(text);
}

const windowsMs = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** Returns the policies of a plan. Plans with the same window share its counts, so a client that changes plans keeps them. */
export function policiesOfPlan(name: string, { limits = [], quota }: Plan): LimitPolicy[] {
  const sliding = limits.map(({ requests, per }): LimitPolicy => {
    // The window of the limits without plans, whose counts a plan continues.
    const keyPrefix = per === 'minute' ? '' : `${per}\n`;
    return { name: `${name}-${per}`, limit: requests, window: windowsMs[per], keyPrefix };
  });
  if (quota === undefined) return sliding;
  const window: HitWindow = quota.per;
  return [...sliding, { name: `${name}-quota`, limit: quota.requests, window, keyPrefix: `quota-${window}\n` }];
}

/** Returns a plan in words: `20 requests a second, 1,000,000 a month (UTC)`. */
export function describePlan({ limits = [], quota }: Plan): string {
  const parts = limits.map(({ requests, per }) => `${requests.toLocaleString('en')} ${article(per)} ${per}`);
  if (quota !== undefined) parts.push(`${quota.requests.toLocaleString('en')} a calendar ${quota.per} (UTC)`);
  return parts.join(', ').replace(/ (?=an? )/, parts[0]?.startsWith('1 ') ? ' request ' : ' requests ');
}

function article(per: string): string {
  return per === 'hour' ? 'an' : 'a';
}

/** Reports what the schema of the settings cannot express. Parts of the settings may be invalid. */
export function checkPlanSettings(
  settings: Partial<PlanSettings>,
  report: (path: (string | number)[], message: string) => void,
): void {
  const { plans } = settings;
  if (typeof plans !== 'object' || plans === null) return;
  const names = Object.keys(plans);
  if (names.length > plansMax) report(['plans'], `There are ${names.length} plans; at most ${plansMax} are allowed.`);
  for (const [name, plan] of Object.entries(plans)) {
    if (!isPlanName(name)) {
      report(
        ['plans', name],
        'The name of a plan is up to 64 letters, digits and . _ @ -, beginning with a letter or digit.',
      );
    }
    if (typeof plan !== 'object' || plan === null) continue;
    const limits: readonly Partial<PlanLimit>[] = Array.isArray(plan.limits) ? plan.limits : [];
    if (limits.length === 0 && plan.quota === undefined) {
      report(['plans', name], 'A plan without limits would admit every request. Give it limits or a quota.');
    }
    limits.forEach((limit, i) => {
      const first = limits.findIndex((other) => other?.per === limit?.per);
      if (first < i) {
        report(
          ['plans', name, 'limits', i, 'per'],
          `limits[${first}] is per ${limit?.per} too: remove one of the two.`,
        );
      }
    });
  }
  for (const field of ['default_plan', 'anonymous_plan'] as const) {
    const name = settings[field];
    if (typeof name !== 'string' || name === '' || Object.hasOwn(plans, name)) continue;
    const known = names.length === 0 ? ' There are none.' : ` There are: ${names.slice(0, 20).join(', ')}.`;
    report([field], `There is no such plan in plans.${didYouMean(name, names) || known}`);
  }
}

const plansMax = 1_000;
