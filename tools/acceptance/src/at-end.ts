/** Takes what is to be done at the end. */
export type AtEnd = (end: () => Promise<unknown>) => void;

/** What was started is ended in the opposite order; each end is tried, and the first failure told. */
export function createEndings(): { readonly atEnd: AtEnd; readonly end: () => Promise<void> } {
  const ends: (() => Promise<unknown>)[] = [];
  return {
    atEnd: (end) => void ends.push(end),
    async end() {
      const failures: unknown[] = [];
      for (let one = ends.pop(); one !== undefined; one = ends.pop()) {
        await one().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
