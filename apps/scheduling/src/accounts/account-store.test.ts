import { openTestStore } from '../../test/open-test-store.ts';
import { describeAccountStore } from './account-store.contract.ts';

describeAccountStore('SQLite', openTestStore);
