import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenStore } from '../store/staff-store.ts';
import { demo, writer } from '../store/suite/store-kit.contract.ts';
import type { StoredAccount } from './account-store.ts';
import type { PasswordHash } from './password.ts';

const [first, second] = ['scrypt:first', 'scrypt:second'] as unknown as [PasswordHash, PasswordHash];
const entry = { email: 'Admin@Demo.example', companyKey: demo, isAdmin: true, password: first };

/** The behaviour of every account store. `open` returns an empty store. */
export function describeAccountStore(name: string, open: () => Promise<OpenStore>): void {
  describe(`${name}: accounts`, () => {
    let opened: OpenStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.store.close());
    const accounts = () => opened.accounts;
    const find = async (email = entry.email): Promise<StoredAccount> => {
      const found = await accounts().findByEmail(email);
      if (found === undefined) throw new Error(`There is no account ${email}.`);
      return found;
    };
    const save = (digest: string, stored: StoredAccount, expiresAtMs = 9_000, nowMs = 0, mark = 'aaaaaa') =>
      accounts().saveToken({ digest, stored, expiresAtMs, nowMs, mark });

    it('are found by email in any letter case, and updated by a changed entry of the accounts file', async () => {
      await accounts().applyFile([entry]);
      await accounts().applyFile([{ ...entry, email: 'admin@demo.example', password: second, isAdmin: false }]);
      const found = await accounts().findByEmail('ADMIN@demo.example');
      expect(found).toMatchObject({ password: second, account: { name: 'admin@demo.example', companyKey: demo } });
      expect(found?.account).toMatchObject({ isAdmin: false, scopes: [] });
      expect(await accounts().findByEmail('nobody@demo.example')).toBeUndefined();
    });

    it('are added once by concurrent calls, with a missing company', async () => {
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => accounts().add(entry)));
      expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([{ isNewCompany: true }]);
      expect(await accounts().add({ ...entry, email: 'b@demo.example' })).toEqual({ isNewCompany: false });
      expect(await accounts().listCompanies()).toEqual([demo]);
    });

    it('are listed by company and email in code point order', async () => {
      const emails = ['a@x.example', 'é@x.example', 'z@x.example', '_@x.example'];
      for (const email of emails) await accounts().add({ ...entry, email });
      await accounts().add({ ...entry, email: 'first@x.example', companyKey: 'B' });
      const listed = (await accounts().list()).map(({ email }) => email);
      expect(listed).toEqual(['first@x.example', '_@x.example', 'a@x.example', 'z@x.example', 'é@x.example']);
      expect(await accounts().list('B')).toEqual([
        { email: 'first@x.example', companyKey: 'B', isAdmin: true, isDisabled: false, lastLogin: null },
      ]);
    });

    it('store tokens by digest until they expire, and the time of the last login', async () => {
      await accounts().applyFile([entry]);
      const account = await find();
      await save('digest-1', account, 1_000.5);
      expect(await accounts().findToken('digest-1')).toMatchObject({
        ...{ account: { name: 'admin@demo.example' }, expiresAtMs: 1_000 },
      });
      await save('digest-2', account, 3_000, 2_000);
      expect(await accounts().findToken('digest-1')).toBeUndefined();
      expect((await accounts().list())[0]?.lastLogin).toBe('1970-01-01T00:00:02Z');
    });

    it('store tokens that expire after the year 2038', async () => {
      await accounts().applyFile([entry]);
      const expiresAtMs = Date.parse('2100-01-01T00:00:00Z');
      await save('digest-1', await find(), expiresAtMs);
      expect((await accounts().findToken('digest-1'))?.expiresAtMs).toBe(expiresAtMs);
    });

    it('store the tokens of many concurrent logins', async () => {
      await accounts().applyFile([entry]);
      const account = await find();
      for (let i = 0; i < 10; i++) await save(`old-${i}`, account, 1_000);
      await Promise.all(Array.from({ length: 20 }, (_, i) => save(`new-${i}`, account, 9_000, 5_000)));
      for (let i = 0; i < 20; i++) expect(await accounts().findToken(`new-${i}`)).toBeDefined();
      expect(await accounts().findToken('old-3')).toBeUndefined();
    });

    it('lose their tokens and cannot log in while disabled', async () => {
      await accounts().applyFile([entry]);
      await save('digest-1', await find());
      expect(await accounts().setDisabled('ADMIN@demo.example', true)).toMatchObject({ isDisabled: true });
      expect(await accounts().findToken('digest-1')).toBeUndefined();
      expect(await accounts().findByEmail(entry.email)).toBeUndefined();
      expect(await accounts().setDisabled(entry.email, false)).toMatchObject({ isDisabled: false });
      expect(await accounts().findByEmail(entry.email)).toBeDefined();
      expect(await accounts().findToken('digest-1')).toBeUndefined();
      expect(await accounts().setDisabled('nobody@demo.example', true)).toBeUndefined();
    });

    it('get a new password, which revokes the tokens of the old one', async () => {
      await accounts().applyFile([entry]);
      await save('digest-1', await find());
      expect(await accounts().setPassword(entry.email, second)).toBeDefined();
      expect((await accounts().findByEmail(entry.email))?.password).toBe(second);
      expect(await accounts().findToken('digest-1')).toBeUndefined();
      expect(await accounts().setPassword('nobody@demo.example', second)).toBeUndefined();
    });

    it('have an entry of the file applied once, and again only after a change', async () => {
      await accounts().applyFile([entry]);
      await save('digest-1', await find());
      await accounts().applyFile([{ ...entry, email: 'ADMIN@demo.example' }]);
      expect(await accounts().findToken('digest-1')).toBeDefined();
      await accounts().setPassword(entry.email, second);
      await accounts().applyFile([entry]);
      expect((await find()).password).toBe(second);
      await save('digest-2', await find());
      await accounts().applyFile([{ ...entry, isAdmin: false }]);
      expect(await find()).toMatchObject({ password: first, account: { isAdmin: false } });
      expect(await accounts().findToken('digest-2')).toBeUndefined();
    });

    it('take the first entry of the file that names them, and keep their tokens if it changes nothing', async () => {
      await accounts().add(entry);
      await save('digest-1', await find());
      await accounts().applyFile([entry]);
      expect(await accounts().findToken('digest-1')).toBeDefined();
      await accounts().add({ ...entry, email: 'b@demo.example' });
      const added = await find('b@demo.example');
      await accounts().applyFile([{ ...entry, email: 'b@demo.example', password: second }]);
      expect((await find('b@demo.example')).password).toBe(second);
      expect(await save('digest-2', added)).toBe(false);
    });

    it('have the file applied by many servers at once, in any order', async () => {
      const entries = ['a', 'b', 'c', 'd'].map((name) => ({ ...entry, email: `${name}@demo.example` }));
      const orders = Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? entries : entries.toReversed()));
      await Promise.all(orders.map((order) => accounts().applyFile(order)));
      expect(await accounts().list()).toHaveLength(4);
      const changed = orders.map((order) => order.map((one) => ({ ...one, password: second })));
      await Promise.all(changed.map((order) => accounts().applyFile(order)));
      expect((await find('c@demo.example')).revision).toBe(2);
    });

    it('reject a login that began before the password was replaced', async () => {
      await accounts().applyFile([entry]);
      const before = await find();
      await accounts().setPassword(entry.email, second);
      expect(await save('digest-1', before)).toBe(false);
      expect(await accounts().findToken('digest-1')).toBeUndefined();
      expect((await accounts().list())[0]?.lastLogin).toBeNull();
      expect(await save('digest-2', await find())).toBe(true);
    });

    it('reject a login that began before they were disabled, also after they are enabled', async () => {
      await accounts().applyFile([entry]);
      const before = await find();
      await accounts().setDisabled(entry.email, true);
      expect(await save('digest-1', before)).toBe(false);
      await accounts().setDisabled(entry.email, false);
      expect(await save('digest-2', before)).toBe(false);
    });

    it('leave no token valid, however logins and password changes interleave', async () => {
      await accounts().applyFile([entry]);
      for (let round = 0; round < 10; round++) {
        const before = await find();
        const logins = Array.from({ length: 8 }, (_, i) => save(`digest-${round}-${i}`, before));
        await Promise.all([...logins, accounts().setPassword(entry.email, round % 2 === 0 ? second : first)]);
        for (let i = 0; i < 8; i++) expect(await accounts().findToken(`digest-${round}-${i}`)).toBeUndefined();
      }
    });

    it('are changed and log in concurrently without errors', async () => {
      const entries = ['a', 'b', 'c', 'd'].map((name) => ({ ...entry, email: `${name}@demo.example` }));
      await accounts().applyFile(entries);
      const dayMs = 24 * 60 * 60_000;
      const emailOf = (i: number) => entries[i % entries.length]?.email as string;
      const work = async (worker: number) => {
        for (let i = 0; i < 20; i++) {
          const email = emailOf(worker * 3 + i);
          if (worker === 0) await accounts().setPassword(email, i % 2 === 0 ? second : first);
          else if (worker === 1) await accounts().applyFile(entries.map((one) => ({ ...one, isAdmin: i % 2 === 0 })));
          // Short lifetimes, so that every login deletes tokens and addresses of other accounts.
          else await save(`${worker}-${i}`, await find(email), i * dayMs + 1, i * dayMs, `mark${worker}`);
        }
      };
      await Promise.all(Array.from({ length: 12 }, (_, worker) => work(worker)));
      expect(await accounts().list()).toHaveLength(4);
    });

    it('keep their tokens and logins when enabled without having been disabled', async () => {
      await accounts().applyFile([entry]);
      const before = await find();
      await save('digest-1', before);
      await accounts().setDisabled(entry.email, false);
      expect(await save('digest-2', before)).toBe(true);
      expect(await accounts().findToken('digest-1')).toBeDefined();
    });

    it('remember the addresses of their logins for 24 hours, separately per account', async () => {
      await accounts().applyFile([entry, { ...entry, email: 'b@demo.example' }]);
      await save('digest-1', await find(), 9_000, 1_000, 'abcdef');
      const dayMs = 24 * 60 * 60_000;
      const isKnown = (mark: string, nowMs: number, email = 'ADMIN@demo.example') =>
        accounts().isKnownAddress(email, mark, nowMs);
      expect([await isKnown('abcdef', 1_000.5), await isKnown('abcdef', dayMs + 999.5)]).toEqual([true, true]);
      expect(await isKnown('abcdef', dayMs + 1_000)).toBe(false);
      expect([await isKnown('abcdee', 1_000), await isKnown('abcdef', 1_000, 'b@demo.example')]).toEqual([
        false,
        false,
      ]);
      await save('digest-2', await find('b@demo.example'), dayMs * 3, dayMs * 2, 'abcdef');
      expect(await isKnown('abcdef', 1_000)).toBe(false);
    });

    it('remember the last sixteen addresses', async () => {
      await accounts().applyFile([entry]);
      const marks = Array.from({ length: 20 }, (_, i) => `mark${String(i).padStart(2, '0')}`);
      for (const [i, mark] of marks.entries()) await save(`digest-${i}`, await find(), 9_000, i, mark);
      await save('digest-20', await find(), 9_000, 20, 'mark04');
      await save('digest-21', await find(), 9_000, 21, 'mark20');
      const known: string[] = [];
      for (const mark of [...marks, 'mark20']) {
        if (await accounts().isKnownAddress(entry.email, mark, 30)) known.push(mark);
      }
      expect(known).toEqual(['mark04', ...marks.slice(6), 'mark20']);
    });

    it('store another hash of the password, unless the password has changed', async () => {
      await accounts().applyFile([entry]);
      const { account } = await find();
      await accounts().replaceHash(account, first, second);
      await accounts().replaceHash(account, first, 'scrypt:third' as unknown as PasswordHash);
      expect((await accounts().findByEmail(entry.email))?.password).toBe(second);
    });

    it('may exist before the demo data of their company', async () => {
      await accounts().applyFile([entry]);
      expect(await opened.store.seedDemo({ companyKey: demo, companies: 1, staff: 3 })).toBe(3);
      expect((await opened.store.createStaff(writer, { StaffId: 'S-9' })).isNew).toBe(true);
    });
  });
}
