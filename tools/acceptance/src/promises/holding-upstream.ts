import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AtEnd } from '../at-end.ts';
import { startListener } from '../start-listener.ts';

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
  const { url, stop } = await startListener((req, res) => {
    const value = answerTo(req);
    held.push(() => answer(res, value));
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
