import { type Bodies, clearBodies, injectedName, unclearBodies } from './hidden-requests.ts';
import type { RawRequest } from './raw-lane.ts';

/** A forwarded route, or one like it. */
export interface ForgedRoute {
  readonly path: string;
  /** Returns a path whose last segment is the parameter. */
  readonly withParameter: (value: string) => string;
  /** A valid body for POST. */
  readonly body: string;
  /** Fields of every request. */
  readonly fields?: readonly string[];
}

export interface ForgedRequest extends RawRequest {
  /** Its length is unambiguous, so that the request after it gets a response. */
  readonly isFollowed: boolean;
}

const smuggledPath = '/smuggled';

/** Marks in the targets of requests behind another one: after an ambiguous end, and after a clear one. */
export const [smuggledMark, followingMark] = ['smuggled-6d1c', 'following-6d1c'];

/**
 * Returns requests that target another server, remove or add forwarded fields, or hide another request.
 * @param elsewhere host and port of the server that nothing may reach
 */
export function forgedRequests(
  { path, withParameter, body, fields: own = [] }: ForgedRoute,
  host: string,
  elsewhere: string,
  credential: readonly string[],
): ForgedRequest[] {
  const usual = [`Host: ${host}`, ...credential, ...own];
  const get = (target: string, ...more: readonly string[]): RawRequest => ({
    method: 'GET',
    target,
    fields: [...usual, ...more],
  });
  const instead = (fields: readonly string[]): RawRequest => ({
    method: 'GET',
    target: path,
    fields: [...fields, ...credential, ...own],
  });
  const post = (fields: readonly string[], sent: string): RawRequest => ({
    method: 'POST',
    target: path,
    fields: [...usual, 'Content-Type: application/json', ...fields],
    body: sent,
  });
  const all = [
    ...places(path, withParameter, host, elsewhere).map((target) => get(target)),
    { method: 'CONNECT', target: elsewhere, fields: usual },
    { method: 'OPTIONS', target: `http://${elsewhere}/`, fields: usual },
    ...[
      `http://${elsewhere}${path}`,
      elsewhere,
      `${host}@${elsewhere}`,
      `${elsewhere}#${host}`,
      `${host}:80@${elsewhere}`,
      `${host}\\@${elsewhere}`,
      `${host}, ${elsewhere}`,
    ].map((value) => instead([`Host: ${value}`])),
    instead([`Host: ${host}`, `Host: ${elsewhere}`]),
    instead([`Host: ${elsewhere}`, `Host: ${host}`]),
    instead([`Host: ${host}`, ` Host: ${elsewhere}`]),
    ...placeNames.flatMap((name) =>
      [elsewhere, `http://${elsewhere}${path}`].map((value) => get(path, `${name}: ${value}`)),
    ),
    ...setByPolicies.map((fields) => get(path, ...fields)),
    ...hopByHop.map((fields) => get(path, ...fields)),
    ...injections.map((value) => get(path, `X-Own: ${value}`)),
    ...injections.map((value) => get(path, `X-Request-Id: ${value}`)),
    ...injections.map((value) => get(path, `Accept: ${value}`)),
    ...[
      `${injectedName}\0: y`,
      `X-Own\r${injectedName}: y`,
      `X Own: y`,
      `X-Own:${injectedName}: y`,
      `: y`,
      `X-Öwn: y`,
    ].map((line) => get(path, line)),
    ...withBodies(unclearBodies, smuggledMark),
  ].map((request) => ({ ...request, isFollowed: false }));
  const followed = withBodies(clearBodies, followingMark).map((request) => ({ ...request, isFollowed: true }));
  // Each has its own connection, because its rest would be read as the next request.
  return [...all, ...followed].map((request) => ({ ...request, isAlone: true }));

  function withBodies(bodiesOf: Bodies, mark: string): RawRequest[] {
    const hidden = `GET ${withParameter(mark)} HTTP/1.1\r\n${usual.map((field) => `${field}\r\n`).join('')}\r\n`;
    const posts = bodiesOf(body, hidden).map(([fields, sent]) => post(fields, sent));
    return [...posts, ...posts.map((request) => ({ ...request, method: 'GET' }))];
  }
}

function places(path: string, withParameter: (value: string) => string, host: string, elsewhere: string): string[] {
  const parameters = [
    `@${elsewhere}`,
    `x@${elsewhere}`,
    `http:%2f%2f${elsewhere}`,
    `%2f%2f${elsewhere}`,
    `%5c%5c${elsewhere}`,
    '..',
    '%2e%2e',
    '..%2f..%2f',
    `%2e%2e%2f%2e%2e%2f@${elsewhere}`,
    '%252e%252e%252fadmin',
    'x%23',
    'x%3fadmin=1',
    'x%2f..%2f..%2fadmin',
    'x;y',
    `x%0d%0a${injectedName}:%20y`,
    `x%0a${injectedName}:%20y`,
    `x%20HTTP/1.1%0d%0aHost:%20${elsewhere}%0d%0a%0d%0aGET%20${smuggledPath}`,
    `x%E5%98%8D%E5%98%8A${injectedName}:%20y`,
    `x%C4%8D%C4%8A${injectedName}:%20y`,
    'x%00',
    'x%00%0d%0a',
    `x\u560d\u560a${injectedName}:y`,
    '%u000d%u000a',
    'x%e2%80%a8y',
    `.${elsewhere}`,
    `:80@${elsewhere}`,
    `x%40${elsewhere}`,
  ];
  return [
    `http://${elsewhere}${path}`,
    `http://${elsewhere}/`,
    `https://${elsewhere}${path}`,
    `http://${host}@${elsewhere}${path}`,
    `http://${elsewhere}#@${host}${path}`,
    `http://${elsewhere}\\@${host}${path}`,
    `//${elsewhere}${path}`,
    `///${elsewhere}${path}`,
    `\\\\${elsewhere}${path}`,
    `@${elsewhere}${path}`,
    `.${elsewhere}${path}`,
    `:80@${elsewhere}${path}`,
    `${path}@${elsewhere}`,
    `${path}//${elsewhere}`,
    `ftp://${elsewhere}${path}`,
    `file:///etc/passwd`,
    `gopher://${elsewhere}/`,
    `${path}#@${elsewhere}`,
    ...['url', 'uri', 'target', 'next', 'redirect', 'callback', 'host', 'upstream', '$format', 'dest'].flatMap(
      (name) => [`${path}?${name}=http://${elsewhere}/`, `${path}?${name}=//${elsewhere}`],
    ),
    `${path}?a=b%0d%0a${injectedName}:%20y`,
    `${path}?a=b%20HTTP/1.1%0d%0aHost:%20${elsewhere}`,
    `${path}?${'%0d%0a'.repeat(3)}GET%20${smuggledPath}`,
    `${path}?\u560d\u560a${injectedName}:y`,
    `${path}?a=%E5%98%8D%E5%98%8A${injectedName}:y`,
    ...parameters.map(withParameter),
  ];
}

const placeNames = [
  'X-Forwarded-Host',
  'X-Forwarded-Server',
  'X-Host',
  'X-HTTP-Host-Override',
  'Forwarded',
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-Forwarded-Uri',
  'X-Forwarded-Prefix',
  'X-Forwarded-Proto',
  'X-Forwarded-For',
  'X-Real-IP',
  'Proxy',
  'Proxy-Host',
  'Destination',
  'Request-URI',
  'X-Proxy-URL',
  'X-Upstream',
  'Location',
  'Origin',
  'Referer',
  'Via',
  'X-Wap-Profile',
  'Link',
  'Alt-Svc',
  'traceparent',
  'baggage',
];

/** The value of fields that a policy of the gateway sets. */
export const forgedValue = 'forged-3f0b';

const setByPolicies: readonly (readonly string[])[] = [
  [`X-Owner: ${forgedValue}`, `X-Client: ${forgedValue}`, `X-Gateway: ${forgedValue}`],
  [`x-owner: ${forgedValue}`, `X-OWNER: ${forgedValue}`, 'X-Owner:'],
  [`X-Gateway: ${forgedValue}`, 'Connection: close, x-gateway, x-owner'],
  [`X-Owner: ${forgedValue}`, 'Connection: x-client'],
  [`X-Owner:\t${forgedValue}\t`, `X-Forwarded-For: ${forgedValue}`],
];

const own = 'X-Own: carried';
const hopByHop: readonly (readonly string[])[] = [
  ['Connection: x-api-key'],
  ['Connection: close, x-api-key'],
  ['Connection: X-API-KEY, authorization, close'],
  ['Connection: authorization'],
  ['Connection: keep-alive, x-forwarded-for, x-forwarded-proto'],
  ['Connection: x-request-id, via, traceparent'],
  ['Connection: host'],
  ['Connection: content-length, content-type'],
  [own, 'Connection: x-own'],
  [own, 'Connection: close, X-Own'],
  [own, 'Connection: keep-alive', 'Connection: x-own'],
  [own, 'Connection: ,,x-own,,'],
  [own, 'Connection:x-own\t'],
  ['Connection: transfer-encoding'],
  ['Connection: Connection'],
  ['Connection: *'],
  ['Connection: close', 'Connection: keep-alive'],
  ['Proxy-Connection: keep-alive', 'Keep-Alive: timeout=999'],
  ['Proxy-Authorization: Basic eDp5', 'Proxy-Authenticate: Basic'],
  ['TE: trailers, deflate', 'Trailer: X-Own'],
  ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x', 'Sec-WebSocket-Version: 13'],
  ['Connection: Upgrade', 'Upgrade: TLS/1.0'],
  ['Max-Forwards: 0'],
];

const injections = [
  `a\r${injectedName}: y`,
  `a\n${injectedName}: y`,
  `a\r\n ${injectedName}: y`,
  `a\0\r\n\t${injectedName}: y`,
  `a%0d%0a${injectedName}: y`,
  `a\u560d\u560a${injectedName}: y`,
  `a\u000b${injectedName}: y`,
  `a\u0085${injectedName}: y`,
  `a\\r\\n${injectedName}: y`,
];
