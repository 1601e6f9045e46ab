import type { StaffQuery } from '../staff-query.ts';
import { type Fill, JsonWriter } from './json-writer.ts';
import { staffMember, storedCollections } from './shapes.ts';
import type { Sql, SqlFlavour } from './sql-flavour.ts';

/** SQL for a person as one JSON text. */
export interface Projection extends Sql {
  /** Whether it reads the stored JSON. */
  readonly isStored: boolean;
  /** Whether the cost per person is about the same for every query. */
  readonly isReady: boolean;
}

const cachedMax = 200;

export interface ProjectionChoice {
  /** The row that has the stored JSON; undefined to read only the tables. */
  readonly storedRow?: 's' | 'd';
  readonly lead?: string;
}

/** Returns a function for the SELECT list of row `s`. Projections without nested options are cached. */
export function createProjections(
  flavour: SqlFlavour,
  choice: ProjectionChoice,
): (query: StaffQuery, isAdmin: boolean) => Projection {
  const cached = new Map<string, Projection>();
  return (query, isAdmin) => {
    const key = keyOf(query, isAdmin);
    const known = key === undefined ? undefined : cached.get(key);
    if (known !== undefined) return known;
    const projection = createProjection(flavour, choice, query, isAdmin);
    if (key !== undefined && cached.size < cachedMax) cached.set(key, projection);
    return projection;
  };
}

/** Whole people and collections come from the stored JSON; selected properties come from the tables. */
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
