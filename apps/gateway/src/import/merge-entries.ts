import { isDeepStrictEqual } from 'node:util';
import { parseEndpointPath } from '@rostergate/server';
import type { EndpointsEdits, Entry, EntryChange } from './endpoints-text.ts';
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

/** Merges three versions of the entries: as previously imported, as edited since, and as they would be imported now. */
export function mergeEntries({ entries, documentPath, before, planned, named }: MergeInput): Merge {
  const changed = new Map<number, readonly EntryChange[]>();
  const removed: number[] = [];
  const added: PlannedEntry[] = [];
  const operations: ImportedOperation[] = [];
  const skipped: SkippedOperation[] = [];
  const warnings: string[] = [];
  const ours = indexOurs(entries, documentPath);
  const others = indexOthers(entries, new Set(ours.values()));
  const note = (
    operationId: string,
    { method, path }: PlannedEntry,
    change: ImportedOperation['change'],
    kept: readonly string[] = [],
  ) => operations.push({ operationId, method, path, change, kept });

  for (const [operationId, entry] of planned) {
    const index = ours.get(operationId);
    const { method, path } = entry;
    if (index !== undefined) {
      const { changes, kept } = mergeEntry(entries[index] as Entry, before?.get(operationId), entry);
      if (changes.length > 0) changed.set(index, changes);
      note(operationId, entry, changes.length > 0 ? 'updated' : 'unchanged', kept);
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
      const taken = others.get(shapeOf(path))?.find((other) => other.method === method || other.path !== path);
      if (taken === undefined) {
        added.push(entry);
        note(operationId, entry, 'added');
      } else {
        const reason =
          taken.path === path ? `${method} ${path} is already served` : `${taken.path} matches the same requests`;
        skipped.push({ operationId, method, path, reason: `${reason}, by /endpoints/${taken.index}` });
      }
    }
  }

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

interface OtherEntry {
  readonly index: number;
  readonly method: string;
  readonly path: string;
}

function indexOthers(entries: readonly Entry[], ours: ReadonlySet<number>): Map<string, OtherEntry[]> {
  const found = new Map<string, OtherEntry[]>();
  entries.forEach((entry, index) => {
    if (ours.has(index) || typeof entry?.path !== 'string' || entry.enabled === false) return;
    const { path, method = 'GET', methods = [method] } = entry;
    const shape = shapeOf(path);
    for (const one of Array.isArray(methods) ? methods : []) {
      if (typeof one !== 'string') continue;
      found.set(shape, [...(found.get(shape) ?? []), { index, method: one.toUpperCase(), path }]);
    }
  });
  return found;
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
