import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { openKeyStore } from '@rostergate/access/key-store';
import { type Figure, toFigure } from '../../../benchmark/src/figure.ts';
import { pollUntil } from '../poll-until.ts';
import type { Trial } from './define-promise.ts';
import type { AcknowledgedEdit } from './key-writer.ts';

/** The server of a key store, which can be killed and started again with its data. */
export interface KillableStore {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Kills one of two writers, or the key store, during edits; then reads all keys and who changed them. */
export async function killKeyWriters(name: string, server: KillableStore, trial: Trial): Promise<Figure[]> {
  const { byScale, random, atEnd, say } = trial;
  const kills = byScale({ ci: 4, full: 60 });
  const acknowledged: AcknowledgedEdit[] = [];
  let started = 0;
  const start = async (): Promise<ChildProcess> => {
    const child = fork(new URL('key-writer.ts', import.meta.url), { execArgv: ['--conditions=source'] });
    atEnd(() => end(child));
    child.on('message', (edit: AcknowledgedEdit) => acknowledged.push(edit));
    child.send({ url: server.url, prefix: `writer-${started++}` });
    await once(child, 'message');
    return child;
  };
  const untilMore = async () => {
    const wanted = acknowledged.length + 10;
    const describe = () => `keys are not accepted after a kill (${name})`;
    await pollUntil(() => acknowledged.length >= wanted, { withinMs: 30_000, everyMs: 5, describe });
  };

  let first = await start();
  const second = await start();
  for (let i = 1; i <= kills; i++) {
    await wait(random.next() * 250);
    if (i % 2 === 0) {
      await server.stop();
      await wait(50);
      await server.start();
      await untilMore();
    } else {
      await end(first);
      // A killed writer stops no other.
      await untilMore();
      first = await start();
    }
  }
  await Promise.all([first, second].map(end));

  const store = await openKeyStore({ key_store_url: server.url, redis_prefix: '' });
  atEnd(() => store.close());
  const { keys } = await store.list();
  const trail = (await store.audit(acknowledged.length * 2)) ?? [];
  say(`${name}: ${kills} kills, ${acknowledged.length} edits of keys acknowledged`);
  const stored = keys.flatMap(({ name: key, revoked_at }) => [
    `create ${key}`,
    ...(revoked_at === null ? [] : [`revoke ${key}`]),
  ]);
  const lost = differenceOf(acknowledged.map(toText), stored);
  const recorded = trail.map(toText);
  const partial = [...differenceOf(stored, recorded), ...differenceOf(recorded, stored)];
  return [
    toFigure({ name: `edits of keys lost with ${name}`, unit: '', max: 0 }, lost.length, lost[0]),
    toFigure({ name: `keys without audit or the reverse with ${name}`, unit: '', max: 0 }, partial.length, partial[0]),
    toFigure({ name: `edits of keys acknowledged with ${name}`, unit: '', min: kills * 10 }, acknowledged.length),
  ];
}

const toText = ({ action, name }: { readonly action: string; readonly name: string }) => `${action} ${name}`;

function differenceOf(texts: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return texts.filter((text) => !known.has(text));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
