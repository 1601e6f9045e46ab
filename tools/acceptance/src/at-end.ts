/** Takes what is to be done at the end. */
export type AtEnd = (end: () => Promise<unknown>) => void;

/** What was started is ended in the opposite order: each end is tried, for so long at most; the first failure told. */
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
  const timer = setTimeout(() => reject(new Error(`What was started has not ended in ${msMax} ms.`)), msMax);
  try {
    await Promise.race([end(), late]);
  } finally {
    clearTimeout(timer);
  }
}
