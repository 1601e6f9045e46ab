/**
 * Returns the facts that differ between two versions of a person, or that the reader's change sets: their texts before, now
 * and as the reader wants them; undefined for no value. Facts that
 * both have changed, differently, come first.
 */
export function compareVersions(before, now, mine) {
  const ids = new Set([...before.keys(), ...now.keys(), ...mine.keys()]);
  const rows = [...ids].flatMap((id) => {
    const texts = { before: before.get(id)?.text, now: now.get(id)?.text, yours: mine.get(id)?.text };
    const [isTheirs, isMine] = [texts.before !== texts.now, mine.has(id)];
    if (!isTheirs && !isMine) return [];
    const { label } = now.get(id) ?? before.get(id) ?? mine.get(id);
    return [{ label, ...texts, isTheirs, isMine, isBoth: isTheirs && isMine && texts.now !== texts.yours }];
  });
  return rows.sort((a, b) => b.isBoth - a.isBoth);
}

/** Returns the entries of a set after two changes of it: the current ones, with the reader's additions and removals. */
export function mergeSets(before, mine, now) {
  const removed = before.filter((one) => !mine.includes(one));
  const added = mine.filter((one) => !before.includes(one) && !now.includes(one));
  return [...now.filter((one) => !removed.includes(one)), ...added];
}
