import { type ContractDocument, contractDocumentFrom } from '@rostergate/endpoints';
import { httpMethods } from '@rostergate/server';
import { type Change, ChangeList, type ChangeSummary, minus, summarize } from './change.ts';
import { compareAccess, compareOperations } from './compare-operations.ts';
import { createSchemaComparison } from './compare-schemas.ts';
import { createCoveringFinder, type ReadOperation, readOperations } from './operations.ts';

export interface Diff {
  /** Worst first, then by operation and part. */
  readonly changes: readonly Change[];
  readonly summary: ChangeSummary;
}

/**
 * Returns the changes that callers notice between two OpenAPI documents (3.0 or 3.1, external references bundled). An
 * operation with a new path is removed and added.
 * @throws TypeError if either is not such a document.
 */
export function diffDocuments(old: unknown, next: unknown): Diff {
  const list = new ChangeList();
  noteDocuments(readDocument(old, 'The old document'), readDocument(next, 'The new document'), list);
  const changes = list.sorted();
  return { changes, summary: summarize(changes) };
}

/** Notes every difference, except added and removed operations for which `isElsewhere` returns true. */
export function noteDocuments(
  old: ContractDocument,
  next: ContractDocument,
  list: ChangeList,
  isElsewhere: (operationId: string) => boolean = () => false,
): void {
  const [before, now] = [readOperations(old), readOperations(next)];
  const comparison = { old, next, compareSchemas: createSchemaComparison(old, next) };
  const [coveringBefore, coveringNow] = [before, now].map((all) => createCoveringFinder(all.values())) as [Find, Find];
  for (const [key, operation] of before) {
    const other = now.get(key);
    if (other !== undefined) compareOperations(operation, other, comparison, list.at(other.name));
    else if (!isElsewhere(operation.operationId)) {
      const note = list.at(operation.name);
      const covering = coveringNow(operation);
      note(
        'endpoint-removed',
        '',
        covering === undefined ? 'is gone' : `is gone: ${covering.name} serves its requests`,
      );
      if (covering !== undefined) compareAccess(operation.access, covering.access, note);
      noteOtherMethods(operation, coveringNow, before, (name) =>
        list.at(name)('path-widened', '', `now serves ${pathOf(operation)}`),
      );
    }
  }
  for (const [key, operation] of now) {
    if (before.has(key) || isElsewhere(operation.operationId)) continue;
    const note = list.at(operation.name);
    const covering = coveringBefore(operation);
    note('endpoint-added', '', covering === undefined ? 'is new' : `is new: ${covering.name} served its requests`);
    if (covering !== undefined) compareAccess(covering.access, operation.access, note);
    noteOtherMethods(operation, coveringBefore, now, (name) =>
      list.at(name)('path-narrowed', '', `no longer serves ${pathOf(operation)}, which has other methods now`),
    );
  }
  compareServers(old, next, list);
}

/**
 * Calls back with the name of each prefix operation that serves the requests for a path only while the path has no
 * operation: a more specific path decides for all methods. `beside` has the operations beside this one.
 */
function noteOtherMethods(
  operation: ReadOperation,
  find: Find,
  beside: ReadonlyMap<string, ReadOperation>,
  note: (name: string) => void,
): void {
  for (const method of httpMethods) {
    const other = find({ name: `${method.toUpperCase()} ${pathOf(operation)}` });
    if (other !== undefined && !beside.has(operation.key.replace(/^\w+/, method))) note(other.name);
  }
}

const pathOf = ({ name }: ReadOperation): string => name.slice(name.indexOf(' ') + 1);

type Find = ReturnType<typeof createCoveringFinder>;

export function readDocument(value: unknown, name: string): ContractDocument {
  const document = contractDocumentFrom(value, name);
  if (typeof document === 'string') throw new TypeError(`${name} ${document}.`);
  return document;
}

function compareServers(old: ContractDocument, next: ContractDocument, list: ChangeList): void {
  const [before, now] = [serversOf(old), serversOf(next)];
  const note = list.at('');
  for (const url of minus(before, now)) note('server-removed', 'servers', `${url} is no longer a server`);
  for (const url of minus(now, before)) note('server-added', 'servers', `${url} is now a server`);
}

function serversOf({ value: { servers } }: ContractDocument): Set<string> {
  const urls = (Array.isArray(servers) ? servers : []).map((server) =>
    String(server?.url ?? '/').replace(/(.)\/$/, '$1'),
  );
  return new Set(urls.length === 0 ? ['/'] : urls);
}
