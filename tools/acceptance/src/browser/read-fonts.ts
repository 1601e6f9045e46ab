import type { Page } from 'playwright-core';

/** Returns the fonts of all visible texts and controls, each once. */
export function readFonts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const hasText = (at) => [...at.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    const written = [...document.querySelectorAll('body *')].filter(
      (at) => (hasText(at) || at.matches('input, select, textarea')) && at.checkVisibility(),
    );
    return [...new Set(written.map((at) => getComputedStyle(at).fontFamily))].sort();
  })()`);
}

/** Returns the fonts of the design: for text and for code. */
export function readDesignFonts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const root = getComputedStyle(document.documentElement);
    return [root.getPropertyValue('--sans'), root.getPropertyValue('--mono')].sort();
  })()`);
}
