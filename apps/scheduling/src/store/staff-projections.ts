import type { StaffQuery } from '../staff-query.ts';
import { type Fill, JsonWriter } from './json-writer.ts';
import { staffMember, storedCollections } from './shapes.ts';
import type { Sql, SqlFlavour } from './sql-flavour.ts';

/** A person as one JSON text, read from row `s`; where `joins` says so, from row `d` as well. */
export interface Projection extends Sql {
  readonly joins: string;
  /** Whether a person costs about the same whatever the query says. */
  readonly isReady: boolean;
}

const keptMax = 200;
const documents = ' JOIN "staff_documents" AS d ON d."StaffRow" = s."StaffRow"';

/** What stands between SELECT and FROM; for queries without options of their own it is made once. */
export function createProjections(flavour: SqlFlavour): (query: StaffQuery, isAdmin: boolean) => Projection {
  const kept = new Map<string, Projection>();
  return (query, isAdmin) => {
    const key = keyOf(query, isAdmin);
    const known = key === undefined ? undefined : kept.get(key);
    if (known !== undefined) return known;
    const projection = createProjection(flavour, query, isAdmin);
    if (key !== undefined && kept.size < keptMax) kept.set(key, projection);
    return projection;
  };
}

/** Everything of a person is there ready-made; a choice of members is put together out of the tables. */
function createProjection(flavour: SqlFlavour, { select, fills }: StaffQuery, isAdmin: boolean): Projection {
  const writer = new JsonWriter(flavour, isAdmin);
  const fill = (name: string): Fill => fills.get(name) ?? null;
  const isReady = select === undefined;
  const stored = isReady ? { row: 'd', scalars: 'Person', collections: storedCollections } : undefined;
  const text = writer.object(staffMember, 's', { select, fill, stored });
  const isWhole = [...fills.values()].every((query) => query === true);
  return { text, parameters: writer.parameters, joins: isReady ? documents : '', isReady: isReady && isWhole };
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
