/** Does it for each, so many at a time; the results in the order of what was given. */
export async function inLanes<T, R>(abreast: number, all: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < all.length; n = next++) results[n] = await run(all[n] as T);
  };
  await Promise.all(Array.from({ length: abreast }, lane));
  return results;
}
