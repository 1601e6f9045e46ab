import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startPostgres } from '../../../../tools/workspace/start-postgres.ts';
import { openKeyStore } from '../../src/key-store/open-key-store.ts';

/** Starts a process that creates keys; `acknowledged` gets their names. */
async function startWriter(url: string, prefix: string, acknowledged: Set<string>): Promise<ChildProcess> {
  const child = fork(new URL('key-writer.ts', import.meta.url), {
    execArgv: ['--conditions=source'],
    // It fails when the database is killed.
    silent: true,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.on('message', (name: string) => acknowledged.add(name));
  child.send({ url, prefix });
  await once(child, 'message');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}

it('loses no acknowledged key when writers and then the database are killed during writes', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.close());
  const acknowledged = new Set<string>();
  const first = await startWriter(postgres.url, 'first', acknowledged);
  await startWriter(postgres.url, 'second', acknowledged);
  await wait(100);
  await end(first);
  const before = acknowledged.size;
  const third = await startWriter(postgres.url, 'third', acknowledged);
  expect(acknowledged.size, 'a killed writer stops no other').toBeGreaterThan(before);
  await wait(100);
  await postgres.stop();
  await end(third);
  await postgres.start();

  const store = await openKeyStore({ key_store_url: postgres.url, redis_prefix: '' });
  onTestFinished(() => store.close());
  const { keys } = await store.list();
  const stored = new Set(keys.map(({ name }) => name));
  expect([...acknowledged].filter((name) => !stored.has(name))).toEqual([]);
  const trail = (await store.audit(100_000)) ?? [];
  expect(new Set(trail.map(({ name }) => name))).toEqual(stored);
});
