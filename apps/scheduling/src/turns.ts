/** Runs what has the same key one by one, in the order in which it came, and all else side by side. */
export function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const own = before.then(work, work);
    last.set(key, own);
    const leave = () => {
      if (last.get(key) === own) last.delete(key);
    };
    own.then(leave, leave);
    return own;
  };
}
