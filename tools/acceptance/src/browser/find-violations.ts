import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** An accessibility rule that a page violates, with the first places. */
export interface Violation {
  readonly rule: string;
  readonly impact: string;
  readonly nodes: readonly string[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the serious and critical axe violations of a page after its animations have ended. */
export async function findViolations(page: Page): Promise<readonly Violation[]> {
  // Through the debugger, because the policy of the page rejects other scripts.
  await page.evaluate(axe);
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
