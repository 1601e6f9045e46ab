import { expect, inject, test } from 'vitest';
import { createDatabase } from '../database.ts';
import { askAs, logIn } from '../promises/ask-as.ts';
import { tryHiddenParts } from '../promises/try-hidden-parts.ts';
import { startScheduling } from '../scheduling-process.ts';
import { whenTestEnds } from '../when-test-ends.ts';

test('rule nothing hidden through the proxy: a key without the scope reads no tag, skill or profile', async () => {
  const database = await createDatabase();
  whenTestEnds(database.drop);
  const scheduling = await startScheduling({ database });
  whenTestEnds(scheduling.stop);
  const { credentials } = inject('servers');
  const { SCHEDULING_ADMIN_EMAIL: email, SCHEDULING_ADMIN_PASSWORD: password } = credentials;
  const admin = askAs(scheduling.url, await logIn(scheduling.url, email, password));
  const trial = { apiUrl: scheduling.url, database, credentials, admin, people: 1, atEnd: whenTestEnds };
  const { disclosed, differing, shownToAdmins, attempts } = await tryHiddenParts(trial);
  expect(disclosed).toEqual([]);
  expect(differing).toEqual([]);
  expect(shownToAdmins).toBeGreaterThan(50);
  expect(attempts).toBeGreaterThan(1_000);
});
