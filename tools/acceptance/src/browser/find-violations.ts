import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { nextFrames, type Scheme } from './open-page.ts';

/** An accessibility rule that a page violates, with the first places. */
export interface Violation {
  readonly rule: string;
  readonly impact: string;
  readonly nodes: readonly string[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Disables the rules whose violations are never serious: the impact of a rule is that of all its violations. */
const skipMinorRules = `;for (const rule of axe._audit.rules) {
  if (rule.impact === 'minor' || rule.impact === 'moderate') rule.enabled = false;
}`;

/**
 * Returns the violations of a page in its colour scheme and in the other one, in which it leaves the page.
 * @param drawn selects elements that the page may draw again for the other scheme
 */
export async function findViolationsByScheme(
  page: Page,
  drawn = 'body',
): Promise<Readonly<Partial<Record<Scheme, readonly Violation[]>>>> {
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const [first, second]: readonly [Scheme, Scheme] = isDark ? ['dark', 'light'] : ['light', 'dark'];
  const inFirst = await findViolations(page);
  const count = await page.locator(drawn).count();
  await page.emulateMedia({ colorScheme: second });
  await nextFrames(page);
  await expect.poll(() => page.locator(drawn).count()).toBeGreaterThanOrEqual(count);
  return { [first]: inFirst, [second]: await findViolations(page) };
}

/** Returns the serious and critical axe violations of a page after its animations have ended. */
export async function findViolations(page: Page): Promise<readonly Violation[]> {
  // Through the debugger, because the policy of the page rejects other scripts.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe + skipMinorRules);
  // During a transition, a colour is neither the old nor the new one.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
    .map((animation) => animation.finished))`);
  const { violations } = await page.evaluate<AxeReport>("axe.run({ resultTypes: ['violations'] })");
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, nodes }) => ({
      rule: id,
      impact,
      nodes: nodes.slice(0, 5).map((node) => `${node.target.join(' ')}: ${node.failureSummary.split('\n')[1]?.trim()}`),
    }));
}

interface AxeReport {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
  }[];
}
