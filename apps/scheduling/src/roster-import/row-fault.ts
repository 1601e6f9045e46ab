/** What is wrong with a row of a roster, and where. */
export interface RowFault {
  /** The line at which the row begins, from 1. */
  readonly line: number;
  /** Of the cell, from 1; undefined for a row as a whole. */
  readonly column?: number | undefined;
  /** Name of the column; empty for a row as a whole. */
  readonly name: string;
  readonly detail: string;
}

/** The file cannot be read as a roster at all. */
export class RosterError extends Error {
  readonly faults: readonly RowFault[];

  constructor(faults: readonly RowFault[]) {
    super(faults.map(({ detail }) => detail).join(' '));
    this.name = 'RosterError';
    this.faults = faults;
  }
}
