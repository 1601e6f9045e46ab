/** A clock that goes only when it is told to, and a wait that ends at once and moves it. */
export interface ManualTime {
  readonly clock: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Every time that was waited for. */
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
