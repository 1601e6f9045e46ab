/** What a process takes once, when it starts, by the setting that says it. Everything else is live. */
export type TakenAtStart<S> = { readonly [K in keyof S]?: (settings: Readonly<S>) => unknown };

/** The settings that were edited just now and wait for the next start. */
export function settingsThatWait<S>(
  takenAtStart: TakenAtStart<S>,
  { started, before, now }: { readonly started: Readonly<S>; readonly before: Readonly<S>; readonly now: Readonly<S> },
): (keyof S)[] {
  return (Object.keys(takenAtStart) as (keyof S)[]).filter((name) => {
    const taken = takenAtStart[name] as (settings: Readonly<S>) => unknown;
    return taken(now) !== taken(before) && taken(now) !== taken(started);
  });
}
