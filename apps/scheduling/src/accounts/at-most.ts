/** Runs work as it comes, but no more than `count` at once; the rest waits in order. */
export function createAtMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= count) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await work();
    } finally {
      // The place is handed on, so that nobody who comes now is before those who wait.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
