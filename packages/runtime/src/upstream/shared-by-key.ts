/** Things that are made once for all who want the same, and forgotten when the last has given them back. */
export interface SharedByKey<T> {
  take(key: string): T;
  give(key: string): void;
  values(): IterableIterator<T>;
}

export function createSharedByKey<T>(create: (key: string) => T, forget: (value: T) => void): SharedByKey<T> {
  const entries = new Map<string, { readonly value: T; holders: number }>();
  return {
    take(key) {
      let entry = entries.get(key);
      if (entry === undefined) {
        entry = { value: create(key), holders: 0 };
        entries.set(key, entry);
      }
      entry.holders++;
      return entry.value;
    },
    give(key) {
      const entry = entries.get(key);
      if (entry === undefined || --entry.holders > 0) return;
      entries.delete(key);
      forget(entry.value);
    },
    *values() {
      for (const { value } of entries.values()) yield value;
    },
  };
}
