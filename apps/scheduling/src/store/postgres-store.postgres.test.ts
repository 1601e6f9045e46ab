import { openTestStore } from '../../test/open-test-store.ts';
import { describeStaffStore } from './staff-store.contract.ts';

describeStaffStore('PostgreSQL', async (settings) => (await openTestStore(settings)).store);
