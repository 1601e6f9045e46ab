import { vi } from 'vitest';

/** Calls `check` until it does not throw: for much longer than the second of `vi.waitFor`, as a machine may be busy. */
export function waitFor<T>(check: () => T | Promise<T>, interval = 50): Promise<T> {
  return vi.waitFor(check, { timeout: 30_000, interval });
}
