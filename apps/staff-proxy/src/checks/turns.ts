/** Lets only so many do something at a time; the others wait, in order. */
export interface Turns {
  /** Resolves with what ends the turn; to be called once, also by who has given up waiting. */
  take(): Promise<() => void>;
}

export function createTurns(max: number): Turns {
  const waiting: (() => void)[] = [];
  let taken = 0;

  function end(): void {
    const next = waiting.shift();
    if (next === undefined) taken--;
    else next();
  }

  return {
    async take() {
      if (taken < max) taken++;
      else await new Promise<void>((resolve) => void waiting.push(resolve));
      return end;
    },
  };
}
