import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readOperationsOf } from '../../../contract/src/drift/read-operations-of.ts';
import type { OpenApiDocument } from '../../../contract/src/spec/openapi-document.ts';
import { startListener } from '../start-listener.ts';
import { findViolationsByScheme } from './find-violations.ts';
import { nextFrames, openPage } from './open-page.ts';
import { keys, usePagesGateway } from './pages-gateway.ts';
import { useChromium } from './use-chromium.ts';

const gateway = usePagesGateway();
const browser = useChromium();

const open = (options: Parameters<typeof openPage>[2] = {}) => openPage(browser(), `${gateway()}/`, options);

/** The visible rows, as `GET /path`. */
function rows(page: Page, where = '#endpoints'): Promise<string[]> {
  return page
    .locator(`${where} .row:not([hidden]) summary`)
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('.verb, .path')].map((part) => part.textContent).join(' ')),
    );
}

/** Copies the command of a part; waits from before the click for the word, which stays for two seconds. */
async function copyIn(page: Page, part: string): Promise<void> {
  const copied = page.locator(part).getByText('Copied').waitFor();
  await Promise.all([copied, page.locator(`${part} .copy`).click()]);
}

async function tryKey(page: Page, key: string): Promise<string> {
  await page.fill('#tester-key', key);
  await page.click('#tester button.main');
  await page.waitForSelector('#tester-verdict .verdict-title');
  return (await page.locator('#tester-verdict').textContent()) ?? '';
}

describe('the list', () => {
  test('matches /endpoints and, with the built-in operations, /openapi.json', async () => {
    const { page } = await open();
    const list = (await (await fetch(`${gateway()}/endpoints`)).json()) as {
      endpoints: { method: string; path: string }[];
    };
    const document = (await (await fetch(`${gateway()}/openapi.json`)).json()) as OpenApiDocument;
    const shown = await rows(page);
    expect(shown.toSorted()).toEqual(list.endpoints.map(({ method, path }) => `${method} ${path}`).sort());
    expect([...shown, ...(await rows(page, '#built-in'))].sort()).toEqual(
      [...readOperationsOf(document).values()].sort(),
    );
  });

  test('is filtered without a request when it is complete', async () => {
    const { page, requests } = await open();
    const before = requests.filter((url) => new URL(url).pathname === '/').length;
    await page.fill('#filter-q', 'post order');
    await expect.poll(() => page.locator('#endpoints-count').textContent()).toBe('1 of 7');
    expect(await rows(page)).toEqual(['POST /shop/v2/orders']);
    await page.fill('#filter-q', 'no such thing');
    await page.getByText('No matches').waitFor();
    await page.fill('#filter-q', '');
    await page.selectOption('#filter-tag', 'crypto');
    await expect.poll(() => page.locator('#endpoints-count').textContent()).toBe('2 of 7');
    expect(await rows(page)).toEqual(['GET /api/crypto', 'GET /api/crypto/{symbol}']);
    expect(requests.filter((url) => new URL(url).pathname === '/')).toHaveLength(before);
  });

  test('follows the base address and a first request that works', async () => {
    const { page } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    expect(await page.locator('#first p code').first().textContent()).toBe(gateway());
    await copyIn(page, '#first');
    const line = await page.evaluate<string>('navigator.clipboard.readText()');
    expect((await fetch(/'([^']+)'/.exec(line)?.[1] ?? '')).status).toBe(200);
    const places = await page.evaluate<number[]>(
      "['first', 'endpoints', 'tester-key', 'figures'].map((id) => document.getElementById(id).getBoundingClientRect().top)",
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('a row can be copied as a working curl command', async () => {
    const { page } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await copyIn(page, '#op-getApiHello');
    const line = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(line).toBe(`curl '${gateway()}/api/hello'`);
    expect((await fetch(/'([^']+)'/.exec(line)?.[1] ?? '')).status).toBe(200);
    await expect.poll(() => page.locator('#said').textContent()).toBe('Copied the curl command.');
  });
});

describe('the key tester', () => {
  test.each([
    [keys.ops, 'Valid key', ['ops', 'team-a', 'orders.read', 'orders.write']],
    [keys.reader, 'Valid key', ['reader', 'team-a', 'none']],
    [keys.expired, 'Expired key', []],
    ['nobody-has-this', 'Unknown key', ['Check the key']],
    ['two words', 'Not a key', []],
  ] as const)('reports for %s: %s', async (key, title, more) => {
    const { page, faults } = await open();
    const verdict = await tryKey(page, key);
    for (const text of [title, ...more]) expect(verdict).toContain(text);
    expect(await page.locator('#tester-verdict').getAttribute('role')).toBe('status');
    expect(faults).toEqual([]);
  });

  test('says that it checks a key until the response arrives', async () => {
    const { page } = await open();
    const released = Promise.withResolvers<void>();
    await page.route('**/auth/validate', async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.fill('#tester-key', keys.ops);
    await page.click('#tester button.main');
    await expect.poll(() => page.locator('#tester-verdict').innerHTML()).toBe('<p class="hint">Checking…</p>');
    released.resolve();
    await page.waitForSelector('#tester-verdict .verdict-title');
  });

  test('keeps the key only in memory: not in storage, address, cookies or markup; "Forget" removes it', async () => {
    const { page, requests } = await open();
    await tryKey(page, keys.ops);
    const stored = await page.evaluate<string>(
      'JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie + location.href + document.documentElement.outerHTML',
    );
    expect(stored).not.toContain(keys.ops);
    expect(requests.filter((url) => url.includes(keys.ops))).toEqual([]);
    await page.click('#tester-forget');
    expect(await page.inputValue('#tester-key')).toBe('');
    expect(await page.locator('#tester-verdict').innerHTML()).toBe('');
  });

  test('cancels a check when the key is forgotten, and shows only the result of the last key', async () => {
    const { page } = await open();
    await tryKey(page, keys.reader);
    const held: (() => Promise<void>)[] = [];
    await page.route('**/auth/validate', async (route) => {
      const response = await route.fetch();
      if (held.length === 2) return route.fulfill({ response });
      const released = Promise.withResolvers<void>();
      const fulfilled = released.promise.then(() => route.fulfill({ response }));
      held.push(async () => {
        released.resolve();
        await fulfilled;
        await nextFrames(page);
      });
    });
    const check = async (key: string) => {
      const asked = held.length;
      await page.fill('#tester-key', key);
      await page.click('#tester button.main');
      await expect.poll(() => held.length).toBe(asked + 1);
    };
    await check(keys.ops);
    await page.click('#tester-forget');
    await held[0]?.();
    expect(await page.locator('#tester-verdict').innerHTML()).toBe('');

    await check(keys.reader);
    await page.fill('#tester-key', keys.expired);
    await page.click('#tester button.main');
    await page.locator('#tester-verdict').getByText('Expired key').waitFor();
    await held[1]?.();
    expect(await page.locator('#tester-verdict').textContent()).toContain('Expired key');
  });

  test('has a password field without autocompletion, and reveals the key on demand', async () => {
    const { page } = await open();
    const stateOf = () =>
      Promise.all([page.getAttribute('#tester-key', 'type'), page.getAttribute('#tester-show', 'aria-pressed')]);
    expect(await page.getAttribute('#tester-key', 'autocomplete')).toBe('off');
    expect(await stateOf()).toEqual(['password', 'false']);
    await tryKey(page, keys.ops);
    await page.click('#tester-show');
    expect(await stateOf()).toEqual(['text', 'true']);
    expect(await page.inputValue('#tester-key')).toBe(keys.ops);
    await page.click('#tester-show');
    expect(await stateOf()).toEqual(['password', 'false']);
    await page.click('#tester-show');
    await page.click('#tester-forget');
    expect(await stateOf()).toEqual(['password', 'false']);
  });
});

describe('the charts', () => {
  test('follow the requests and have a text description', async () => {
    const { page } = await open();
    await expect.poll(() => page.locator('#figures-state').textContent()).toBe('Refreshes every 2 s');
    const call = () => fetch(`${gateway()}/api/hello`).then((reply) => reply.text());
    const label = () => page.locator('#chart-rate svg').getAttribute('aria-label');
    await expect
      .poll(
        async () => {
          for (let i = 0; i < 20; i++) await call();
          return label();
        },
        { timeout: 20_000, interval: 300 },
      )
      .toMatch(/^Requests, per second: [1-9][\d.]* now; peak [1-9]/);
    expect(await page.locator('#chart-rate .line').getAttribute('d')).toMatch(/^M[\d.]+ [\d.]+L/);
    expect(await page.locator('#chart-latency .value.p95').textContent()).toMatch(/\d/);
    await page.locator('#figures-routes summary').click();
    await page.getByRole('rowheader', { name: 'GET /api/hello' }).waitFor();
  });

  test('exclude the requests of the page itself, and give way to a text when there are none', async () => {
    const { page } = await open();
    await page.getByText('No requests in the last 3 minutes').waitFor();
    expect(await page.locator('#chart-rate .value').textContent()).toBe('0');
    expect(await page.locator('#charts').isVisible()).toBe(false);
    await fetch(`${gateway()}/api/hello`);
    await page.locator('#charts').waitFor();
    expect(await page.locator('#figures-empty').isVisible()).toBe(false);
  });

  test('send no requests while paused', async () => {
    const { page, requests } = await open();
    await page.click('#figures-pause');
    await expect.poll(() => page.locator('#figures-state').textContent()).toBe('Paused');
    const asked = () => requests.filter((url) => url.includes('/metrics')).length;
    const before = asked();
    await page.waitForTimeout(2_500);
    expect(asked()).toBe(before);
    await page.click('#figures-pause');
    await expect.poll(asked).toBeGreaterThan(before);
  });

  test('pause in a hidden tab', async () => {
    const { page, requests } = await open();
    await page.evaluate(
      "Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }); document.dispatchEvent(new Event('visibilitychange'))",
    );
    const asked = () => requests.filter((url) => /metrics|ready/.test(url)).length;
    const before = asked();
    await page.waitForTimeout(2_500);
    expect(asked()).toBe(before);
    await page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
    await expect.poll(asked).toBeGreaterThan(before);
  });
});

describe('with the keyboard', () => {
  test('reaches the skip link first and then every control in page order with a visible focus', async () => {
    const { page } = await open();
    const seen: string[] = [];
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate<{ name: string; outline: string }>(`(() => {
        const at = document.activeElement;
        const name = at === document.body ? 'body' : at.id || at.className || at.textContent.trim();
        return { name, outline: getComputedStyle(at).outlineStyle };
      })()`);
      if (focus.name === 'body') break;
      expect(focus.outline, focus.name).not.toBe('none');
      seen.push(focus.name);
    }
    expect(seen[0]).toBe('skip');
    const order = ['Overview', 'copy', 'filter-q', 'tester-key', '/openapi.json', 'figures-pause'];
    expect(order.map((name) => seen.indexOf(name))).toEqual(
      order.map((name) => seen.indexOf(name)).toSorted((a, b) => a - b),
    );
    for (const name of order) expect(seen).toContain(name);
  });

  test('the skip link leads to the endpoints, and Enter opens a row', async () => {
    const { page } = await open();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('endpoints');
    const command = page.locator('#op-getApiHello pre');
    // The browser may move the focus to the target of the link again, after a key for the row has been sent.
    await expect
      .poll(async () => {
        if (!(await command.isVisible())) await page.locator('#op-getApiHello summary').press('Enter');
        return command.isVisible();
      })
      .toBe(true);
  });
});

describe('the readiness', () => {
  test('is ready, and unreachable when the server has stopped', async () => {
    const { page } = await open();
    await page.waitForSelector('#readiness[data-state=ready]');
    await page.route('**/health/ready', (route) => route.abort());
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('Unreachable', { exact: true }).waitFor();
  });

  test('names the failing dependency', async () => {
    const { page } = await open({ expectedStatuses: [503] });
    await page.waitForSelector('#readiness[data-state=ready]');
    await page.route('**/health/ready', (route) =>
      route.fulfill({
        status: 503,
        json: { status: 'unavailable', dependencies: { configuration: { status: 'unavailable', reason: 'line 3' } } },
      }),
    );
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('configuration: line 3').waitFor();
    expect(await page.locator('#readiness-state').textContent()).toBe('Unavailable');
  });
});

test('has no serious or critical axe violations with everything unfolded and a key tried, in both colour schemes', async () => {
  const { page } = await open();
  await tryKey(page, keys.ops);
  await page.locator('#built-in > summary').click();
  await page.locator('#op-postShopV2Orders summary').click();
  expect(await findViolationsByScheme(page)).toEqual({ light: [], dark: [] });
  await tryKey(page, 'nobody-has-this');
  expect(await findViolationsByScheme(page)).toEqual({ light: [], dark: [] });
});

test('works without JavaScript: a list and a filter form, and no key in an address', async () => {
  const { page } = await open({ javaScriptEnabled: false });
  await page.fill('#filter-q', 'greeting');
  await page.click('#filter-go');
  // A click does not wait for the next page.
  await expect.poll(() => rows(page)).toEqual(['GET /api/hello']);
  expect(new URL(page.url()).searchParams.get('q')).toBe('greeting');
  expect(await page.locator('#tester').isVisible()).toBe(false);
});

test('has no motion when the user prefers reduced motion', async () => {
  const { page } = await open({ reducedMotion: 'reduce' });
  const moving = await page.evaluate<number>(
    "[...document.querySelectorAll('*')].filter((it) => getComputedStyle(it).transitionDuration !== '0s' || getComputedStyle(it).animationName !== 'none').length",
  );
  expect(moving).toBe(0);
});

test('prints the endpoints with their commands, without controls', async () => {
  const { page } = await open();
  await page.emulateMedia({ media: 'print' });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await page.locator('#op-getApiHello pre').isVisible()).toBe(true);
  for (const control of ['#filter', '#tester', '#figures', '.copy >> nth=0', '.bar']) {
    expect(await page.locator(control).isVisible(), control).toBe(false);
  }
});

test('works behind a proxy that adds a prefix', async () => {
  const target = new URL(gateway());
  const proxy = await startListener((incoming, outgoing) => {
    const path = incoming.url?.replace(/^\/inside/, '') ?? '/';
    fetch(new URL(path, target), { headers: { accept: incoming.headers.accept ?? '*/*' } }).then(async (reply) => {
      const {
        'content-encoding': _,
        'content-length': __,
        'transfer-encoding': ___,
        ...headers
      } = Object.fromEntries(reply.headers);
      outgoing.writeHead(reply.status, headers);
      outgoing.end(Buffer.from(await reply.arrayBuffer()));
    });
  });
  onTestFinished(proxy.stop);
  const base = `${proxy.url}/inside`;
  const { page, faults } = await openPage(browser(), `${base}/`);
  await page.waitForSelector('#readiness[data-state=ready]');
  expect(await page.locator('#op-getApiHello pre').textContent()).toBe(`curl '${base}/api/hello'`);
  await page.getByRole('link', { name: 'Swagger UI' }).click();
  await page.waitForSelector('.opblock');
  expect(faults).toEqual([]);
});
