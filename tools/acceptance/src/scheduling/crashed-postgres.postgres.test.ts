import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../../workspace/start-postgres.ts';
import { createPostgresDatabase } from '../database.ts';
import { pollUntil } from '../poll-until.ts';
import { startScheduling } from '../scheduling-process.ts';
import { pathOf } from '../staff/callers.ts';

const crashesMax = 3;

test('what was answered is kept, though PostgreSQL crashes in the middle of writes, and the server goes on', async () => {
  const postgres = await startPostgres();
  const database = await createPostgresDatabase(postgres.url);
  const server = await startScheduling({ database, env: { ROSTERGATE_SCHEDULING_SEED: 'none' } });
  onTestFinished(async () => {
    await server.stop();
    await postgres.close();
  });
  const answered: { StaffKey: string }[] = [];
  const refused = new Set<string>();
  let isOver = false;
  const write = async (writer: number) => {
    for (let i = 0; !isOver; i++) {
      const json = { StaffId: `crash-${writer}-${i}` };
      const { status, body } = await server.callAs('admin', '/v2/staffmember', { method: 'POST', json });
      if (status === 201) answered.push(body);
      else refused.add(`${status} ${body.code}`);
    }
  };
  const answers = async (count: number) => {
    const enough = answered.length + count;
    const describe = () => `only ${answered.length} of ${enough} writes were answered:\n${server.output()}`;
    await pollUntil(async () => answered.length >= enough, { withinMs: 30_000, describe });
  };
  // Whoever was logged in before stays so.
  await server.callAs('admin', '/v2/staffmember/nobody');
  const writers = [0, 1, 2, 3].map(write);
  for (let crashes = 0; crashes < crashesMax; crashes++) {
    await answers(20);
    await postgres.stop();
    await postgres.start();
  }
  await answers(20);
  isOver = true;
  await Promise.all(writers);

  expect(refused).toEqual(new Set(['503 unavailable']));
  for (const person of answered) {
    const { status, body } = await server.callAs('reader', pathOf(person));
    expect([status, body]).toEqual([200, person]);
  }
}, 120_000);
