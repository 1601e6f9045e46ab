import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** One rule of accessibility that a page breaks, with the first places where it does. */
export interface Violation {
  readonly rule: string;
  readonly impact: string;
  readonly nodes: readonly string[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Judges a page as it is shown, once nothing moves any more, by axe's rules; only what is serious or critical. */
export async function findViolations(page: Page): Promise<readonly Violation[]> {
  // Through the debugger: the page's own policy would refuse a script of ours.
  await page.evaluate(axe);
  // A colour on its way to another is neither of the two.
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
