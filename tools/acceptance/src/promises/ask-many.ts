import { Agent } from 'node:http';
import { type AskOptions, askOnce, type Reply } from './ask-once.ts';

export interface ManyOptions {
  readonly count: number;
  /** On so many kept connections. */
  readonly abreast: number;
  readonly ask: (n: number) => AskOptions & { readonly url: string };
}

/** Asks so often, so many at a time; the replies in the order in which they were asked for. */
export async function askMany({ count, abreast, ask }: ManyOptions): Promise<Reply[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: abreast });
  const replies: Reply[] = [];
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < count; n = next++) {
      const { url, ...options } = ask(n);
      replies[n] = await askOnce(url, { agent, ...options });
    }
  };
  await Promise.all(Array.from({ length: abreast }, lane));
  agent.destroy();
  return replies;
}

/** How often each status was answered. */
export function countStatuses(replies: readonly Reply[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
