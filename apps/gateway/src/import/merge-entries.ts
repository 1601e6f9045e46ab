import { isDeepStrictEqual } from 'node:util';
import { parseEndpointPath } from '@rostergate/server';
import type { EndpointsEdits, Entry, EntryChange } from './endpoints-text.ts';
import { ImportError } from './import-options.ts';
import type { PlannedEntry, SkippedOperation } from './plan-entries.ts';

/** The outcome of an operation. */
export interface ImportedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly change: 'added' | 'updated' | 'unchanged' | 'removed' | 'disabled';
  /** Members that were edited since the last import and are preserved. */
  readonly kept: readonly string[];
}

export interface Merge {
  readonly edits: EndpointsEdits;
  readonly operations: readonly ImportedOperation[];
  readonly skipped: readonly SkippedOperation[];
  readonly warnings: readonly string[];
}

export interface MergeInput {
  readonly entries: readonly Entry[];
  readonly documentPath: string;
  /** The entries of the previous import; undefined if there was none or its document is lost. */
  readonly before: ReadonlyMap<string, PlannedEntry> | undefined;
  readonly planned: ReadonlyMap<string, PlannedEntry>;
  /** OperationIds that were included by name: they are added even if they were removed before. */
  readonly named: readonly string[];
}

/**
 * Merges three versions of the entries: as previously imported, as edited since, and as they would be imported now.
 * @throws ImportError if an entry would move to a route that another entry serves.
 */
export function mergeEntries({ entries, documentPath, before, planned, named }: MergeInput): Merge {
  const changed = new Map<number, readonly EntryChange[]>();
  const removed: number[] = [];
  const added: PlannedEntry[] = [];
  const operations: ImportedOperation[] = [];
  const skipped: SkippedOperation[] = [];
  const warnings: string[] = [];
  const ours = indexOurs(entries, documentPath);
  const merged = mergeOurs(ours, { entries, before, planned });
  const routes = indexRoutes(entries, ours, merged);
  const taken: string[] = [];
  const note = (
    operationId: string,
    { method, path }: PlannedEntry,
    change: ImportedOperation['change'],
    kept: readonly string[] = [],
  ) => operations.push({ operationId, method, path, change, kept });

  for (const [operationId, entry] of planned) {
    const own = merged.get(operationId);
    const { method, path } = entry;
    if (own !== undefined) {
      const { index, changes, kept } = own;
      if (changes.length > 0) changed.set(index, changes);
      note(operationId, entry, changes.length > 0 ? 'updated' : 'unchanged', kept);
      const conflict = changes.some(isOfRoute) ? findConflict(routes, own.entry, index) : undefined;
      if (conflict !== undefined) {
        taken.push(`${operationId} cannot move: ${conflict}. Change the path of one of these endpoints.`);
      }
      if (kept.includes('path') && !fits(entries[index]?.path, path)) {
        warnings.push(`${operationId} moved to ${path}: its edited path no longer has the same parameters.`);
      }
    } else if (before?.has(operationId) && !named.includes(operationId)) {
      skipped.push({
        operationId,
        method,
        path,
        reason: 'was removed from endpoints.json; include it by name to add it again',
      });
    } else {
      const conflict = findConflict(routes, { method, path });
      if (conflict === undefined) {
        added.push(entry);
        note(operationId, entry, 'added');
      } else {
        skipped.push({ operationId, method, path, reason: conflict });
      }
    }
  }
  if (taken.length > 0) throw new ImportError(taken.join('\n'));

  for (const [operationId, index] of ours) {
    if (planned.has(operationId)) continue;
    const entry = entries[index] as Entry;
    const base = before?.get(operationId);
    const gone = { method: textOr(entry.method, 'GET'), path: textOr(entry.path, '') } as PlannedEntry;
    if (base !== undefined && isUntouched(entry, base)) {
      removed.push(index);
      note(operationId, gone, 'removed');
    } else if (entry.enabled !== false) {
      changed.set(index, [{ path: ['enabled'], value: false }]);
      note(operationId, gone, 'disabled');
      warnings.push(`${operationId} is no longer imported, but its entry was edited: it is disabled, not removed.`);
    }
  }
  return { edits: { changed, removed, added }, operations, skipped, warnings };
}

/** The members that an import writes; it never changes others. */
const members: readonly (readonly [name: string, ...path: string[]])[] = [
  ['path'],
  ['method'],
  ['service'],
  ['requires_auth'],
  ['auth'],
  ['scopes'],
  ['upstream', 'targets'],
  ['upstream', 'path'],
];

/** Two members with one meaning: an edit of either preserves both. */
const authMembers = ['requires_auth', 'auth'] as const;

function mergeEntry(entry: Entry, base: PlannedEntry | undefined, next: PlannedEntry) {
  const changes: EntryChange[] = [];
  const kept: string[] = [];
  const isAuthEdited = authMembers.some((name) => !isDeepStrictEqual(entry[name], base?.[name]));
  for (const path of members) {
    const [now, then, wanted] = [entry, base, next].map((holder) => memberAt(holder, path));
    if (isDeepStrictEqual(now, wanted)) continue;
    const isEdited = authMembers.includes(path[0] as never) ? isAuthEdited : !isDeepStrictEqual(now, then);
    if (base !== undefined && !isEdited) changes.push({ path: [...path], value: wanted });
    // An edit is preserved, and reported if the import would differ.
    else kept.push(path.join('.'));
  }
  return { changes, kept };
}

function isUntouched(entry: Entry, base: PlannedEntry): boolean {
  return isDeepStrictEqual(entry, JSON.parse(JSON.stringify(base)));
}

function memberAt(holder: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], holder);
}

function indexOurs(entries: readonly Entry[], documentPath: string): Map<string, number> {
  const found = new Map<string, number>();
  entries.forEach((entry, index) => {
    const contract = entry?.contract as { document?: unknown; operation_id?: unknown } | null | undefined;
    if (contract?.document !== documentPath || typeof contract.operation_id !== 'string') return;
    if (!found.has(contract.operation_id)) found.set(contract.operation_id, index);
  });
  return found;
}

interface MergedEntry {
  readonly index: number;
  readonly changes: readonly EntryChange[];
  readonly kept: readonly string[];
  /** The entry with its next path and method. */
  readonly entry: Entry;
}

/** Merges the entries of planned operations, by operationId. */
function mergeOurs(
  ours: ReadonlyMap<string, number>,
  { entries, before, planned }: Pick<MergeInput, 'entries' | 'before' | 'planned'>,
): ReadonlyMap<string, MergedEntry> {
  const merged = new Map<string, MergedEntry>();
  for (const [operationId, index] of ours) {
    const next = planned.get(operationId);
    if (next === undefined) continue;
    const entry = entries[index] as Entry;
    const merge = mergeEntry(entry, before?.get(operationId), next);
    const moved = Object.fromEntries(merge.changes.filter(isOfRoute).map(({ path: [name], value }) => [name, value]));
    merged.set(operationId, { index, ...merge, entry: { ...entry, ...moved } });
  }
  return merged;
}

function isOfRoute({ path: [name] }: EntryChange): boolean {
  return name === 'path' || name === 'method';
}

interface Route {
  readonly method: string;
  readonly path: string;
}

interface ServedRoute extends Route {
  /** The index of its entry. */
  readonly index: number;
}

type Routes = ReadonlyMap<string, readonly ServedRoute[]>;

/** Returns the routes of the merged entries by the shapes of their paths: those of operations that are gone have none. */
function indexRoutes(
  entries: readonly Entry[],
  ours: ReadonlyMap<string, number>,
  merged: ReadonlyMap<string, MergedEntry>,
): Routes {
  const after: (Entry | undefined)[] = [...entries];
  for (const [operationId, index] of ours) after[index] = merged.get(operationId)?.entry;
  const found = new Map<string, ServedRoute[]>();
  after.forEach((entry, index) => {
    for (const route of routesOf(entry)) {
      const shape = shapeOf(route.path);
      found.set(shape, [...(found.get(shape) ?? []), { index, ...route }]);
    }
  });
  return found;
}

/** Returns what an entry serves; a disabled one serves nothing. */
function routesOf(entry: Entry | undefined): readonly Route[] {
  if (typeof entry?.path !== 'string' || entry.enabled === false) return [];
  const { path, method = 'GET', methods = [method] } = entry;
  const names = Array.isArray(methods) ? methods.filter((name) => typeof name === 'string') : [];
  return names.map((name) => ({ method: name.toUpperCase(), path }));
}

/** Returns why an entry cannot be served beside the others; undefined if it can. */
function findConflict(routes: Routes, entry: Entry, own?: number): string | undefined {
  for (const { method, path } of routesOf(entry)) {
    const isTaking = (other: ServedRoute) => other.index !== own && (other.method === method || other.path !== path);
    const other = routes.get(shapeOf(path))?.find(isTaking);
    if (other === undefined) continue;
    const reason =
      other.path === path ? `${method} ${path} is already served` : `${other.path} matches the same requests`;
    return `${reason}, by /endpoints/${other.index}`;
  }
  return undefined;
}

/** A file that was edited by hand may contain anything here. */
function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function shapeOf(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}');
}

function fits(path: unknown, planned: string): boolean {
  const [own, wanted] = [path, planned].map((text) => (typeof text === 'string' ? parseEndpointPath(text) : 'no path'));
  if (typeof own !== 'object' || typeof wanted !== 'object') return false;
  return isDeepStrictEqual([...own.parameters].sort(), [...wanted.parameters].sort());
}
