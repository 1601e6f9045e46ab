import type { ContractDocument } from '@rostergate/endpoints';
import type { Note } from './change.ts';
import type { Direction, SchemaComparison } from './compare-schemas.ts';
import type { Rule } from './rules.ts';

/** Notes what differs between two schemas at a part of an operation. */
export function noteSchemas(
  old: unknown,
  next: unknown,
  direction: Direction,
  part: string,
  { compareSchemas }: Pick<Comparison, 'compareSchemas'>,
  note: Note,
): void {
  for (const { path, rule, text } of compareSchemas(old, next, direction)) {
    note(`${direction}-${rule}` as Rule, path === '' ? part : `${part} ${path}`, text);
  }
}

/** The two documents, and the comparison of their schemas. */
export interface Comparison {
  readonly old: ContractDocument;
  readonly next: ContractDocument;
  readonly compareSchemas: SchemaComparison;
}
