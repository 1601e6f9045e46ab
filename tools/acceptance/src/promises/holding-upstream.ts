import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AtEnd } from '../at-end.ts';
import { startListener } from '../start-listener.ts';

export interface HoldingUpstream {
  readonly url: string;
  /** Returns the number of waiting requests. */
  held(): number;
  /** Responds to all waiting requests. */
  release(): void;
}

/** Starts an upstream that holds its JSON responses until they are released. */
export async function startHoldingUpstream(
  atEnd: AtEnd,
  responseTo: (req: IncomingMessage) => unknown,
): Promise<HoldingUpstream> {
  let held: (() => void)[] = [];
  const respond = (res: ServerResponse, value: unknown) =>
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  const { url, stop } = await startListener((req, res) => {
    const value = responseTo(req);
    held.push(() => respond(res, value));
  });
  atEnd(stop);
  return {
    url,
    held: () => held.length,
    release() {
      const all = held;
      held = [];
      for (const one of all) one();
    },
  };
}
