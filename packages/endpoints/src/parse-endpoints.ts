import { document as builtIn, type OperationObject } from '@rostergate/gateway-spec';
import { type EndpointPath, operationIdOf, parseEndpointPath, pathsOverlap } from '@rostergate/server';
import { didYouMean } from '@rostergate/server/problem';
import { runSteps, type Steps } from '@rostergate/server/steps';
import { checkDefinition } from './check-definition.ts';
import {
  type ConfigurationFault,
  createConfigurationSchema,
  type EndpointDefinition,
  type EndpointsFile,
  type Report,
} from './configuration-schema.ts';
import { type ContractDocuments, type ContractReader, createContractReaderSteps } from './contract/contract-reader.ts';
import { type Endpoint, type EndpointMethod, type Service, takesBody } from './endpoint.ts';
import { createArguments } from './endpoint-arguments.ts';
import { readAuth } from './endpoint-auth.ts';
import { readUpstream } from './endpoint-upstream.ts';
import { isObject, toPointer } from './json-pointer.ts';
import { parsePolicies, readPolicyNames } from './policies/parse-policies.ts';
import type { Policy, PolicyModules } from './policies/policy.ts';
import { isEventStream } from './service-responses.ts';

export interface ParsedEndpoints {
  /** The enabled endpoints without faults, in the order of the file. */
  readonly endpoints: readonly Endpoint[];
  /** All faults. A file with any must not be served. */
  readonly faults: readonly ConfigurationFault[];
}

export interface ParseOptions {
  /** Names of the issuers of tokens in the settings; without it, any name is accepted. */
  readonly issuers?: readonly string[] | undefined;
  /** Names of the settings that are set and serve built-in paths, `x-setting` in the contract. */
  readonly settings?: readonly string[] | undefined;
  /** The modules that policies may name. */
  readonly modules?: PolicyModules;
}

/**
 * Parses the value of endpoints.json and checks it against the services. Never throws. `documents` are those that
 * `contractDocumentsOf(value)` names.
 */
export function parseEndpoints(
  value: unknown,
  services: readonly Service[],
  documents: ContractDocuments = new Map(),
  options: ParseOptions = {},
): ParsedEndpoints {
  return runSteps(parseEndpointsSteps(value, services, documents, options));
}

/** Does the same in steps, one definition each. */
export function* parseEndpointsSteps(
  value: unknown,
  services: readonly Service[],
  documents: ContractDocuments = new Map(),
  { issuers, settings = [], modules = new Map() }: ParseOptions = {},
): Steps<ParsedEndpoints> {
  const faults: ConfigurationFault[] = [];
  const report: Report = (path, detail) => faults.push({ pointer: toPointer(path), detail });
  const index = createServiceIndex(services, report);
  const contracts = yield* createContractReaderSteps(documents);
  const reported = new Set<string>();
  const endpoints: Endpoint[] = [];
  const seen = new Map<string, Seen>();
  const ownPaths = builtInPaths.filter(({ setting }) => setting === undefined || settings.includes(setting));
  const list = readList(value, report);
  const policies = parsePolicies(value, modules, report);
  const policiesForAll = readPolicyNames(namesForAll(value), policies, (i, detail) =>
    report(['policies_for_all', i], detail),
  );
  for (const [i, given] of list.entries()) {
    yield;
    const before = faults.length;
    const reportHere: Report = (path, detail) => report(['endpoints', i, ...path], detail);
    const definition = readDefinition(given, reportHere);
    if (definition === undefined || !definition.enabled) continue;
    const isPublicStated = (given as { requires_auth?: unknown }).requires_auth === false;
    const context = {
      ...{ services: index, contracts, seen, reported, ownPaths, issuers, isPublicStated, policies, policiesForAll },
    };
    const read = readMethods(definition, given, i, context, reportHere);
    if (faults.length === before) endpoints.push(...read);
  }
  return { endpoints, faults };
}

const fileSchema = () => createConfigurationSchema<EndpointsFile>('EndpointsFile');
const definitionSchema = () => createConfigurationSchema<EndpointDefinition>('EndpointDefinition');
/** The built-in paths. Those of a setting are free without it. */
const builtInPaths = Object.entries(builtIn.paths).map(([path, item]) => ({
  path,
  parsed: parseEndpointPath(path),
  setting: settingOf(Object.values(item)),
}));

function settingOf(members: readonly object[]): string | undefined {
  return members.map((member) => (member as { 'x-setting'?: string })['x-setting']).find((name) => name !== undefined);
}

const builtInIds: ReadonlySet<string> = new Set(
  Object.values(builtIn.paths).flatMap((item) =>
    Object.values(item).map((member) => (member as OperationObject).operationId),
  ),
);

/** The first path of a shape, and the index of the entry that serves each method. */
interface Seen {
  readonly path: string;
  readonly takenBy: Map<string, number>;
}

/** What a definition is checked against. */
interface ParseContext {
  readonly services: ReadonlyMap<string, Service>;
  readonly contracts: ContractReader;
  /** Reported faults of contract documents: a fault in a shared schema is reported once. */
  readonly reported: Set<string>;
  readonly seen: Map<string, Seen>;
  /** The built-in paths that are served. */
  readonly ownPaths: typeof builtInPaths;
  readonly issuers: ParseOptions['issuers'];
  /** Whether the entry itself has `requires_auth: false`. */
  readonly isPublicStated: boolean;
  readonly policies: ReadonlyMap<string, Policy | undefined>;
  readonly policiesForAll: readonly Policy[];
}

/** Returns the unparsed definitions: each is parsed separately, as is each policy, so that one fault hides no other. */
function readList(value: unknown, report: Report): readonly unknown[] {
  const own = isObject(value) && isObject(value.policies) ? { policies: {} } : {};
  const list = isObject(value) && Array.isArray(value.endpoints) ? value.endpoints : undefined;
  checkDefinition(fileSchema(), isObject(value) ? { ...value, ...(list && { endpoints: [] }), ...own } : value, report);
  return list ?? [];
}

function namesForAll(value: unknown): readonly string[] {
  const names = isObject(value) ? value.policies_for_all : undefined;
  return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : [];
}

function readDefinition(given: unknown, report: Report): EndpointDefinition | undefined {
  return checkDefinition(definitionSchema(), withUpperMethods(given), report) as EndpointDefinition | undefined;
}

/** Returns an endpoint for each method of a definition; a fault of several methods is reported once. */
function readMethods(
  definition: EndpointDefinition,
  given: unknown,
  i: number,
  context: ParseContext,
  report: Report,
): readonly Endpoint[] {
  const { methods } = definition;
  if (methods === undefined) return [readEndpoint(definition, i, context, report)].filter((one) => one !== undefined);
  if (isObject(given) && 'method' in given) report(['method'], 'is set beside methods: write one of them');
  if (new Set(methods).size < methods.length) report(['methods'], 'names a method twice');
  if (definition.contract !== undefined && methods.length > 1) {
    report(['contract'], 'describes one operation: write one entry for each method');
  }
  if (definition.cache_seconds > 0 && !methods.includes('GET')) {
    report(['cache_seconds'], 'must be 0 unless the methods contain GET: only responses to GET are cached');
  }
  const known = new Set<string>();
  const reportOnce: Report = (path, detail) => {
    const key = JSON.stringify([path, detail]);
    if (!known.has(key)) report(path, detail);
    known.add(key);
  };
  return [...new Set(methods)].flatMap((method) => {
    const [cache_seconds, cache_default_seconds] =
      method === 'GET' ? [definition.cache_seconds, definition.cache_default_seconds ?? null] : [0, null];
    const own = { ...definition, method, cache_seconds, cache_default_seconds };
    return readEndpoint(own, i, context, reportOnce) ?? [];
  });
}

function readEndpoint(
  definition: EndpointDefinition,
  i: number,
  { services, contracts, seen, reported, ownPaths, issuers, isPublicStated, policies, policiesForAll }: ParseContext,
  report: Report,
): Endpoint | undefined {
  const method = definition.method.toLowerCase() as EndpointMethod;
  const path = parseEndpointPath(definition.path);
  if (typeof path === 'string') report(['path'], path);
  else {
    reportBuiltIn(path, ownPaths, report);
    reportDuplicate(definition, path, i, seen, report);
  }
  const auth = readAuth(definition, isPublicStated, issuers, report);
  if (definition.cache_seconds > 0 && method !== 'get') {
    report(['cache_seconds'], 'must be 0 unless the method is GET: only responses to GET are cached');
  }
  if ((definition.cache_default_seconds ?? 0) > definition.cache_seconds) {
    report(
      ['cache_default_seconds'],
      `exceeds cache_seconds (${definition.cache_seconds}). Set cache_seconds to at least ${definition.cache_default_seconds}.`,
    );
  }
  if (definition.upstream?.websocket != null) {
    if (method !== 'get') report(['method'], 'must be GET: the handshake of a WebSocket is a GET (RFC 6455 §4.1)');
    if (definition.cache_seconds > 0) report(['cache_seconds'], 'must be 0 for WebSockets, which have no responses');
  }
  const service = services.get(definition.service.toLowerCase());
  if (service === undefined) {
    const names = [...services.values()].map((known) => known.name);
    report(
      ['service'],
      `"${definition.service}" does not exist.${didYouMean(definition.service, names) || listed(names)}`,
    );
    return undefined;
  }
  const needsBody = service.body !== undefined && !service.body.safeParse(undefined).success;
  if (needsBody && !takesBody(method)) {
    const field = definition.methods === undefined ? 'method' : 'methods';
    report([field], `must be POST, PUT or PATCH: the service ${service.name} requires a body`);
  }
  if (
    definition.cache_seconds > 0 &&
    Object.values(service.replies ?? {}).some(({ stream }) => stream !== undefined && isEventStream(stream))
  ) {
    report(['cache_seconds'], `must be 0: the service ${service.name} returns event streams, which are never cached`);
  }
  if (typeof path === 'string') return undefined;
  const contract = definition.contract && {
    document: definition.contract.document,
    operationId: definition.contract.operation_id,
  };
  const operation = contract && contracts.read(contract, method, path, reportOnce(report, reported));
  if (contract !== undefined && operation === undefined) return undefined;
  if (needsBody && operation !== undefined && operation.requestBody === undefined) {
    report(['contract'], `has no request body, which the service ${service.name} requires`);
  }
  const described = definition.description || undefined;
  const endpointPolicies =
    definition.policies.length === 0
      ? policiesForAll
      : readPolicyNames(
          definition.policies,
          policies,
          (at, detail) => report(['policies', at], detail),
          policiesForAll,
        );
  const upstream = readUpstream(definition.upstream, service, path, report);
  if (upstream?.auth !== undefined) reportAuthorization(endpointPolicies, report);
  return Object.freeze({
    operationId: operationIdOf(method, path, builtInIds),
    method,
    path: definition.path,
    service,
    ...auth,
    apiKeys: definition.api_keys || undefined,
    scopes: definition.scopes,
    rateLimitPerMinute: definition.rate_limit_per_minute ?? undefined,
    cacheSeconds: definition.cache_seconds,
    cacheDefaultSeconds: definition.cache_default_seconds ?? definition.cache_seconds,
    policies: endpointPolicies,
    upstream,
    contract,
    operation,
    summary: definition.summary || described || operation?.summary || service.summary,
    description: described ?? operation?.description ?? operation?.summary ?? service.description ?? service.summary,
    tags: definition.tags.length > 0 ? definition.tags : (operation?.tags ?? []),
    arguments: createArguments(service, path, definition.parameters, report, operation),
  });
}

/** Reports a policy that sets the header of the upstream's credentials. */
function reportAuthorization(policies: readonly Policy[], report: Report): void {
  const setting = policies.find(
    (policy) =>
      policy.type === 'headers' && policy.request.fields.some(({ name }) => name.toLowerCase() === 'authorization'),
  );
  if (setting === undefined) return;
  report(['upstream', 'auth'], `sets Authorization, as the policy "${setting.name}" does: remove it from one of them`);
}

/** Returns a report that leaves out faults of the document that were reported before. */
function reportOnce(report: Report, reported: Set<string>): Report {
  return (path, detail) => {
    const isInDocument = path[1] === 'operation_id';
    if (isInDocument && reported.has(detail)) return;
    reported.add(detail);
    report(path, detail);
  };
}

function reportBuiltIn(path: EndpointPath, ownPaths: typeof builtInPaths, report: Report): void {
  for (const own of ownPaths) {
    if (typeof own.parsed === 'string' || !pathsOverlap(path, own.parsed)) continue;
    const remedy = path.rest === undefined ? '' : `: begin it with a segment of its own, as in /api/{${path.rest}*}`;
    report(['path'], `collides with the built-in ${own.path}${remedy}`);
    return;
  }
}

function reportDuplicate(
  { method, path: spelling }: EndpointDefinition,
  path: EndpointPath,
  i: number,
  seen: Map<string, Seen>,
  report: Report,
): void {
  const known = seen.get(path.shape);
  if (known === undefined) {
    seen.set(path.shape, { path: spelling, takenBy: new Map([[method, i]]) });
    return;
  }
  if (known.path.endsWith('*}') !== spelling.endsWith('*}')) {
    const [prefix, other] = path.rest === undefined ? [known.path, spelling] : [spelling, known.path];
    report(
      ['path'],
      `is the same OpenAPI path as ${known.path}: ${prefix} also matches the requests for ${other}. Remove one of them, or add a literal segment to one`,
    );
  } else if (known.path !== spelling) {
    report(['path'], `matches the same requests as ${known.path}: use the same parameter names`);
  }
  const other = known.takenBy.get(method);
  if (other === undefined) known.takenBy.set(method, i);
  else report([], `repeats ${method} ${known.path} of endpoints[${other}]`);
}

function createServiceIndex(services: readonly Service[], report: Report): ReadonlyMap<string, Service> {
  const index = new Map<string, Service>();
  for (const service of services) {
    const name = service.name.toLowerCase();
    const other = index.get(name);
    if (other === undefined) index.set(name, service);
    else report([], `Two services have the name ${other.name}: rename one.`);
  }
  return index;
}

function withUpperMethods(value: unknown): unknown {
  if (!isObject(value)) return value;
  const method = upper(value.method);
  if (!Array.isArray(value.methods)) return method === value.method ? value : { ...value, method };
  return { ...value, ...(method === undefined ? {} : { method }), methods: value.methods.map(upper) };
}

const upper = (method: unknown): unknown => (typeof method === 'string' ? method.toUpperCase() : method);

function listed(names: readonly string[]): string {
  return ` Known services: ${[...names].sort().join(', ')}.`;
}
