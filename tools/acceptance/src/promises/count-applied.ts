import { pollUntil } from '../poll-until.ts';
import type { ServerProcess } from '../server-process.ts';

/** How often a server has said that it serves by what its files say now. */
export function countApplied({ log }: Pick<ServerProcess, 'log'>): number {
  return log.filter(({ msg }) => msg === 'configuration applied').length;
}

/** The same when it has said it so often, or after two seconds: what a server writes comes later than what it answers. */
export async function countAppliedUpTo(server: Pick<ServerProcess, 'log'>, times: number): Promise<number> {
  const isSaid = () => countApplied(server) >= times;
  await pollUntil(isSaid, { withinMs: 2_000, everyMs: 10, describe: () => '' }).catch(() => {});
  return countApplied(server);
}
