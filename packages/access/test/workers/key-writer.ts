import { openKeyStore } from '../../src/key-store/open-key-store.ts';
import { keyDigest } from '../../src/keys/index.ts';
import { addKey } from '../../src/keys/key-edits.ts';

/** Creates keys until it is killed, and reports each one that is acknowledged. */
process.once('message', async ({ url, prefix }: { readonly url: string; readonly prefix: string }) => {
  const store = await openKeyStore({ key_store_url: url, redis_prefix: '' });
  for (let i = 0; ; i++) {
    const name = `${prefix}-${i}x`;
    const entry = { name, owner: prefix, sha256: keyDigest(name), expires_at: null, revoked_at: null };
    await store.edit({ action: 'create', name, owner: prefix, actor: 'writer' }, (file) => addKey(file, entry));
    process.send?.(name);
  }
});
