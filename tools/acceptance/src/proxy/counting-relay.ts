import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AtEnd } from '../at-end.ts';
import { startListener } from '../start-listener.ts';
import { whenTestEnds } from '../when-test-ends.ts';

export interface CountingRelay {
  readonly url: string;
  /** Method and address of all that came but logins and health, in order. */
  readonly seen: string[];
  /** Called when a request has come; it is passed on when the promise resolves. */
  beforeSending: (seen: string) => Promise<void> | void;
  /** Whether the answer is cut off instead of being passed on. */
  isLost: (seen: string) => boolean;
}

/** By what was sent: checking a password takes the server a quarter of a second, on purpose, and each proxy logs in. */
const logins = new Map<string, Promise<Response>>();

/** Stands between a proxy and a server: counts what is asked, holds or loses what the test says, and logs in once. */
export async function startCountingRelay(target: string, atEnd: AtEnd = whenTestEnds): Promise<CountingRelay> {
  const seen: string[] = [];
  const relay = { seen, beforeSending: () => {}, isLost: () => false } as Omit<CountingRelay, 'url'> as CountingRelay;
  const listener = await startListener(async (req, res) => {
    const { method = '', url = '', headers } = req;
    const what = `${method} ${url}`;
    if (url === '/v2/login') {
      const answer = (await logIn(target + url, String(headers['content-type']), await text(req))).clone();
      res.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' });
      res.end(await answer.text());
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
    const [answer] = (await once(outgoing, 'response').catch(() => [])) as [IncomingMessage?];
    if (answer === undefined || (isCounted && relay.isLost(what))) {
      answer?.resume();
      if (answer !== undefined) await once(answer, 'end');
      req.socket.destroy();
      return;
    }
    res.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.on('error', () => res.destroy()).pipe(res);
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
