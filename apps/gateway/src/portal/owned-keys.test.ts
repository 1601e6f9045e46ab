import { randomBytes } from 'node:crypto';
import type { KeyStore } from '@rostergate/access/key-store';
import type { RawKeysFile } from '@rostergate/access/keys';
import { describe, expect, it } from 'vitest';
import { readKeysFile } from '../sources/read-keys.ts';
import { createOwnedKeys } from './owned-keys.ts';

/** Returns the keys of a developer in a store that other settings use later. */
function start() {
  let file: RawKeysFile = { keys: [] };
  let nowMs = Date.parse('2026-06-01T00:00:00Z');
  const keysOf = (plans: readonly string[], offered = plans) => {
    const store: Pick<KeyStore, 'edit' | 'page'> = {
      async edit(_, edit) {
        const edited = JSON.parse(JSON.stringify(edit(file))) as RawKeysFile;
        readKeysFile(JSON.stringify(edited), 'the key store', plans);
        file = edited;
      },
      page: async () => file.keys,
    };
    const bounds = { plans: [...offered], scopes: [], keys_max: 3 };
    const owner = { owner: 'corp:vic', clock: () => ++nowMs, random: randomBytes };
    return createOwnedKeys({ ...owner, store: store as KeyStore, bounds, plans });
  };
  return { keysOf, planOfEach: () => file.keys.map(({ plan }) => plan) };
}

describe('createOwnedKeys', () => {
  it('gives the plan of a new key to the others, also to expired ones, when their plan was removed', async () => {
    const { keysOf, planOfEach } = start();
    const before = keysOf(['free', 'gold']);
    const { entry } = await before.create({ name: 'first', plan: 'gold' });
    const rotated = await before.rotate(entry.name, 0);
    const after = keysOf(['free', 'silver']);
    await expect(after.rotate(rotated.entry.name, 0)).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('The plan of your keys no longer exists.'),
    });
    await after.create({ name: 'second', plan: 'silver' });
    expect(planOfEach()).toEqual(['silver', 'silver', 'silver']);
    await expect(after.create({ name: 'third', plan: 'free' })).rejects.toMatchObject({ code: 'operation_forbidden' });
    await after.rotate(rotated.entry.name, 0);
  });

  it('leaves keys without a plan when theirs was removed and the portal offers none', async () => {
    const { keysOf, planOfEach } = start();
    const { entry } = await keysOf(['gold']).create({ name: 'first' });
    const after = keysOf(['standard'], []);
    await after.create({ name: 'second' });
    expect(planOfEach()).toEqual([undefined, undefined]);
    await after.revoke(entry.name);
  });

  it('does not change the plan of revoked keys', async () => {
    const { keysOf, planOfEach } = start();
    const before = keysOf(['gold']);
    const { entry } = await before.create({ name: 'first' });
    await before.revoke(entry.name);
    await keysOf(['silver']).create({ name: 'second' });
    expect(planOfEach()).toEqual(['gold', 'silver']);
  });
});
