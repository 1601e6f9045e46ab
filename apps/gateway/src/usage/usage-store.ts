import type { UsageCount } from './usage-counter.ts';

/** Counts to add to the store. The store adds each sequence number of a writer once. */
export interface UsageDelta {
  readonly writer: string;
  /** Grows with each delta of the writer, which sends the next one only after this one is stored. */
  readonly sequence: number;
  readonly counts: readonly UsageCount[];
}

/** What counts can be grouped by. */
export const usageParts = ['owner', 'key', 'operation', 'status'] as const;
export type UsagePart = (typeof usageParts)[number];

export interface UsageQuery {
  /** Undefined for the counts of all owners. */
  readonly owner: string | undefined;
  /** Hours since the epoch. */
  readonly fromHour: number;
  /** Not part of the range. */
  readonly toHour: number;
  /** Hours that are counted together: 1 or 24. */
  readonly intervalHours: 1 | 24;
  readonly by: readonly UsagePart[];
  /** Rows that are returned at most. */
  readonly rowsMax: number;
}

/** Requests of an interval; parts that the query does not name are absent. */
export interface UsageRow extends Partial<Record<UsagePart, string>> {
  /** Start of the interval, in hours since the epoch. */
  readonly hour: number;
  readonly requests: number;
}

/** Hours of counts that one call removes at most. It is called once an hour. */
export const removedHoursMax = 24;

/** Where counts are stored. Each call ends within a few seconds, or rejects. */
export interface UsageStore {
  /** Adds a delta, unless it has been added before. */
  add(delta: UsageDelta): Promise<void>;
  /** Returns the counts, by time and then by the parts. */
  read(query: UsageQuery): Promise<readonly UsageRow[]>;
  /**
   * Removes counts before an hour, `removedHoursMax` from the oldest at most: a clock that is wrong for some time removes few.
   */
  removeBefore(hour: number): Promise<void>;
  close(): Promise<void>;
}
