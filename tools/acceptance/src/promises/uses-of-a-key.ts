import { randomBytes } from 'node:crypto';
import { handshakeFields } from './handshake-fields.ts';
import type { RawRequest } from './raw-lane.ts';

/** A request that carries a secret. */
export interface Use {
  /** Where the secret is, for people. */
  readonly place: string;
  readonly secret: string;
  readonly request: RawRequest;
  /** Whether the response or the forwarded request may contain the secret, because of its place. */
  readonly isReturned: boolean;
}

export interface UsedRoute {
  readonly method: string;
  readonly path: string;
  /** The body; `Content-Type` and `Content-Length` are added. */
  readonly body?: string;
  /** Further header fields. */
  readonly fields?: readonly string[];
}

type Place = (secret: string, route: UsedRoute, host: string) => RawRequest;

/** Where a server reads a credential. */
const ownPlaces: Readonly<Record<string, Place>> = {
  'X-API-Key': (secret, route, host) => write(route, host, [`X-API-Key: ${secret}`]),
  Bearer: (secret, route, host) => write(route, host, [`Authorization: Bearer ${secret}`]),
};

const wrongPlaces: Readonly<Record<string, Place>> = {
  'basic user': (secret, route, host) => write(route, host, [`Authorization: Basic ${base64(`${secret}:x`)}`]),
  'basic password': (secret, route, host) => write(route, host, [`Authorization: Basic ${base64(`x:${secret}`)}`]),
  'another scheme': (secret, route, host) => write(route, host, [`Authorization: Token ${secret}`]),
  'no scheme': (secret, route, host) => write(route, host, [`Authorization: ${secret}`]),
  'the name of a scheme': (secret, route, host) => write(route, host, [`Authorization: ${secret} x`]),
  'for a proxy': (secret, route, host) => write(route, host, [`Proxy-Authorization: Bearer ${secret}`]),
  'twice in a header': (secret, route, host) => write(route, host, [`X-API-Key: ${secret}`, `X-API-Key: ${secret}`]),
  'in both headers': (secret, route, host) =>
    write(route, host, [`X-API-Key: ${secret}`, `Authorization: Bearer ${secret}`]),
  'a list': (secret, route, host) => write(route, host, [`X-API-Key: a, ${secret}`]),
  'malformed: with a quote': (secret, route, host) => write(route, host, [`X-API-Key: "${secret}`]),
  'malformed: with spaces': (secret, route, host) => write(route, host, [`Authorization: Bearer  ${secret}  x y`]),
  'malformed: with bytes above ASCII': (secret, route, host) => write(route, host, [`X-API-Key: é${secret}\u20ac`]),
  'malformed: by numbers': (secret, route, host) =>
    write(route, host, [`X-API-Key: ${encodeURIComponent(`é${secret}`)}`]),
  'too long': (secret, route, host) => write(route, host, [`X-API-Key: ${secret.repeat(200)}`]),
  'beyond the limit of a head': (secret, route, host) => write(route, host, [`X-API-Key: ${secret.repeat(3_000)}`]),
  'before a malformed field': (secret, route, host) => write(route, host, [`X-API-Key: ${secret}`, 'no field']),
  'as a malformed field': (secret, route, host) => write(route, host, [secret]),
  'with a NUL': (secret, route, host) => write(route, host, [`X-API-Key: ${secret}\0x`]),
  folded: (secret, route, host) => write(route, host, ['X-API-Key:', ` ${secret}`]),
  'with a malformed length': (secret, route, host) => write(route, host, [`X-API-Key: ${secret}`, 'Content-Length: x']),
  'with two hosts': (secret, route, host) => write(route, host, [`X-API-Key: ${secret}`, 'Host: other']),
  'as a method': (secret, route, host) => ({ ...write(route, host, []), method: secret }),
  'with a claim of origin': (secret, route, host) =>
    write(route, host, [
      `X-API-Key: ${secret}`,
      'X-Forwarded-For: 192.0.2.1',
      'traceparent: 00-00000000000000000000000000000001-0000000000000001-01',
      'baggage: a=b',
    ]),
  'named by Connection': (secret, route, host) => write(route, host, [`X-API-Key: ${secret}`, 'Connection: x-api-key']),
};

/** Places for any text, which responses and forwarded requests may contain. */
const returnedPlaces: Readonly<Record<string, Place>> = {
  'in the query': (secret, route, host) =>
    write({ ...route, path: `${route.path}?X-API-Key=${secret}&access_token=${secret}` }, host, []),
  'as a name in the query': (secret, route, host) => write({ ...route, path: `${route.path}?${secret}` }, host, []),
  'in the path': (secret, route, host) => write({ ...route, path: `${route.path}/${secret}` }, host, []),
  'in an address as a user': (secret, route, host) =>
    write({ ...route, path: `http://x:${secret}@${host}${route.path}` }, host, []),
  'in a fragment': (secret, route, host) => write({ ...route, path: `${route.path}#${secret}` }, host, []),
  'as a malformed address': (secret, route, host) => write({ ...route, path: `%zz${secret}` }, host, []),
  'in a cookie': (secret, route, host) => write(route, host, [`Cookie: key=${secret}`]),
  'as a referer': (secret, route, host) => write(route, host, [`Referer: http://x.example/?key=${secret}`]),
  'as an agent': (secret, route, host) => write(route, host, [`User-Agent: ${secret}`]),
  'as an origin': (secret, route, host) => write(route, host, [`Origin: https://${secret}.example`]),
  'as a host': (secret, route) => write(route, `${secret}.example`, []),
  'as a type': (secret, route, host) =>
    write({ ...route, method: 'POST', body: '{}' }, host, [`Content-Type: application/${secret}`]),
  'as an encoding': (secret, route, host) =>
    write({ ...route, method: 'POST', body: '{}' }, host, [`Content-Encoding: ${secret}`]),
  'as an accepted type': (secret, route, host) => write(route, host, [`Accept: application/${secret}`]),
  'as a tag': (secret, route, host) => write(route, host, [`If-Match: "${secret}"`]),
  'as the name of a field': (secret, route, host) => write(route, host, [`${secret}: x`]),
  'as an invalid request id': (secret, route, host) => write(route, host, [`X-Request-Id: <${secret}>`]),
  'in a body': (secret, route, host) =>
    write({ ...route, method: 'POST', body: JSON.stringify({ key: secret, password: secret }) }, host, []),
  'in a body cut short': (secret, route, host) =>
    write({ ...route, method: 'POST', body: `{"password":"${secret}` }, host, []),
  'as a name in a body': (secret, route, host) =>
    write({ ...route, method: 'POST', body: JSON.stringify({ [secret]: 1 }) }, host, []),
};

/** Returns login requests with a wrong password. */
export function usesAtLogin(host: string): Use[] {
  const forms: Readonly<Record<string, (guess: string) => string>> = {
    'a wrong password': (guess) => JSON.stringify({ email: 'admin@demo.example', password: guess }),
    'an unknown address': (guess) => JSON.stringify({ email: `${guess}@demo.example`, password: guess }),
    'a password of another type': (guess) => JSON.stringify({ email: 'admin@demo.example', password: [guess] }),
    'a password that is too long': (guess) =>
      JSON.stringify({ email: 'admin@demo.example', password: guess.repeat(2_000) }),
    'an unknown member': (guess) => JSON.stringify({ email: 'x', password: 'x', secret: guess, [guess]: 1 }),
    'a body cut short': (guess) => `{"email":"admin@demo.example","password":"${guess}`,
    'a body of no known type': (guess) => guess,
  };
  return Object.entries(forms).flatMap(([place, form]) =>
    ['application/json', 'application/x-www-form-urlencoded', 'text/plain'].map((type): Use => {
      const secret = createCanary();
      const body = type.includes('form')
        ? `email=admin%40demo.example&password=${secret}&${form(secret)}`
        : form(secret);
      const request = write({ method: 'POST', path: '/v2/login', body }, host, [`Content-Type: ${type}`]);
      return { place: `${place} as ${type}`, secret, request, isReturned: true };
    }),
  );
}

/** Where a WebSocket handshake carries a key; browsers can send it only as a subprotocol. */
const handshakePlaces: Readonly<Record<string, (secret: string) => readonly string[]>> = {
  'X-API-Key': (secret) => [`X-API-Key: ${secret}`],
  'as a subprotocol': (secret) => [`Sec-WebSocket-Protocol: rostergate, ${keyProtocol(secret)}`],
  'as a subprotocol before others': (secret) => [`Sec-WebSocket-Protocol: ${keyProtocol(secret)}, chat`],
  'as the only subprotocol': (secret) => [`Sec-WebSocket-Protocol: ${keyProtocol(secret)}`],
  'as a subprotocol in two fields': (secret) => [
    `Sec-WebSocket-Protocol: chat, ${keyProtocol(secret)}`,
    `Sec-WebSocket-Protocol: rostergate, ${keyProtocol(secret)}`,
  ],
  'as a subprotocol that is not encoded': (secret) => [`Sec-WebSocket-Protocol: rostergate, rostergate.key.${secret}`],
  'as a subprotocol and a header': (secret) => [
    `Sec-WebSocket-Protocol: rostergate, ${keyProtocol(secret)}`,
    `X-API-Key: ${secret}`,
  ],
};

const keyProtocol = (secret: string) => `rostergate.key.${Buffer.from(secret).toString('base64url')}`;

/** Returns WebSocket handshakes with a secret, or with one of their own each. */
export function usesAtHandshake(path: string, host: string, secret?: string): Use[] {
  return Object.entries(handshakePlaces).map(([place, fieldsOf]) => {
    const own = secret ?? createCanary();
    const request = write({ method: 'GET', path }, host, [...handshakeFields, ...fieldsOf(own)]);
    return { place: `${place} of a handshake`, secret: own, request, isReturned: false };
  });
}

/** Returns requests with valid credentials in the right places. */
export function goodUses(route: UsedRoute, host: string, secret: string): Use[] {
  return Object.entries(ownPlaces).map(([place, make]) => ({
    place: `valid ${place}`,
    secret,
    request: make(secret, route, host),
    isReturned: false,
  }));
}

/**
 * Returns requests with a secret in wrong places. Each has its own secret, so that a hit identifies its place, or a
 * valid one, which goes only into places that are never returned.
 */
export function badUses(route: UsedRoute, host: string, good?: string): Use[] {
  if (good !== undefined) {
    return Object.entries(wrongPlaces).map(([place, make]) => ({
      place,
      secret: good,
      request: make(good, route, host),
      isReturned: false,
    }));
  }
  const all = [
    ...Object.entries({ ...ownPlaces, ...wrongPlaces }).map(([place, make]) => ({ place, make, isReturned: false })),
    ...Object.entries(returnedPlaces).map(([place, make]) => ({ place, make, isReturned: true })),
  ];
  return all.map(({ place, make, isReturned }) => {
    const secret = createCanary();
    return { place, secret, request: make(secret, route, host), isReturned };
  });
}

export function createCanary(): string {
  return `Canary${randomBytes(12).toString('hex')}q`;
}

function write(route: UsedRoute, host: string, own: readonly string[]): RawRequest {
  const { method, path, body = '' } = route;
  const fields = [...own, ...(route.fields ?? [])];
  const isTyped = fields.some((field) => field.startsWith('Content-Type'));
  const sized = fields.some((field) => field.startsWith('Content-Length'));
  return {
    method,
    target: path,
    fields: [
      `Host: ${host}`,
      ...fields,
      ...(body === '' || isTyped ? [] : ['Content-Type: application/json']),
      ...(body === '' || sized ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ],
    body,
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
