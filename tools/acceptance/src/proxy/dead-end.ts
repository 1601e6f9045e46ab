import { text } from 'node:stream/consumers';
import { startListener } from '../start-listener.ts';

/** An upstream at which nothing can be done: it logs its accounts in, and tells everything else that it got here. */
export interface DeadEnd {
  readonly url: string;
  /** E-mails that were logged in, in order. */
  readonly logins: readonly string[];
  /** All else but health, in order, as `GET /v2/staffmember?…`. */
  readonly arrived: readonly string[];
  /** Forgets what has been seen. */
  clear(): void;
  stop(): Promise<void>;
}

/** What the proxy answers when a request has reached the dead end. */
export const arrival = { status: 409, code: 'conflict' };

/** @param passwords of its accounts, by e-mail; a test may change them */
export async function startDeadEnd(passwords: Readonly<Record<string, string>>): Promise<DeadEnd> {
  const logins: string[] = [];
  const arrived: string[] = [];
  const listener = await startListener(async (req, res) => {
    const { method, url = '' } = req;
    const body = await text(req);
    const answer = (status: number, value: object) => {
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    };
    if (url.startsWith('/health')) return answer(200, { status: 'alive' });
    if (url !== '/v2/login') {
      arrived.push(`${method} ${url}`);
      return answer(409, { code: 'conflict', detail: 'It got here.' });
    }
    const form = new URLSearchParams(body);
    const email = form.get('email') ?? '';
    if (passwords[email] !== form.get('password')) return answer(401, { error: 'access_denied' });
    logins.push(email);
    return answer(200, { access_token: `token-of-${email}`, token_type: 'bearer', expires_in: '3600' });
  });
  return {
    ...listener,
    logins,
    arrived,
    clear() {
      logins.length = 0;
      arrived.length = 0;
    },
  };
}
