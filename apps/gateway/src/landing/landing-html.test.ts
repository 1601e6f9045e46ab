import { parseEndpoints } from '@rostergate/endpoints';
import { describe, expect, it } from 'vitest';
import { createServedDocument } from '../served-document.ts';
import { describeBuiltInServices } from '../services/index.ts';
import { readSettings } from '../settings.ts';
import { createLandingHtml } from './landing-html.ts';

function createPage(...endpoints: object[]): string {
  const parsed = parseEndpoints({ endpoints }, describeBuiltInServices());
  const document = createServedDocument(readSettings({ env: {} }), parsed.endpoints);
  return createLandingHtml({ document, endpoints: parsed.endpoints, origin: 'http://127.0.0.1:8000' });
}

describe('createLandingHtml', () => {
  it('shows each endpoint with a line that can be copied, and whether it needs a key', () => {
    const html = createPage(
      { path: '/open', service: 'crypto' },
      { path: '/keyed', service: 'crypto', requires_auth: true },
    );
    expect(html).toContain('curl &#39;http://127.0.0.1:8000/open?symbol=ETH&#39;');
    expect(html.match(/needs a key/g)).toHaveLength(1);
  });

  it('writes nothing of the configuration as markup', () => {
    const evil = '<img src=x onerror=alert(1)>"\'';
    const html = createPage({ path: '/a', service: 'crypto', summary: evil, description: `${evil}!`, tags: [evil] });
    expect(html).not.toContain('<img src=x');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;');
  });

  it('can be used without sight or mouse: landmarks, one heading of the first level, named controls', () => {
    const html = createPage({ path: '/open', service: 'crypto' });
    expect(html).toContain('<html lang="en">');
    expect(html.match(/<h1>/g)).toHaveLength(1);
    for (const tag of ['<main>', '<header>', '<nav aria-label=']) expect(html).toContain(tag);
    for (const [button] of html.matchAll(/<button[^>]*class="copy"[^>]*>/g)) expect(button).toContain('aria-label=');
    expect(html).toContain('<label for="key">');
    expect(html).toContain('href="#endpoints"');
  });

  it('says what to do when nothing is configured', () => {
    expect(createPage()).toContain('Add one to endpoints.json');
  });
});
