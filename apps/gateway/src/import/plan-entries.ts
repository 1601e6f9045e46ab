import {
  type ContractDocument,
  createContractReader,
  type EndpointMethod,
  type FoundOperation,
  operationsOf,
} from '@rostergate/endpoints';
import { parseEndpointPath } from '@rostergate/server';
import { ImportError, type PlanOptions } from './import-options.ts';
import { operationWarnings } from './operation-warnings.ts';
import { tokenWaysOf } from './token-ways.ts';

/** An entry of endpoints.json as an import writes it. */
export interface PlannedEntry {
  readonly path: string;
  readonly method: string;
  readonly service: 'http';
  /** Absent beside `auth`. */
  readonly requires_auth?: boolean;
  readonly auth?: readonly string[];
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

/** Returns the entries for a document and options. Throws an ImportError if there is no upstream. */
export function planEntries(document: ContractDocument, options: PlanOptions): Plan {
  const entries = new Map<string, PlannedEntry>();
  const skipped: SkippedOperation[] = [];
  const warnings = new Set<string>();
  const reader = createContractReader(new Map([[document.path, document]]));
  for (const found of operationsOf(document.value, document.resolve)) {
    const { operationId, method, path } = found;
    const skip = (reason: string) => skipped.push({ operationId, method: method.toUpperCase(), path, reason });
    if (!isChosen(found, options)) {
      skip('excluded by include or exclude');
      continue;
    }
    const reason = unservedMethods[method];
    if (reason !== undefined) {
      skip(reason);
      continue;
    }
    const { endpointPath } = found;
    const place = publicPathOf(endpointPath, options.prefix);
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
    const ways = tokenWaysOf(found, document, options.issuers ?? []);
    const auth = options.requires_auth ? ways.auth : undefined;
    const scopes = [...new Set([...scopesOf(found, options), ...(auth === undefined ? [] : ways.scopes)])];
    for (const name of ways.unknown) {
      warnings.add(
        `"${name}" is for tokens of an issuer that is not in jwt_issuers of settings.json: callers need a key instead. Add the issuer and import again to accept its tokens.`,
      );
    }
    const targets = targetsOf(found, document, options, warnings);
    for (const warning of operationWarnings(found, document)) warnings.add(warning);
    entries.set(operationId, {
      path: place,
      method: method.toUpperCase(),
      service: 'http',
      ...(auth === undefined ? { requires_auth: options.requires_auth } : { auth }),
      ...(scopes.length === 0 ? {} : { scopes }),
      upstream: { targets, ...(place === endpointPath ? {} : { path: endpointPath }) },
      contract: { document: document.path, operation_id: operationId },
    });
  }
  return { entries, skipped, warnings: [...warnings] };
}

const unservedMethods: Readonly<Record<string, string>> = {
  head: 'HEAD is served with GET',
  options: 'OPTIONS is served by the gateway itself',
  trace: 'TRACE is not served: it would reveal the forwarded headers',
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
    throw new ImportError('Scopes need keys: only a key has scopes. Remove the scopes, or require keys.');
  }
  return [...new Set(found)];
}

/** Returns the valid tags of an operation. */
export function tagsOf({ tags }: FoundOperation['operation']): readonly string[] {
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}

/** Returns the path of an endpoint, without the trailing slash; the upstream path keeps it. */
function publicPathOf(path: string, prefix: string): string {
  return `${prefix}${path}`.replace(/\/+$/, '') || '/';
}

/**
 * Returns the targets of an operation: those given, or else the first absolute server of the document. The servers of a
 * document are alternatives, not a group for load balancing.
 */
function targetsOf(
  { operation, item }: FoundOperation,
  document: ContractDocument,
  { targets }: PlanOptions,
  warnings: Set<string>,
): readonly string[] {
  if (targets.length > 0) return targets;
  const servers = [operation.servers, item.servers, document.value.servers].find(
    (list) => Array.isArray(list) && list.length > 0,
  );
  const addresses = ((servers ?? []) as unknown[]).flatMap((server) => addressOf(server, warnings));
  const [first, ...others] = addresses;
  if (first === undefined) {
    throw new ImportError(
      'The document has no server with an absolute http or https address. Set the upstream with --target.',
    );
  }
  if (others.length > 0) {
    warnings.add(`Forwarding to ${first}, the first server of the document, which also names ${others.join(', ')}.`);
  }
  return [first];
}

interface ServerObject {
  readonly url?: unknown;
  readonly variables?: Readonly<Record<string, { readonly default?: unknown; readonly enum?: unknown } | undefined>>;
}

/** Returns the address of a server with the defaults of its variables; a server without usable ones is left out. */
function addressOf(server: unknown, warnings: Set<string>): string[] {
  const { url, variables = {} } = (server ?? {}) as ServerObject;
  if (typeof url !== 'string') return [];
  const filled = url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const { default: value, enum: values } = (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? {};
    const isAllowed = !Array.isArray(values) || values.includes(value);
    if (typeof value === 'string' && isAllowed) return value;
    const why = typeof value === 'string' ? 'a default that is not one of its values' : 'no default';
    warnings.add(`The server ${url} is not used: its variable ${name} has ${why}. Set the upstream with --target.`);
    return whole;
  });
  return isTarget(filled) ? [filled.replace(/\/+$/, '')] : [];
}

/** Returns whether the configuration accepts the target: no user, query or fragment. */
export function isTarget(text: string): boolean {
  return /^https?:\/\/[^/?#@\s{}]+(\/[^?#\s{}]*)?$/.test(text);
}
