import type { UsageStore } from './usage-store.ts';

/** Where the settings store counts. */
export type UsageTarget = { readonly file: string } | { readonly url: string };

/** Opens the store and creates its tables. Each driver is loaded on first use. @throws when the store is unreachable */
export async function openUsageStore(target: UsageTarget): Promise<UsageStore> {
  if ('url' in target) return (await import('./postgres-usage-store.ts')).openPostgresUsageStore(target.url);
  return (await import('./sqlite-usage-store.ts')).openSqliteUsageStore(target.file);
}
