import { gatewayKeys, type KeyKind, type KeyReader, type KeyStore } from './key-store.ts';

export interface KeyStoreSettings {
  readonly key_store_url: string;
  /** Of the names in Redis. */
  readonly redis_prefix: string;
}

/** Returns the store that the settings name, without connecting to it. `check` checks each edit as it checks a file. */
export async function openKeyStore(
  { key_store_url: url, redis_prefix: prefix }: KeyStoreSettings,
  check?: (text: string, place: string) => void,
  kind: KeyKind = gatewayKeys,
): Promise<KeyStore & KeyReader> {
  const checked = { kind, ...(check === undefined ? {} : { check }) };
  if (url.startsWith('redis')) {
    const { openRedisKeyStore } = await import('./redis-key-store.ts');
    return openRedisKeyStore({ url, prefix, ...checked });
  }
  const { openPostgresKeyStore } = await import('./postgres-key-store.ts');
  return openPostgresKeyStore({ url, ...checked });
}
