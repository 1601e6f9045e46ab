import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Registers a cleanup. */
export type AtEnd = (end: () => Promise<unknown>) => void;

/** Creates a temporary folder; `atEnd` removes it. */
export async function makeTemporaryFolder(prefix: string, atEnd: AtEnd): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns cleanups that run in reverse order, each with a deadline; the first failure is thrown after all have run. */
export function createEndings(msMax = 30_000): { readonly atEnd: AtEnd; readonly end: () => Promise<void> } {
  const ends: (() => Promise<unknown>)[] = [];
  return {
    atEnd: (end) => void ends.push(end),
    async end() {
      const failures: unknown[] = [];
      for (let one = ends.pop(); one !== undefined; one = ends.pop()) {
        await withinTime(one, msMax).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function withinTime(end: () => Promise<unknown>, msMax: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`A cleanup did not finish within ${msMax} ms.`)), msMax);
  try {
    await Promise.race([end(), late]);
  } finally {
    clearTimeout(timer);
  }
}
