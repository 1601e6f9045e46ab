import type { z } from 'zod';
import { createAddressKey } from './address-key.ts';
import { checkRedisUrl } from './redis-connection.ts';

export interface LimitSettings {
  readonly trusted_proxies: readonly string[];
  readonly redis_url: string;
}

/** What the schema cannot say of the settings of the limits: whether proxies and Redis have addresses that are ones. */
export function checkLimitSettings(
  settings: Partial<LimitSettings> | null | undefined,
  context: z.core.$RefinementCtx,
): void {
  const check = (path: (string | number)[], input: unknown, read: () => void) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      context.addIssue({ code: 'custom', path, input, message: error.message });
    }
  };
  const { trusted_proxies: proxies, redis_url: url } = settings ?? {};
  if (Array.isArray(proxies)) {
    proxies.forEach((entry, i) => {
      check(['trusted_proxies', i], entry, () => createAddressKey({ trustedProxies: [String(entry)] }));
    });
  }
  if (typeof url === 'string' && url !== '') check(['redis_url'], url, () => checkRedisUrl(url));
}
