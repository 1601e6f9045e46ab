import { type KeyEdit, type KeyStore, KeyStoreError, openKeyStore } from '@rostergate/access/key-store';
import { addKey, keyDigest, type RawKeysFile, revokeKey } from '@rostergate/access/keys';

/** An edit that the store has acknowledged. */
export interface AcknowledgedEdit {
  readonly name: string;
  readonly action: 'create' | 'revoke';
}

// The process of a writer: creates keys and revokes every second one until it is killed, and reports acknowledged edits.
process.once('message', async ({ url, prefix }: { readonly url: string; readonly prefix: string }) => {
  const store: KeyStore = await openKeyStore({ key_store_url: url, redis_prefix: '' });
  const edit = async (about: Omit<KeyEdit, 'actor'>, change: (file: RawKeysFile) => RawKeysFile): Promise<boolean> => {
    try {
      await store.edit({ ...about, actor: 'writer' }, change);
    } catch (error) {
      if (error instanceof KeyStoreError) return false;
      throw error;
    }
    process.send?.({ name: about.name, action: about.action });
    return true;
  };
  for (let i = 0; ; i++) {
    const name = `${prefix}-${i}x`;
    const entry = { name, owner: name, sha256: keyDigest(name), expires_at: null, revoked_at: null };
    const isCreated = await edit({ action: 'create', name, owner: name }, (file) => addKey(file, entry));
    if (isCreated && i % 2 === 0) await edit({ action: 'revoke', name }, (file) => revokeKey(file, name, Date.now()));
  }
});
