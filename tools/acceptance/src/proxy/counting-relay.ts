import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AtEnd } from '../at-end.ts';
import { startListener } from '../start-listener.ts';
import { whenTestEnds } from '../when-test-ends.ts';

export interface CountingRelay {
  readonly url: string;
  /** Method and URL of all requests in order, without logins and health checks. */
  readonly seen: string[];
  /** Called for each request, which is forwarded when the promise resolves. */
  beforeSending: (seen: string) => Promise<void> | void;
  /** Whether the response is cut off instead of being forwarded. */
  isLost: (seen: string) => boolean;
}

/** Logins by their request, because a check of a password takes a quarter of a second and each proxy logs in. */
const logins = new Map<string, Promise<Response>>();

/** Starts a relay between a proxy and a server that counts, delays or drops requests and logs in once. */
export async function startCountingRelay(target: string, atEnd: AtEnd = whenTestEnds): Promise<CountingRelay> {
  const seen: string[] = [];
  const relay = { seen, beforeSending: () => {}, isLost: () => false } as Omit<CountingRelay, 'url'> as CountingRelay;
  const listener = await startListener(async (req, res) => {
    const { method = '', url = '', headers } = req;
    const what = `${method} ${url}`;
    if (url === '/v2/login') {
      const response = (await logIn(target + url, String(headers['content-type']), await text(req))).clone();
      res.writeHead(response.status, { 'Content-Type': response.headers.get('content-type') ?? '' });
      res.end(await response.text());
      return;
    }
    const isCounted = url.startsWith('/v2/');
    if (isCounted) {
      seen.push(what);
      await relay.beforeSending(what);
    }
    const outgoing = request(target + url, { method, headers, agent: false });
    req.pipe(outgoing);
    res.on('close', () => outgoing.destroy());
    const [response] = (await once(outgoing, 'response').catch(() => [])) as [IncomingMessage?];
    if (response === undefined || (isCounted && relay.isLost(what))) {
      response?.resume();
      if (response !== undefined) await once(response, 'end');
      req.socket.destroy();
      return;
    }
    res.writeHead(response.statusCode ?? 500, response.headers);
    response.on('error', () => res.destroy()).pipe(res);
  });
  atEnd(listener.stop);
  return Object.assign(relay, { url: listener.url });
}

function logIn(url: string, type: string, body: string): Promise<Response> {
  const key = `${url} ${body}`;
  const known = logins.get(key) ?? fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body });
  logins.set(key, known);
  return known;
}
