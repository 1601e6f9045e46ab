import type { Column } from '../command/index.ts';
import type { RawKeyEntry } from '../keys/index.ts';

/** What the keys of one server say of what they may do, which is all that tells the servers' keys apart. */
export interface KeyGrants {
  /** Options of `keys create`: `flags` and description as commander takes them. */
  readonly options: readonly GrantOption[];
  /** The fields of a new entry by those options. @throws CommandFailure for one that no entry can hold. */
  readonly toFields: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The same fields of an entry for programs, every one of them there. */
  readonly toJson: (entry: RawKeyEntry) => Readonly<Record<string, unknown>>;
  readonly columns: readonly GrantColumn[];
  /** What a successor has of the old key, as help puts it: `owner and scopes`. */
  readonly keptByRotation: string;
}

export interface GrantOption {
  readonly flags: string;
  readonly description: string;
  readonly isNeeded?: boolean;
}

export interface GrantColumn extends Column {
  readonly of: (entry: RawKeyEntry) => string;
}
