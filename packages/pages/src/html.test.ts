import { describe, expect, it } from 'vitest';
import { createProse, html } from './html.ts';

describe('html', () => {
  it('escapes values in text and attributes, and keeps its own markup', () => {
    const evil = `<img src=x onerror=alert(1)>"'&`;
    const inner = html`<b title="${evil}">${evil}</b>`;
    const escaped = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;';
    expect(String(html`<p>${inner}</p>`)).toBe(`<p><b title="${escaped}">${escaped}</b></p>`);
  });

  it('joins lists and leaves out absent values', () => {
    expect(String(html`${[html`<i>`, 'a<', 1]}${false}${null}${undefined}${0}`)).toBe('<i>a&lt;10');
  });
});

describe('createProse', () => {
  it('renders only code spans', () => {
    expect(String(createProse('Send `X-API-Key: <key>`, **now**.'))).toBe(
      'Send <code>X-API-Key: &lt;key&gt;</code>, **now**.',
    );
  });
});
