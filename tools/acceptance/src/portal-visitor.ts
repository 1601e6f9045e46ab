import { plainFetch } from './plain-fetch.ts';

type FetchPortal = (url: URL, init: RequestInit) => Promise<Response>;

/** A person with a browser without scripts: it keeps cookies by origin and follows redirects. */
export class PortalVisitor {
  readonly cookies = new Map<string, Map<string, string>>();
  readonly #portal: string;
  readonly #fetchPortal: FetchPortal;

  /**
   * @param gatewayUrl where the portal is
   * @param fetchPortal sends the requests to the portal, for callers that check its responses
   */
  constructor(gatewayUrl: string, fetchPortal: FetchPortal = plainFetch) {
    this.#portal = gatewayUrl;
    this.#fetchPortal = fetchPortal;
  }

  /** Sends one request with the cookies of its origin. */
  async send(url: string, options: RequestInit & { readonly headers?: Record<string, string> } = {}) {
    const { origin } = new URL(url);
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const headers = { Accept: 'text/html', ...(cookie === '' ? {} : { Cookie: cookie }), ...options.headers };
    const fetchFrom = origin === this.#portal ? this.#fetchPortal : plainFetch;
    const response = await fetchFrom(new URL(url), { redirect: 'manual', ...options, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  get(path: string, headers: Record<string, string> = {}) {
    return this.send(this.#portal + path, { headers });
  }

  /** Submits a form of the portal as a browser does. */
  post(path: string, fields: Record<string, string> | string[][] = {}, headers: Record<string, string> = {}) {
    return this.send(this.#portal + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { Origin: this.#portal, 'Sec-Fetch-Site': 'same-origin', ...headers },
    });
  }

  /**
   * Goes to the issuer and signs in there; returns the address of the callback, which is not visited. `more` replaces
   * parameters of the request to the issuer.
   */
  async authorize(login: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
    const begun = await this.get('/portal/sign-in');
    const asked = new URL(begun.headers.get('Location') ?? '');
    for (const [name, value] of Object.entries(more)) asked.searchParams.set(name, value);
    let location = asked.href;
    for (let left = 12; left > 0 && !location.startsWith(`${this.#portal}/portal/callback`); left--) {
      const response = await this.send(location);
      const next = response.headers.get('Location');
      if (next !== null) {
        location = new URL(next, location).href;
        continue;
      }
      const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(await response.text()) ?? [];
      const body = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) });
      const submitted = await this.send(location, { method: 'POST', body });
      location = new URL(submitted.headers.get('Location') ?? '', location).href;
    }
    return location;
  }

  async signIn(login: string): Promise<void> {
    const done = await this.send(await this.authorize(login));
    if (done.status !== 303) throw new Error(`The sign-in failed with ${done.status}: ${await done.text()}`);
  }

  /** Creates a key; returns it with its name in the store. */
  async createKey(name: string, more: string[][] = []): Promise<{ readonly key: string; readonly name: string }> {
    const response = await this.post('/portal/keys', [['name', name], ...more]);
    const text = await response.text();
    const [, key = ''] = /aria-label="key"><code>([^<]+)/.exec(text) ?? [];
    const [, stored = ''] = new RegExp(`/portal/keys/([0-9a-f]{12}\\.${name})/revoke`).exec(text) ?? [];
    if (response.status !== 201) throw new Error(`No key was created: ${response.status} ${text}`);
    return { key, name: stored };
  }
}
