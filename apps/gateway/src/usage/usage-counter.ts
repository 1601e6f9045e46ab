import type { Principal } from '@rostergate/server';

/** The classes of a status that are counted apart. Requests over a limit do not hide other mistakes of a caller. */
const statusClasses = ['1xx', '2xx', '3xx', '4xx', '429', '5xx'] as const;
export type StatusClass = (typeof statusClasses)[number];

/** Requests of one hour, key, operation and class of status. */
export interface UsageCount {
  /** Hours since the epoch. */
  readonly hour: number;
  /** Empty for callers without a key. */
  readonly owner: string;
  readonly key: string;
  readonly operation: string;
  readonly status: StatusClass;
  readonly requests: number;
}

export interface UsageCounterOptions {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Series that are counted apart until they are taken. */
  readonly seriesMax: number;
}

/** The operation of requests that are not counted apart. No operationId has parentheses. */
const overflowOperation = '(overflow)';

/** The caller of a request; null without a credential. */
type Caller = Pick<Principal, 'name' | 'owner'> | null;

/** The count of a key; keys of several owners may have the same name. */
interface Cell {
  readonly owner: string;
  readonly next: Cell | undefined;
  requests: number;
}

/** The counts of an operation and class of status, by the name of the key. */
type Cells = Map<string, Cell>;
/** The cells of an operation, in the order of `statusClasses`. */
type Operation = (Cells | undefined)[];
type Hour = Map<string, Operation>;

const hourMs = 3_600_000;

/** Counts finished requests in memory: one increment each. Beyond `seriesMax`, requests are counted without their key. */
export class UsageCounter {
  /** Requests since the start of the process. */
  counted = 0;
  /** Requests since then that are counted without their key and operation. */
  overflowed = 0;
  /** Series since the last `take`. */
  series = 0;
  readonly #clock: () => number;
  readonly #seriesMax: number;
  #hours = new Map<number, Hour>();
  #current: Hour = new Map();
  #startMs = 0;
  #endMs = 0;

  constructor({ clock, seriesMax }: UsageCounterOptions) {
    this.#clock = clock;
    this.#seriesMax = seriesMax;
  }

  count(caller: Caller, operation: string, status: number): void {
    this.counted++;
    const nowMs = this.#clock();
    if (nowMs >= this.#endMs || nowMs < this.#startMs) this.#turn(nowMs);
    const index = status === 429 ? 4 : status >= 500 ? 5 : ((status / 100) | 0) - 1;
    let cell = this.#current.get(operation)?.[index]?.get(caller === null ? '' : caller.name);
    const owner = caller === null ? '' : caller.owner;
    while (cell !== undefined && cell.owner !== owner) cell = cell.next;
    if (cell === undefined) this.#add(caller, operation, index);
    else cell.requests++;
  }

  /** Returns the counts so far, and starts again at 0. */
  take(): Iterator<UsageCount, undefined> {
    const hours = this.#hours;
    this.#hours = new Map();
    this.#endMs = 0;
    this.series = 0;
    return readCounts(hours);
  }

  #add(caller: Caller, operation: string, index: number): void {
    let [key, owner, name] = [caller?.name ?? '', caller?.owner ?? '', operation];
    if (this.series >= this.#seriesMax) {
      this.overflowed++;
      [key, owner, name] = ['', '', overflowOperation];
      const known = this.#current.get(name)?.[index]?.get('');
      if (known !== undefined) {
        known.requests++;
        return;
      }
    }
    const classes = this.#current.get(name) ?? [];
    this.#current.set(name, classes);
    classes[index] ??= new Map();
    const cells = classes[index];
    cells.set(key, { owner, next: cells.get(key), requests: 1 });
    this.series++;
  }

  #turn(nowMs: number): void {
    const hour = Math.floor(nowMs / hourMs);
    this.#startMs = hour * hourMs;
    this.#endMs = this.#startMs + hourMs;
    this.#current = this.#hours.get(hour) ?? new Map();
    this.#hours.set(hour, this.#current);
  }
}

function* readCounts(hours: ReadonlyMap<number, Hour>): Generator<UsageCount, undefined> {
  for (const [hour, operations] of hours) {
    for (const [operation, classes] of operations) {
      for (const [index, cells] of classes.entries()) {
        for (const [key, first] of cells ?? []) {
          for (let cell: Cell | undefined = first; cell !== undefined; cell = cell.next) {
            const status = statusClasses[index] as StatusClass;
            yield { hour, owner: cell.owner, key, operation, status, requests: cell.requests };
          }
        }
      }
    }
  }
}
