import {
  type ContractDocument,
  createContractReader,
  type EndpointMethod,
  type FoundOperation,
  operationsOf,
  parseEndpointPath,
} from '@rostergate/endpoints';
import { ImportError, type PlanOptions } from './import-options.ts';
import { operationWarnings } from './operation-warnings.ts';

/** An entry of endpoints.json as an import writes it. */
export interface PlannedEntry {
  readonly path: string;
  readonly method: string;
  readonly service: 'http';
  readonly requires_auth: boolean;
  readonly scopes?: readonly string[];
  readonly upstream: { readonly targets: readonly string[]; readonly path?: string };
  readonly contract: { readonly document: string; readonly operation_id: string };
}

export interface SkippedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly reason: string;
}

export interface Plan {
  /** By operationId, in the order of the document. */
  readonly entries: ReadonlyMap<string, PlannedEntry>;
  readonly skipped: readonly SkippedOperation[];
  readonly warnings: readonly string[];
}

/** The entries that a document and the options make. Throws an ImportError when there is nowhere to forward to. */
export function planEntries(document: ContractDocument, options: PlanOptions): Plan {
  const entries = new Map<string, PlannedEntry>();
  const skipped: SkippedOperation[] = [];
  const warnings = new Set<string>();
  const reader = createContractReader(new Map([[document.path, document]]));
  for (const found of operationsOf(document.value, document.resolve)) {
    const { operationId, method, path } = found;
    const skip = (reason: string) => skipped.push({ operationId, method: method.toUpperCase(), path, reason });
    if (!isChosen(found, options)) {
      skip('left out by include or exclude');
      continue;
    }
    const refusal = unservedMethods[method];
    if (refusal !== undefined) {
      skip(refusal);
      continue;
    }
    const place = endpointPathOf(path, options.prefix);
    const parsed = parseEndpointPath(place);
    if (typeof parsed === 'string') {
      skip(`the path ${place} ${parsed}`);
      continue;
    }
    const faults: string[] = [];
    reader.read({ document: document.path, operationId }, method as EndpointMethod, parsed, (_, detail) =>
      faults.push(detail),
    );
    if (faults.length > 0) {
      skip(faults.join('; '));
      continue;
    }
    const scopes = scopesOf(found, options);
    const targets = targetsOf(found, document, options, warnings);
    for (const warning of operationWarnings(found, document)) warnings.add(warning);
    entries.set(operationId, {
      path: place,
      method: method.toUpperCase(),
      service: 'http',
      requires_auth: options.requires_auth,
      ...(scopes.length === 0 ? {} : { scopes }),
      upstream: { targets, ...(place === path ? {} : { path }) },
      contract: { document: document.path, operation_id: operationId },
    });
  }
  return { entries, skipped, warnings: [...warnings] };
}

const unservedMethods: Readonly<Record<string, string>> = {
  head: 'HEAD is answered wherever GET is',
  options: 'OPTIONS is answered by the gateway itself',
  trace: 'TRACE is not served: it would show callers what the upstream is sent',
};

function isChosen({ operationId, operation }: FoundOperation, { include, exclude }: PlanOptions): boolean {
  const names = [operationId, ...tagsOf(operation)];
  return (
    (include.length === 0 || names.some((name) => include.includes(name))) &&
    !names.some((name) => exclude.includes(name))
  );
}

function scopesOf({ operation }: FoundOperation, { scopes, requires_auth }: PlanOptions): readonly string[] {
  const found = ['*', ...tagsOf(operation)].flatMap((tag) => (Object.hasOwn(scopes, tag) ? (scopes[tag] ?? []) : []));
  if (found.length > 0 && !requires_auth) {
    throw new ImportError('Scopes need keys: nobody without a key has any. Leave out the scopes, or require keys.');
  }
  return [...new Set(found)];
}

/** The tags of an operation, whatever else stands among them. */
export function tagsOf({ tags }: FoundOperation['operation']): readonly string[] {
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}

/** Endpoints have no `/` at the end; the upstream is asked for the path as it is written. */
function endpointPathOf(path: string, prefix: string): string {
  return `${prefix}${path}`.replace(/\/+$/, '') || '/';
}

/**
 * Where an operation is forwarded to: the given targets, or else the first absolute server that the document gives it.
 * The servers of a document are a choice, not a group that shares its requests.
 */
export function targetsOf(
  { operation, item }: FoundOperation,
  document: ContractDocument,
  { targets }: PlanOptions,
  warnings: Set<string>,
): readonly string[] {
  if (targets.length > 0) return targets;
  const servers = [operation.servers, item.servers, document.value.servers].find(
    (list) => Array.isArray(list) && list.length > 0,
  );
  const addresses = ((servers ?? []) as unknown[]).flatMap((server) => addressOf(server));
  const [first, ...others] = addresses;
  if (first === undefined) {
    throw new ImportError(
      'The document names no server by an absolute http or https address: say where to forward to with --target.',
    );
  }
  if (others.length > 0) {
    warnings.add(`Forwarding to ${first}, the first server of the document; it names ${others.join(', ')} too.`);
  }
  return [first];
}

interface ServerObject {
  readonly url?: unknown;
  readonly variables?: Readonly<Record<string, { readonly default?: unknown } | undefined>>;
}

function addressOf(server: unknown): string[] {
  const { url, variables = {} } = (server ?? {}) as ServerObject;
  if (typeof url !== 'string') return [];
  const filled = url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name]?.default : undefined;
    return typeof value === 'string' ? value : whole;
  });
  return isTarget(filled) ? [filled.replace(/\/+$/, '')] : [];
}

/** As the configuration takes it: no user, query or fragment. */
export function isTarget(text: string): boolean {
  return /^https?:\/\/[^/?#@\s{}]+(\/[^?#\s{}]*)?$/.test(text);
}
