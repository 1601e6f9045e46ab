import { expect, onTestFinished, test } from 'vitest';
import { findViolationsByScheme } from './find-violations.ts';
import { useChromium } from './use-chromium.ts';

const browser = useChromium();

test.each(['light', 'dark'] as const)('finds a contrast that is too low only in the %s scheme', async (scheme) => {
  const page = await browser().newPage({ colorScheme: 'light' });
  onTestFinished(() => page.close());
  await page.setContent(`<!doctype html><html lang="en"><title>Contrast</title>
    <style>p { color: #000; background: #fff } @media (prefers-color-scheme: ${scheme}) { p { color: #ddd } }</style>
    <main><p>Text</p></main></html>`);
  const { [scheme]: low, ...other } = await findViolationsByScheme(page);
  expect(low?.map(({ rule }) => rule)).toEqual(['color-contrast']);
  expect(Object.values(other)).toEqual([[]]);
});
