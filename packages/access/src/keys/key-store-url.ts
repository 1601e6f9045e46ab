import type { z } from 'zod';
import { parseRedisAddress } from '../limits/redis-address.ts';

/** Reports an invalid `key_store_url`, which the schema of the settings cannot express. The message does not repeat it. */
export function checkKeyStoreSettings(
  settings: Readonly<{ key_store_url?: unknown }> | null | undefined,
  context: z.core.$RefinementCtx,
): void {
  const url = settings?.key_store_url;
  if (typeof url !== 'string' || url === '') return;
  const message = faultOf(url);
  if (message !== undefined) context.addIssue({ code: 'custom', path: ['key_store_url'], input: url, message });
}

function faultOf(url: string): string | undefined {
  if (!url.startsWith('postgres')) {
    try {
      parseRedisAddress(url);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
  if (URL.canParse(url) && new URL(url).hostname !== '' && new URL(url).pathname.length > 1) return undefined;
  return 'The URL of PostgreSQL is invalid. Write postgres://user:password@host:5432/database, with special characters in the password as %XX.';
}
