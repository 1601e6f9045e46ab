import type { StaffQuery } from '../staff-query.ts';
import { type Fill, JsonWriter } from './json-writer.ts';
import { staffMember, storedCollections } from './shapes.ts';
import type { Sql, SqlFlavour } from './sql-flavour.ts';

/** A person as one JSON text. */
export interface Projection extends Sql {
  /** Whether it is read from the ready-made JSON. */
  readonly isStored: boolean;
  /** Whether a person costs about the same whatever the query says. */
  readonly isReady: boolean;
}

const keptMax = 200;

export interface ProjectionChoice {
  /** The row that has ready-made JSON; undefined to read the tables alone. */
  readonly storedRow?: 's' | 'd';
  /** What stands before each person. */
  readonly lead?: string;
}

/** What stands between SELECT and FROM, of row `s`; for queries without options of their own it is made once. */
export function createProjections(
  flavour: SqlFlavour,
  choice: ProjectionChoice,
): (query: StaffQuery, isAdmin: boolean) => Projection {
  const kept = new Map<string, Projection>();
  return (query, isAdmin) => {
    const key = keyOf(query, isAdmin);
    const known = key === undefined ? undefined : kept.get(key);
    if (known !== undefined) return known;
    const projection = createProjection(flavour, choice, query, isAdmin);
    if (key !== undefined && kept.size < keptMax) kept.set(key, projection);
    return projection;
  };
}

/** Everything of a person is there ready-made unless that is outdated; a choice of members is put together out of the tables. */
function createProjection(
  flavour: SqlFlavour,
  { storedRow, lead = '' }: ProjectionChoice,
  { select, fills }: StaffQuery,
  isAdmin: boolean,
): Projection {
  const writer = new JsonWriter(flavour, isAdmin);
  const fill = (name: string): Fill => fills.get(name) ?? null;
  const isStored = select === undefined && storedRow !== undefined;
  const stored = isStored ? { row: storedRow, scalars: 'Person', collections: storedCollections } : undefined;
  const text = writer.object(staffMember, 's', { select, fill, stored, lead });
  const isWhole = [...fills.values()].every((query) => query === true);
  return { text, parameters: writer.parameters, isStored, isReady: isStored && isWhole };
}

function keyOf({ select, fills }: StaffQuery, isAdmin: boolean): string | undefined {
  let key = isAdmin ? 'admin' : 'other';
  for (const [name, fill] of fills) {
    if (fill !== true) return undefined;
    key += `+${name}`;
  }
  for (const one of select ?? []) {
    if (one.select !== undefined) return undefined;
    key += `,${one.property}`;
  }
  return key;
}
