import { Problem } from '@rostergate/server/problem';
import { plainQuery } from '../src/staff-query.ts';
import { versionTag } from '../src/store/person-version.ts';
import { openSqliteStore } from '../src/store/sqlite-store.ts';

/** A separate process: raises RegHours of one person by one, this many times, each on the version that it has read. */
const [file = '', staffKey = '', times = '0'] = process.argv.slice(2);
/** Nothing was written: the version has changed, or the others kept the lock for too long. */
const rejections: readonly string[] = ['precondition_failed', 'unavailable'];
const scope = { companyKey: 'demo', isAdmin: true, account: 'a', requestId: 'r', operation: 'test' };
const { store } = await openSqliteStore({ file });
let rejected = 0;
for (let done = 0; done < Number(times); ) {
  const { json, ...version } = await store.readStaff(scope, staffKey, plainQuery);
  const { RegHours } = JSON.parse(json) as { RegHours: number | null };
  const body = { RegHours: (RegHours ?? 0) + 1 };
  try {
    await store.updateStaff({ ...scope, ifMatch: [versionTag(version)] }, staffKey, body);
    done++;
  } catch (error) {
    if (!(error instanceof Problem) || !rejections.includes(error.code)) throw error;
    rejected++;
  }
}
await store.close();
process.stdout.write(String(rejected));
