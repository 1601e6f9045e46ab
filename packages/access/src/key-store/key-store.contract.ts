import { ConfigError } from '@rostergate/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkKeys } from '../../test/check-keys.ts';
import { addKey, keyDigest, type RawKeyEntry, revokeKey, rotateKey, setPlan, setScopes } from '../keys/index.ts';
import { type AuditEntry, firstCursor, type KeyKind, type KeyReader, type KeyStore } from './key-store.ts';
import { createSharedKeyReader } from './shared-key-reader.ts';

/** A store under test. */
export interface KeyStoreToTest {
  /** Opens the same keys as another process would. */
  readonly open: (options?: OpenOptions) => Promise<KeyStore>;
  readonly close: () => Promise<void>;
}

export interface OpenOptions {
  /** The keys of another kind of server, in a store that several machines share. */
  readonly kind?: KeyKind;
  /** The keys that servers accept, by default any valid ones. */
  readonly check?: (text: string, place: string) => void;
}

/** Keys of another kind of server than the gateway. */
export const otherKeys: KeyKind = {
  prefix: 'proxy_',
  attributes: ['account', 'operations'],
  accepts: (attributes) => (JSON.parse(attributes) as { account?: string }).account === 'admin',
};

const nowMs = Date.parse('2026-06-01T00:00:00Z');
const actor = 'ada@office';

const entry = (name: string, more: object = {}): RawKeyEntry => ({
  name,
  owner: name,
  prefix: 'rg_live_abc',
  sha256: keyDigest(`key-of-${name}`),
  scopes: [],
  created_at: new Date(nowMs).toISOString(),
  expires_at: null,
  revoked_at: null,
  ...more,
});

/** Creates a key with a name. */
export const create = (
  store: KeyStore,
  name: string,
  more: { owner?: string; plan?: string; [attribute: string]: unknown } = {},
) =>
  store.edit({ action: 'create', name, owner: more.owner ?? name, actor }, (file) => addKey(file, entry(name, more)));

const rotate = (store: KeyStore, name: string) =>
  store.edit({ action: 'rotate', name, actor }, (file) => {
    const successor = { sha256: keyDigest(`second-key-of-${name}`), expires_at: null };
    return rotateKey(file, { name, nowMs, overlapMs: 60_000, successor }).file;
  });

const revoke = (store: KeyStore, name: string) =>
  store.edit({ action: 'revoke', name, actor }, (file) => revokeKey(file, name, nowMs));

/** Runs the tests that every key store passes. */
export function describeKeyStore(name: string, start: () => Promise<KeyStoreToTest>): void {
  describe(name, () => {
    let tested: KeyStoreToTest;
    let store: KeyStore;
    beforeAll(async () => {
      tested = await start();
      store = await tested.open();
    });
    afterAll(async () => {
      await store.close();
      await tested.close();
    });
    const stored = async (key: string) => (await store.list()).keys.find((one) => one.name === key);

    it('has no keys at first', async () => {
      expect(await store.list()).toEqual({ keys: [] });
      await expect(revoke(store, 'canary')).rejects.toThrow('There are no keys yet.');
    });

    it('stores a created key as it is given, for every process', async () => {
      await create(store, 'first', { owner: 'acme' });
      const other = await tested.open();
      expect((await other.list()).keys).toEqual([entry('first', { owner: 'acme' })]);
      await other.close();
    });

    it('lists the keys of one owner', async () => {
      await create(store, 'of-portal', { owner: 'corp:auth0|1' });
      expect((await store.page({ after: '', limit: 9, owner: 'corp:auth0|1' })).map(({ name }) => name)).toEqual([
        'of-portal',
      ]);
      expect(await store.page({ after: '', limit: 9, owner: 'corp:auth0' })).toEqual([]);
    });

    it('returns the fields of a key that only its kind of server reads', async () => {
      const more = { account: 'admin', operations: { allow: ['getStaffMember'] } };
      await create(store, 'of-proxy', more);
      expect(await stored('of-proxy')).toEqual(entry('of-proxy', more));
    });

    it('rejects a name that is taken, and suggests one that exists', async () => {
      await expect(create(store, 'first')).rejects.toThrow('A key named first already exists');
      await expect(revoke(store, 'frist')).rejects.toThrow('Did you mean first?');
    });

    it('revokes and rotates keys, with the next name that is free', async () => {
      for (const key of ['ops', 'ops-2', 'other']) await create(store, key);
      await rotate(store, 'ops');
      await revoke(store, 'other');
      expect(await stored('ops')).toEqual(entry('ops', { expires_at: '2026-06-01T00:01:00.000Z' }));
      expect(await stored('ops-3')).toMatchObject({ owner: 'ops', sha256: keyDigest('second-key-of-ops') });
      expect(await stored('other')).toMatchObject({ revoked_at: '2026-06-01T00:00:00.000Z' });
    });

    it('changes scopes, and the plan of all keys of the owner that name one', async () => {
      await create(store, 'a1', { owner: 'a', plan: 'free' });
      await create(store, 'a2', { owner: 'a', plan: 'free' });
      await create(store, 'a3', { owner: 'a' });
      await store.edit({ action: 'scopes', name: 'a3', actor }, (file) => setScopes(file, 'a3', ['read']));
      await store.edit({ action: 'plan', name: 'a1', actor }, (file) => setPlan(file, 'a1', 'gold'));
      const { keys } = await store.list();
      expect(keys.filter(({ owner }) => owner === 'a').map(({ plan, scopes }) => [plan, scopes])).toEqual([
        ['gold', []],
        ['gold', []],
        [undefined, ['read']],
      ]);
    });

    it('changes nothing when the edit or the check of its result fails', async () => {
      const before = await store.list();
      const fail = () => {
        throw new Error('no');
      };
      await expect(store.edit({ action: 'revoke', name: 'first', actor }, fail)).rejects.toThrow('no');
      const invalid = store.edit({ action: 'create', name: 'x', owner: 'x', actor }, (file) =>
        addKey(file, entry('x', { sha256: 'no digest' })),
      );
      await expect(invalid).rejects.toMatchObject({ name: 'ConfigError' });
      expect(await store.list()).toEqual(before);
    });

    it('loses no edit of several processes at once', async () => {
      const others = await Promise.all(Array.from({ length: 4 }, () => tested.open()));
      const names = Array.from({ length: 20 }, (_, i) => `many-${String.fromCharCode(97 + i)}`);
      await Promise.all(names.map((key, i) => create(others[i % 4] as KeyStore, key, { owner: 'many' })));
      await Promise.all(others.map((other) => other.close()));
      const found = (await store.list()).keys.filter(({ owner }) => owner === 'many').map((one) => one.name);
      expect(found.toSorted()).toEqual(names);
    });

    it('returns keys page by page, of all owners or of one, and finds one by its name', async () => {
      const all = (await store.list()).keys;
      const readPages = async (owner?: string) => {
        const found: RawKeyEntry[] = [];
        for (let after = ''; ; ) {
          const page = await store.page({ after, limit: 7, owner });
          expect(page.length).toBeLessThanOrEqual(7);
          found.push(...page);
          if (page.length === 0) return found;
          after = page.at(-1)?.name ?? '';
        }
      };
      const byName = (keys: readonly RawKeyEntry[]) => keys.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      expect(await readPages()).toEqual(byName(all));
      expect(await readPages('many')).toEqual(byName(all.filter(({ owner }) => owner === 'many')));
      expect(await readPages('unknown')).toEqual([]);
      // A page may begin after a name that no key has, and a page of one owner after the key of another.
      for (const after of ['a1', 'first', 'm', 'unknown', 'zz']) {
        for (const owner of ['a', 'acme', 'many', 'ops', undefined]) {
          const rest = all.filter((key) => (owner === undefined || key.owner === owner) && key.name > after);
          expect(await store.page({ after, limit: 99, owner })).toEqual(byName(rest));
        }
      }
      expect(await store.find('first')).toEqual(entry('first', { owner: 'acme' }));
      expect(await store.find('unknown')).toBeUndefined();
    });

    it('counts the keys of owners, page by page', async () => {
      const first = await store.owners({ after: '', limit: 2 });
      expect(first).toEqual([
        { owner: 'a', keys: 3 },
        { owner: 'acme', keys: 1 },
      ]);
      const rest = await store.owners({ after: 'acme', limit: 100 });
      expect(rest).toEqual(expect.arrayContaining([{ owner: 'many', keys: 20 }]));
      expect(rest.map(({ owner }) => owner)).not.toContain('acme');
    });
  });
}

/** Runs the tests that every store passes which several machines share. */
export function describeSharedKeyStore(name: string, start: () => Promise<KeyStoreToTest>): void {
  describe(name, () => {
    let tested: KeyStoreToTest;
    let store: KeyStore & KeyReader;
    beforeAll(async () => {
      tested = await start();
      store = (await tested.open()) as KeyStore & KeyReader;
    });
    afterAll(async () => {
      await store.close();
      await tested.close();
    });

    it('has no version before the first key', async () => {
      await expect(store.head()).rejects.toThrow('The key store has no keys yet.');
    });

    it('returns the keys that changed after a revision, with the plan of their owner', async () => {
      await create(store, 'one', { owner: 'a', plan: 'free' });
      await create(store, 'two', { owner: 'b' });
      const first = await store.changesAfter(firstCursor);
      expect(first).toMatchObject({ isLast: true, invalidCount: 0 });
      expect(first.keys.map((key) => [key.name, key.owner, key.sha256, key.plan])).toEqual([
        ['one', 'a', keyDigest('key-of-one'), 'free'],
        ['two', 'b', keyDigest('key-of-two'), undefined],
      ]);
      const before = await store.head();
      expect(before.revision).toBe(first.next.revision);
      expect((await store.changesAfter(first.next)).keys).toEqual([]);

      await create(store, 'three', { owner: 'b', plan: 'gold' });
      const head = await store.head();
      expect(head.epoch).toBe(before.epoch);
      expect(head.revision).toBeGreaterThan(before.revision);
      const second = await store.changesAfter(first.next);
      expect(second.keys.map((key) => [key.name, key.plan]).toSorted()).toEqual([
        ['three', 'gold'],
        ['two', 'gold'],
      ]);

      await revoke(store, 'three');
      const third = await store.changesAfter(second.next);
      expect(third.keys.map((key) => [key.name, key.plan, key.revokedAtMs]).toSorted()).toEqual([
        ['three', 'gold', nowMs],
        ['two', undefined, undefined],
      ]);
    });

    it('has a new revision for each edit that changes something, and no other', async () => {
      const before = await store.head();
      await revoke(store, 'three');
      expect((await store.head()).revision).toBe(before.revision);
    });

    it('records who changed what, never a digest or a key', async () => {
      await rotate(store, 'two');
      const trail = (await store.audit(3)) as readonly AuditEntry[];
      expect(trail.map(({ action, name: key, owner }) => [action, key, owner]).toSorted()).toEqual([
        ['revoke', 'three', 'b'],
        ['rotate', 'two', 'b'],
        ['rotate', 'two-2', 'b'],
      ]);
      expect(trail.find(({ name: key }) => key === 'two')).toEqual({
        ...{ actor, action: 'rotate', name: 'two', owner: 'b', changes: { expires_at: '2026-06-01T00:01:00.000Z' } },
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
      expect(JSON.stringify(await store.audit(100))).not.toMatch(/[0-9a-f]{64}/);
    });

    it('separates the keys of other kinds of servers, and returns their attributes unless they are invalid', async () => {
      const other = (await tested.open({ kind: otherKeys })) as KeyStore & KeyReader;
      await expect(other.head()).rejects.toThrow('The key store has no keys yet.');
      const operations = { deny: ['addStaffTag'] };
      await create(other, 'one', { account: 'admin', operations });
      await create(other, 'bad', { account: 'gone' });
      expect((await other.list()).keys.map((key) => key.name).toSorted()).toEqual(['bad', 'one']);
      const { keys, invalidCount } = await other.changesAfter(firstCursor);
      expect(invalidCount).toBe(1);
      expect(keys.map((key) => [key.name, JSON.parse(key.attributes as string)])).toEqual([
        ['one', { account: 'admin', operations }],
      ]);
      expect((await other.audit(9))?.map((one) => [one.action, one.name])).toEqual([
        ['create', 'bad'],
        ['create', 'one'],
      ]);
      await other.close();

      const own = await store.changesAfter(firstCursor);
      const one = own.keys.find((key) => key.name === 'one');
      expect([one?.owner, one?.attributes]).toEqual(['a', undefined]);
      expect(own.keys.map((key) => key.name)).not.toContain('bad');
    });

    it('revokes a key whose plan was removed, also when its owner has others of that plan', async () => {
      for (const key of ['p1', 'p2', 'p3']) await create(store, key, { owner: 'p', plan: 'removed' });
      const check = (text: string, place: string) => {
        checkKeys(text, place, ['free']);
      };
      const strict = await tested.open({ check });
      await revoke(strict, 'p2');
      expect((await strict.find('p2'))?.revoked_at).toBe('2026-06-01T00:00:00.000Z');
      const wrong = [
        () => rotate(strict, 'p1'),
        () => create(strict, 'p4', { owner: 'p', plan: 'removed' }),
        () => create(strict, 'p4', { owner: 'p', plan: 'free' }),
      ];
      for (const edit of wrong) await expect(edit()).rejects.toThrow(ConfigError);
      await create(strict, 'p4', { owner: 'p' });
      await strict.close();
    });

    it('is asked once by several processes of a machine', async () => {
      let heads = 0;
      let pages = 0;
      const counted: KeyReader = {
        head() {
          heads++;
          return store.head();
        },
        changesAfter(cursor) {
          pages++;
          return store.changesAfter(cursor);
        },
        close: async () => {},
      };
      let timeMs = 0;
      const shared = createSharedKeyReader({ reader: counted, clock: () => timeMs });
      const ask = async () => [await shared.head(), await shared.changesAfter(firstCursor)] as const;
      const [[, page], [, same]] = await Promise.all([ask(), ask()]);
      expect(same).toBe(page);
      timeMs = 200;
      expect((await shared.head()).ageMs).toBe(200);
      expect([heads, pages]).toEqual([1, 1]);

      timeMs = 500;
      await create(store, 'late');
      const [head, later] = await ask();
      expect([head.ageMs, heads, pages]).toEqual([0, 2, 2]);
      expect(later.keys.map((key) => key.name)).toContain('late');
    });
  });
}
