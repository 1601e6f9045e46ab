/** A clock that moves only by `pass` and by `wait`, which resolves at once. */
export interface ManualTime {
  readonly clock: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** The duration of each wait. */
  readonly waits: number[];
  pass(ms: number): void;
}

export function createManualTime(): ManualTime {
  let nowMs = 0;
  const waits: number[] = [];
  return {
    clock: () => nowMs,
    async wait(ms) {
      waits.push(ms);
      nowMs += ms;
    },
    waits,
    pass(ms) {
      nowMs += ms;
    },
  };
}
