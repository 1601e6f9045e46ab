import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createDatabase } from '../database.ts';
import { startScheduling } from '../scheduling-process.ts';
import { pathOf } from '../staff/callers.ts';

/** The promise of acknowledged writes kills more often, on both databases. */
const killsMax = Number(process.env.ACCEPTANCE_KILLS ?? 2);

test('acknowledged writes survive kills of the server in the middle of writes', async () => {
  const database = await createDatabase();
  const env = { ROSTERGATE_SCHEDULING_SEED: 'none' };
  const acknowledged: { StaffKey: string; City: string }[] = [];
  for (let kills = 0; kills < killsMax; kills++) {
    const server = await startScheduling({ database, env });
    const enough = Promise.withResolvers<void>();
    const write = async (writer: number) => {
      for (let i = 0; ; i++) {
        const json = { StaffId: `killed-${kills}-${writer}-${i}`, City: 'Oslo' };
        const created = await server.callAs('admin', '/v2/staffmember', { method: 'POST', json });
        const changed = { StaffKey: created.body.StaffKey, City: `Bergen ${i}` };
        acknowledged.push({ StaffKey: created.body.StaffKey, City: 'Oslo' });
        await server.callAs('admin', pathOf(changed), { method: 'PUT', json: { City: changed.City } });
        acknowledged.push(changed);
        if (acknowledged.length >= 40 * (kills + 1)) enough.resolve();
      }
    };
    // Each writes until its server has ended.
    const writers = [0, 1, 2, 3].map((writer) => write(writer).catch(() => undefined));
    await enough.promise;
    const ended = once(server.child, 'exit');
    server.child.kill('SIGKILL');
    await ended;
    await Promise.all(writers);
    await server.stop();
  }

  const server = await startScheduling({ database, env });
  const last = new Map(acknowledged.map(({ StaffKey, City }) => [StaffKey, City]));
  expect(acknowledged.length).toBeGreaterThanOrEqual(40 * killsMax);
  for (const [StaffKey, City] of last) {
    const { status, body } = await server.callAs('reader', pathOf({ StaffKey }));
    expect(status).toBe(200);
    // A change whose response was lost may have been made.
    if (body.City !== City) expect([City, body.City]).toEqual(['Oslo', expect.stringMatching(/^Bergen/)]);
  }
  await server.stop();
  await database.drop();
}, 300_000);
