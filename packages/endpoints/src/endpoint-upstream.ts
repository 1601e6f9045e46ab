import { type EndpointPath, parseEndpointPath } from '@rostergate/server';
import { findCorsFault } from '@rostergate/server/edge';
import type { EndpointDefinition, Report, WithDefaults } from './configuration-schema.ts';
import type {
  Service,
  UpstreamAuth,
  UpstreamBreaker,
  UpstreamHealth,
  UpstreamSettings,
  UpstreamTls,
  WebSocketSettings,
} from './endpoint.ts';

type Given = NonNullable<EndpointDefinition['upstream']>;

/** Returns the upstream settings of an endpoint whose service forwards, and reports every fault. */
export function readUpstream(
  given: EndpointDefinition['upstream'],
  service: Service,
  path: EndpointPath,
  report: Report,
): UpstreamSettings | undefined {
  const rules = service.raw?.upstream;
  if (given === undefined || given === null) {
    if (rules !== undefined) report(['upstream'], `is missing: the service ${service.name} needs an upstream`);
    return undefined;
  }
  if (rules === undefined) {
    report(['upstream'], `is not used by the service ${service.name}: use the service "http", or remove it`);
  }
  let isSound = true;
  const note: Report = (place, detail) => {
    isSound = false;
    report(['upstream', ...place], detail);
  };
  const settings = toSettings(given);
  if (settings.path !== undefined) checkPath(settings.path, path, note);
  const addresses = settings.targets.map((target) => URL.parse(target)?.href ?? target);
  settings.targets.forEach((target, i) => {
    const fault = faultOfTemplate(target);
    if (fault !== undefined) note(['targets', i], fault);
    const first = addresses.indexOf(addresses[i] as string);
    if (first < i)
      note(['targets', i], `repeats targets[${first}]: remove it, and give that one a weight if it needs one`);
  });
  if (settings.breaker !== undefined) checkBreaker(settings.breaker, note);
  if (settings.webSocket !== undefined && rules?.takesWebSockets !== true)
    note(['websocket'], `is not used by the service ${service.name}: use the service "http", or remove it`);
  settings.webSocket?.origins.forEach((origin, i) => {
    const fault = findCorsFault({ origins: [origin] });
    if (fault !== undefined) note(['websocket', 'origins', i], fault.detail);
  });
  if (settings.tls !== undefined) checkTls(settings.tls, settings.targets, ['tls'], note);
  if (given.auth !== undefined) checkAuth(given.auth as GivenAuth, settings.headers, note);
  const names = new Map<string, string>();
  for (const [name, value] of Object.entries(settings.headers)) {
    checkHeader(name, value, note);
    const other = names.get(name.toLowerCase());
    if (other !== undefined) note(['headers', name], `is the same header as ${other}: remove one of them`);
    names.set(name.toLowerCase(), name);
  }
  if (isSound) for (const fault of rules?.check?.(settings) ?? []) note(fault.path, fault.detail);
  return settings;
}

function toSettings(given: Given): UpstreamSettings {
  const { targets, path, headers = {}, timeout_ms = 20_000, retries = 2, health, breaker, tls, auth, ...live } = given;
  const weighted = targets.map((target) => (typeof target === 'string' ? { url: target } : target));
  const weights = weighted.map(({ weight = 1 }) => weight);
  return {
    targets: weighted.map(({ url }) => url),
    weights: weights.every((weight) => weight === weights[0]) ? undefined : weights,
    path: path ?? undefined,
    headers,
    timeoutMs: timeout_ms,
    retries,
    health: health && toHealth(health as Complete<'health'>),
    breaker: breaker && toBreaker(breaker as Complete<'breaker'>),
    streamIdleMs: live.stream_idle_ms ?? undefined,
    webSocket: live.websocket && toWebSocket(live.websocket as Complete<'websocket'>),
    tls: tls && toTls(tls),
    auth: auth && toAuth(auth as GivenAuth),
  };
}

/** Returns the names of the optional parts that an upstream has, for lists: they contain no address and no secret. */
export function upstreamPartsOf(settings: UpstreamSettings): string[] {
  const { weights, health, breaker, tls, auth, streamIdleMs, webSocket } = settings;
  const parts = { weights, health, breaker, tls, auth, stream_idle_ms: streamIdleMs, websocket: webSocket };
  return Object.entries(parts).flatMap(([name, part]) => (part === undefined ? [] : [name]));
}

/** The schema has set the defaults. */
type Complete<K extends keyof Given> = Required<NonNullable<Given[K]>>;

function toHealth(given: Complete<'health'>): UpstreamHealth {
  const { path, interval_ms: intervalMs, timeout_ms: timeoutMs } = given;
  return { path, intervalMs, timeoutMs, unhealthyAfter: given.unhealthy_after, healthyAfter: given.healthy_after };
}

function toBreaker(given: Complete<'breaker'>): UpstreamBreaker {
  const { window, requests_min: requestsMin, open_ms: openMs, open_ms_max: openMsMax } = given;
  return { window, requestsMin, failureShare: given.failure_percent / 100, openMs, openMsMax };
}

function toTls({ ca_file, certificate_file, key_file, server_name }: NonNullable<Given['tls']>): UpstreamTls {
  return { caFile: ca_file, certificateFile: certificate_file, keyFile: key_file, serverName: server_name };
}

type GivenAuth = WithDefaults<NonNullable<Given['auth']>, 'scopes' | 'client_authentication' | 'fields' | 'body'>;

/** The fields that its type requires are checked beside. */
function toAuth(given: GivenAuth): UpstreamAuth {
  const { token_url: tokenUrl, client_id = '', client_secret = '', scopes, audience, fields, body } = given;
  const shared = { tokenUrl, tls: given.tls && toTls(given.tls) };
  if (given.type === 'login') return { ...shared, type: 'login', fields, body };
  return {
    ...shared,
    type: 'client_credentials',
    clientId: client_id,
    clientSecret: client_secret,
    clientAuthentication: given.client_authentication,
    scopes,
    audience,
  };
}

const fieldsOfType = {
  client_credentials: ['client_id', 'client_secret'],
  login: ['fields'],
} as const;

function checkAuth(given: GivenAuth, headers: UpstreamSettings['headers'], note: Report): void {
  const isGiven = (name: 'client_id' | 'client_secret' | 'fields' | 'audience') => {
    const value = given[name];
    return typeof value === 'object' ? Object.keys(value).length > 0 : value !== undefined;
  };
  const other = given.type === 'login' ? 'client_credentials' : 'login';
  for (const name of fieldsOfType[given.type]) {
    if (!isGiven(name)) note(['auth', name], `is missing: credentials of the type "${given.type}" need it`);
  }
  for (const name of fieldsOfType[other]) {
    if (isGiven(name)) note(['auth', name], `is used only by the type "${other}": remove it, or change the type`);
  }
  for (const name of ['token_url', 'client_id', 'client_secret', 'audience'] as const) {
    const fault = faultOfTemplate(given[name] ?? '');
    if (fault !== undefined) note(['auth', name], fault);
  }
  for (const [name, value] of Object.entries(given.fields)) {
    const fault = faultOfTemplate(value);
    if (fault !== undefined) note(['auth', 'fields', name], fault);
  }
  const taken = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization');
  if (taken !== undefined) note(['headers', taken], 'is set by auth: remove it, or remove auth');
  if (given.tls !== undefined) checkTls(toTls(given.tls), [given.token_url], ['auth', 'tls'], note);
}

function checkTls(
  { certificateFile, keyFile }: UpstreamTls,
  addresses: readonly string[],
  place: readonly PropertyKey[],
  note: Report,
): void {
  if ((certificateFile === undefined) !== (keyFile === undefined)) {
    const [missing, given] =
      keyFile === undefined ? ['key_file', 'certificate_file'] : ['certificate_file', 'key_file'];
    note([...place, missing], `is missing: ${given} needs it`);
  }
  if (!addresses.every((address) => address.startsWith('https:'))) {
    note(place, 'is used only with https addresses: write https:// in every address, or remove it');
  }
}

function checkBreaker({ window, requestsMin, openMs, openMsMax }: UpstreamBreaker, note: Report): void {
  if (requestsMin > window) {
    note(['breaker', 'requests_min'], `exceeds window (${window}), so the circuit would never open: lower it`);
  }
  if (openMs > openMsMax) note(['breaker', 'open_ms'], `exceeds open_ms_max (${openMsMax}): lower it, or raise that`);
}

function toWebSocket({ origins, connections_max, idle_ms }: Complete<'websocket'>): WebSocketSettings {
  return { origins, connectionsMax: connections_max, idleMs: idle_ms };
}

function checkPath(template: string, path: EndpointPath, note: Report): void {
  if (template === '/') return;
  // Some servers require a trailing slash.
  const parsed = parseEndpointPath(template.replace(/\/$/, ''));
  if (typeof parsed === 'string') {
    note(['path'], parsed);
    return;
  }
  for (const name of parsed.parameters) {
    if (!path.parameters.includes(name))
      note(['path'], `names {${name}}, which the path of the endpoint does not contain`);
    else if ((parsed.rest === name) !== (path.rest === name))
      note(['path'], `must write {${name}} as in the path of the endpoint: {${name}${path.rest === name ? '*' : ''}}`);
  }
}

function checkHeader(name: string, value: string, note: Report): void {
  const place = ['headers', name];
  if (!isHeaderName(name)) note(place, 'is not a valid header name (RFC 9110 §5.1)');
  else if (gatewayHeaders.has(name.toLowerCase())) note(place, 'is set by the gateway: remove it');
  const fault = faultOfTemplate(value);
  if (fault !== undefined) note(place, fault);
  else if (!isHeaderValue(value)) note(place, 'contains characters that a header cannot carry: use printable ASCII');
}

/** Returns whether a text is a token, which names a header. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

/** Returns whether a value is printable ASCII, spaces and tabs, which every server reads the same way. */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(value);
}

/** Headers of one connection, and those that the gateway computes. */
export const gatewayHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Variables by name; an empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the fault of a template, without repeating it; undefined when it is valid. `${NAME}` is replaced by an
 * environment variable, `${NAME:-text}` by the text when the variable is not set.
 */
function faultOfTemplate(text: string): string | undefined {
  return text.replaceAll(variable, '').includes('${')
    ? 'has a ${ that is not ${NAME} or ${NAME:-text}, with a name of letters, digits and _'
    : undefined;
}

/** Fills in a template and lists the variables that are not set. */
export function fillTemplate(text: string, env: Environment): { readonly value: string; readonly missing: string[] } {
  const missing: string[] = [];
  const value = text.replaceAll(variable, (_, name: string, fallback: string | undefined) => {
    const found = (Object.hasOwn(env, name) && env[name]) || fallback;
    if (found === undefined) missing.push(name);
    return found ?? '';
  });
  return { value, missing };
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
