import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../database.ts';
import { connectOldServer } from '../promises/old-server/old-server.ts';
import { startScheduling } from '../scheduling-process.ts';
import { companyKey } from '../staff/callers.ts';

test('writes of a server of the previous version are read at once, and after a restart', async () => {
  const database = await createDatabase();
  let server = await startScheduling({ database });
  const old = await connectOldServer(database.env, companyKey);
  onTestFinished(async () => {
    await old.close();
    await server.stop();
    await database.drop();
  });
  const list = `/v2/staffmember?companyKey=${companyKey}&$expand=Tags`;
  const { body: people } = await server.callAs('admin', list);
  const key = String(people[0].StaffKey);
  await old.setCity(key, 'Bern');
  await old.addTag(key);
  const added = randomUUID();
  await old.create('added-by-the-previous-version', added);

  const look = async () => {
    const one = await server.callAs('admin', `/v2/staffmember/${key}?$expand=Tags`);
    const { body: all } = await server.callAs('admin', list);
    const selected = await server.callAs('admin', `${list}&$select=${Object.keys(people[0]).join(',')}`);
    expect([one.status, one.body.City]).toEqual([200, 'Bern']);
    expect(all).toEqual(selected.body);
    expect(all.map(({ StaffKey }: { StaffKey: string }) => StaffKey)).toContain(added);
    expect(one.body).toEqual(all.find(({ StaffKey }: { StaffKey: string }) => StaffKey === key));
  };
  await look();
  await server.stop();
  server = await startScheduling({ database });
  await look();
});
