import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AtEnd } from '../at-end.ts';

export interface HoldingUpstream {
  readonly url: string;
  /** How many wait for their answer. */
  held(): number;
  /** Answers all that wait. */
  release(): void;
}

/** Answers nobody until it is told to, and then as JSON. */
export async function startHoldingUpstream(
  atEnd: AtEnd,
  answerTo: (req: IncomingMessage) => unknown,
): Promise<HoldingUpstream> {
  let held: (() => void)[] = [];
  const answer = (res: ServerResponse, value: unknown) =>
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  const server = createServer((req, res) => {
    const value = answerTo(req);
    held.push(() => answer(res, value));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: () => held.length,
    release() {
      const all = held;
      held = [];
      for (const one of all) one();
    },
  };
}
