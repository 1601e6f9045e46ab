import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

export type Scheme = 'light' | 'dark';

export interface OpenedPage {
  readonly page: Page;
  /**
   * Faults of any page: errors and warnings on the console, exceptions, requests to another origin, violations of the
   * Content-Security-Policy.
   */
  readonly faults: readonly string[];
  /** Every request of the page, in order. */
  readonly requests: readonly string[];
}

export interface OpenOptions extends BrowserContextOptions {
  /** Statuses that a test causes on purpose; the browser logs each 4xx. */
  readonly expectedStatuses?: readonly number[];
}

/** Opens a page as a new visitor; closed when the test ends. */
export async function openPage(browser: Browser, url: string, options: OpenOptions = {}): Promise<OpenedPage> {
  const { expectedStatuses = [], ...contextOptions } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...contextOptions });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  // Below the timeout of a test, so that the error names the missing element.
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  const requests: string[] = [];
  const { origin } = new URL(url);
  const isExpected = (text: string) => expectedStatuses.some((status) => text.includes(`status of ${status} `));
  page.on('console', (message) => {
    const isFault = ['error', 'warning'].includes(message.type()) && !isExpected(message.text());
    if (isFault) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    requests.push(request.url());
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) {
      faults.push(`another origin: ${request.url()}`);
    }
  });
  await page.exposeFunction('reportViolation', (text: string) => faults.push(`policy: ${text}`));
  await page.addInitScript({ content: reportViolations });
  await page.goto(url);
  return { page, faults, requests };
}

/**
 * Types into a field from within the page: a busy machine may delay keys from outside for longer than the page waits
 * for the next one.
 */
export async function typeText(page: Page, selector: string, text: string): Promise<void> {
  await page.evaluate(`(async () => {
    const field = document.querySelector(${JSON.stringify(selector)});
    for (const letter of ${JSON.stringify(text)}) {
      field.value += letter;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })()`);
}

/** Resolves once the page has handled what came before: it has drawn two more frames. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}

/** Runs in the page. */
const reportViolations = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
  reportViolation([violatedDirective, blockedURI, sample].join(' '));
})`;
