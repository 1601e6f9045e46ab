import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenStore } from '../store/sqlite-store.ts';
import { demo, writer } from '../store/suite/store-kit.contract.ts';
import type { Account } from './account.ts';
import type { PasswordHash } from './password.ts';

const [first, second] = ['scrypt:first', 'scrypt:second'] as unknown as [PasswordHash, PasswordHash];
const entry = { email: 'Admin@Demo.example', companyKey: demo, isAdmin: true, password: first };

/** What the accounts of every store keep, whatever is behind it. `open` gives an empty one. */
export function describeAccountStore(name: string, open: () => Promise<OpenStore>): void {
  describe(`${name}: accounts`, () => {
    let opened: OpenStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.store.close());
    const accounts = () => opened.accounts;
    const find = async (email = entry.email): Promise<Account> => {
      const found = await accounts().findByEmail(email);
      if (found === undefined) throw new Error(`There is no account ${email}.`);
      return found.account;
    };

    it('are found by email in any case, and changed by the next upsert', async () => {
      await accounts().upsert([entry]);
      await accounts().upsert([{ ...entry, email: 'admin@demo.example', password: second, isAdmin: false }]);
      const found = await accounts().findByEmail('ADMIN@demo.example');
      expect(found).toMatchObject({ password: second, account: { name: 'admin@demo.example', companyKey: demo } });
      expect(found?.account).toMatchObject({ isAdmin: false, scopes: [] });
      expect(await accounts().findByEmail('nobody@demo.example')).toBeUndefined();
    });

    it('are added once, however many add them, with their company when it is missing', async () => {
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => accounts().add(entry)));
      expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([{ isNewCompany: true }]);
      expect(await accounts().add({ ...entry, email: 'b@demo.example' })).toEqual({ isNewCompany: false });
      expect(await accounts().listCompanies()).toEqual([demo]);
    });

    it('are listed by company and email in the order of code points', async () => {
      const emails = ['a@x.example', 'é@x.example', 'z@x.example', '_@x.example'];
      for (const email of emails) await accounts().add({ ...entry, email });
      await accounts().add({ ...entry, email: 'first@x.example', companyKey: 'B' });
      const listed = (await accounts().list()).map(({ email }) => email);
      expect(listed).toEqual(['first@x.example', '_@x.example', 'a@x.example', 'z@x.example', 'é@x.example']);
      expect(await accounts().list('B')).toEqual([
        { email: 'first@x.example', companyKey: 'B', isAdmin: true, isDisabled: false, lastLogin: null },
      ]);
    });

    it('keep tokens by digest until they have expired, and the moment of the last login', async () => {
      await accounts().upsert([entry]);
      const account = await find();
      await accounts().saveToken('digest-1', account, 1_000.5, 0);
      expect(await accounts().findToken('digest-1')).toMatchObject({
        ...{ account: { name: 'admin@demo.example' }, expiresAtMs: 1_000 },
      });
      await accounts().saveToken('digest-2', account, 3_000, 2_000);
      expect(await accounts().findToken('digest-1')).toBeUndefined();
      expect((await accounts().list())[0]?.lastLogin).toBe('1970-01-01T00:00:02Z');
    });

    it('keep tokens that end beyond the year 2038', async () => {
      await accounts().upsert([entry]);
      const expiresAtMs = Date.parse('2100-01-01T00:00:00Z');
      await accounts().saveToken('digest-1', await find(), expiresAtMs, 0);
      expect((await accounts().findToken('digest-1'))?.expiresAtMs).toBe(expiresAtMs);
    });

    it('keep the tokens of many logins at once', async () => {
      await accounts().upsert([entry]);
      const account = await find();
      for (let i = 0; i < 10; i++) await accounts().saveToken(`old-${i}`, account, 1_000, 0);
      await Promise.all(Array.from({ length: 20 }, (_, i) => accounts().saveToken(`new-${i}`, account, 9_000, 5_000)));
      for (let i = 0; i < 20; i++) expect(await accounts().findToken(`new-${i}`)).toBeDefined();
      expect(await accounts().findToken('old-3')).toBeUndefined();
    });

    it('lose their tokens and cannot log in once they are disabled, until they are enabled', async () => {
      await accounts().upsert([entry]);
      await accounts().saveToken('digest-1', await find(), 9_000, 0);
      expect(await accounts().setDisabled('ADMIN@demo.example', true)).toMatchObject({ isDisabled: true });
      expect(await accounts().findToken('digest-1')).toBeUndefined();
      expect(await accounts().findByEmail(entry.email)).toBeUndefined();
      expect(await accounts().setDisabled(entry.email, false)).toMatchObject({ isDisabled: false });
      expect(await accounts().findByEmail(entry.email)).toBeDefined();
      expect(await accounts().findToken('digest-1')).toBeUndefined();
      expect(await accounts().setDisabled('nobody@demo.example', true)).toBeUndefined();
    });

    it('take a new password, which ends the tokens of the old one', async () => {
      await accounts().upsert([entry]);
      await accounts().saveToken('digest-1', await find(), 9_000, 0);
      expect(await accounts().setPassword(entry.email, second)).toBeDefined();
      expect((await accounts().findByEmail(entry.email))?.password).toBe(second);
      expect(await accounts().findToken('digest-1')).toBeUndefined();
      expect(await accounts().setPassword('nobody@demo.example', second)).toBeUndefined();
    });

    it('keep a password in another form, unless it was changed in the meantime', async () => {
      await accounts().upsert([entry]);
      const account = await find();
      await accounts().replaceHash(account, first, second);
      await accounts().replaceHash(account, first, 'scrypt:third' as unknown as PasswordHash);
      expect((await accounts().findByEmail(entry.email))?.password).toBe(second);
    });

    it('may come before the demo data of their company', async () => {
      await accounts().upsert([entry]);
      expect(await opened.store.seedDemo({ companyKey: demo, companies: 1, staff: 3 })).toBe(3);
      expect((await opened.store.createStaff(writer, { StaffId: 'S-9' })).isNew).toBe(true);
    });
  });
}
