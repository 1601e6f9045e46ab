/** Runs the task for each item, `abreast` at a time; returns the results in the order of the items. */
export async function inLanes<T, R>(abreast: number, all: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < all.length; n = next++) results[n] = await run(all[n] as T);
  };
  await Promise.all(Array.from({ length: abreast }, lane));
  return results;
}
