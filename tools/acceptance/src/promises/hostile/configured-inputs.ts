import type { GatewayFolder } from '../../spawn-gateway.ts';
import { handshakeFields } from '../handshake-fields.ts';
import type { TokenIssuer } from '../token-issuer.ts';
import { filledInputs, type GrowingInput, growingSizes, lists, restPieces } from './growing-inputs.ts';

/** Returns a configuration with prefixes, policies, tokens, header and cookie parameters and WebSockets. */
export function configureManyKinds(upstream: string, { settings }: TokenIssuer): GatewayFolder {
  const to = (path: string, more: object = {}) => ({ targets: [upstream], path, retries: 0, ...more });
  const addresses = Array.from({ length: 1_000 }, (_, i) => `198.18.${i >> 8}.${i & 255}`);
  return {
    settings: { jwt_issuers: [settings], trusted_proxies: ['127.0.0.0/8', '::1'] },
    endpoints: [
      { path: '/api/files/{rest*}', service: 'http', upstream: to('/v2/{rest*}') },
      { path: '/api/policies', service: 'http', policies: ['near', 'tidy', 'page'], upstream: to('/health/live') },
      { path: '/api/tokens', service: 'hello', parameters: { name: 'x' }, auth: ['key', 'jwt:corp'] },
      { path: '/api/fields', service: 'fields' },
      { path: '/api/live', service: 'http', upstream: to('/health/live', { websocket: { origins: ['*'] } }) },
    ],
    policies: {
      near: { type: 'addresses', allow: ['127.0.0.0/8', '2001:db8::/32', ...addresses], deny: ['192.0.2.0/24'] },
      tidy: {
        type: 'headers',
        request: {
          set: { 'X-Owner': '{owner}', 'X-Client': '{address}', 'X-Id': '{request_id}' },
          add: { 'X-Seen': 'a' },
          remove: ['Cookie', 'X-Internal'],
        },
        response: { set: { 'X-Client': '{address}' }, remove: ['X-Powered-By'] },
      },
      page: { type: 'cors', origins: ['https://app.example'], credentials: true },
    },
    files: { 'services/fields.ts': fieldsService },
  };
}

const fieldsService = `import { defineService, z } from 'rostergate';
export default defineService({
  name: 'fields', summary: 'x',
  parameters: z.object({
    tenant: z.string().optional().meta({ in: 'header', key: 'X-Tenant' }),
    last: z.string().optional().meta({ in: 'header', key: 'Last-Event-ID' }),
    basket: z.string().optional().meta({ in: 'cookie' }),
    count: z.number().int().optional().meta({ in: 'cookie' }),
  }),
  responses: { 200: { stream: 'text/event-stream', data: z.object({ last: z.string() }) } },
  handle: ({ last = '' }) => ({ status: 200, body: (async function* () { yield { id: '1', data: { last } }; })() }),
});
`;

/** Returns the inputs of that configuration. */
export function configuredInputs(issuer: TokenIssuer): GrowingInput[] {
  const page = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' };
  const inputs = [
    ...filledInputs('the rest of a forwarded path of', restPieces, (text) => ({ path: `/api/files/${text}` })),
    ...fieldInputs('/api/policies', policyFields),
    ...fieldInputs(
      '/api/policies',
      { 'Access-Control-Request-Headers': ['a', 'a,', ',', ' ', 'X-A, '] },
      page,
      'OPTIONS',
    ),
    ...fieldInputs('/api/policies', { Origin: ['a', 'https://', '.', ','] }, page, 'OPTIONS'),
    ...filledInputs('fields of policies of', ['X-Seen'], (text) => ({
      path: '/api/policies',
      headers: Object.fromEntries(Array.from({ length: text.length / 16 }, (_, i) => [`X-Seen-${i}`, 'x-owner'])),
    })),
    ...filledInputs('names in Connection of', ['x-owner,', ','], (text) => ({
      path: '/api/policies',
      headers: { Connection: `${text}close` },
    })),
    ...fieldInputs('/api/fields', parameterFields),
    ...filledInputs('a cookie with a value of', ['a', '%41', '"', ' ', '=', 'é', '\\'], (text) => ({
      path: '/api/fields',
      headers: { Cookie: `basket=${text}` },
    })),
    ...fieldInputs('/api/live', handshakeFieldPieces, handshake),
    ...filledInputs('a key as subprotocol of', ['A', '-_', '='], (text) => ({
      path: '/api/live',
      headers: { ...handshake, 'Sec-WebSocket-Protocol': `rostergate, rostergate.key.${text}` },
    })),
    ...filledInputs('a token of', ['a', '.', 'a.', 'eyJ9.', '_', '=', '%', 'é', 'e30.e30.'], toTokenRequest),
    ...Object.entries(tokenTexts).flatMap(([name, text]) =>
      (['header', 'claims'] as const).map((part) => ({
        name: `a token with ${name} in its ${part}`,
        sizes: longSizes,
        // In base64 a text is a third longer.
        request: (size: number) => toTokenRequest(issuer.tokenWith({ [part]: text(size * 0.75) })),
      })),
    ),
  ];
  return inputs.map((input) => ({ ...input, sizes: longSizes }));
}

/** Growth shows in the longest texts. */
const longSizes = growingSizes.slice(-3);

const toTokenRequest = (token: string) => ({ path: '/api/tokens', headers: { Authorization: `Bearer ${token}` } });

function fieldInputs(
  path: string,
  fields: Readonly<Record<string, readonly string[]>>,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): GrowingInput[] {
  return Object.entries(fields).flatMap(([field, pieces]) =>
    filledInputs(`${method} ${path} with ${field} of`, pieces, (text) => ({
      method,
      path,
      headers: { ...headers, [field]: text },
    })),
  );
}

const addressPieces = ['127.0.0.1,', '::1,', '::,', ',', '1', ':', '192.0.2.1, ', '[::1]:1,', 'a', '%'];
const policyFields: Readonly<Record<string, readonly string[]>> = {
  'X-Forwarded-For': addressPieces,
  Forwarded: ['for=127.0.0.1,', 'for="[::1]";', 'for=_a,', ';', '"', '\\', 'proto=https;'],
  'X-Forwarded-Proto': ['https,', ','],
  'X-Owner': ['a', ',', '{owner}'],
  'X-Seen': ['a', 'a,', '\t'],
  Cookie: ['a=b;', ';'],
  Via: ['1.1 a,', ','],
};

const parameterFields: Readonly<Record<string, readonly string[]>> = {
  'X-Tenant': lists,
  'Last-Event-ID': ['a', '1', ',', ' ', '%0a', 'é'],
  Cookie: ['a=b;', 'basket=1;', 'basket=1; ', 'count=1; ', 'count=', ';', '=', '"', 'basket', ' ', '%3b'],
};

const handshake: Readonly<Record<string, string>> = {
  ...Object.fromEntries(handshakeFields.map((line) => line.split(': '))),
  Connection: 'Upgrade, close',
};
const handshakeFieldPieces: Readonly<Record<string, readonly string[]>> = {
  'Sec-WebSocket-Protocol': [...lists, 'rostergate,', 'rostergate.key.,', 'rostergate.key.QQ,'],
  'Sec-WebSocket-Extensions': ['a;b,', 'permessage-deflate;', '"'],
  'Sec-WebSocket-Key': ['A', '='],
  'Sec-WebSocket-Version': ['13,', '1'],
  Upgrade: ['websocket,', 'a/1,'],
  Origin: ['a', 'https://'],
};

/** More members of a header or of claims; the last member of a name replaces the first. */
const tokenTexts: Readonly<Record<string, (size: number) => string>> = {
  'a long kid': (size) => `"kid":"${'a'.repeat(size)}"`,
  'a kid of escapes': (size) => `"kid":"${'\\u0000'.repeat(size / 6)}"`,
  'a kid of slashes': (size) => `"kid":"${'../'.repeat(size / 3)}"`,
  'a long list of audiences': (size) => `"aud":[${'"a",'.repeat(size / 4)}"https://api.example.com"]`,
  'a long issuer': (size) => `"iss":"https://id.example.com${'/'.repeat(size)}"`,
  'a long subject': (size) => `"sub":"${'a'.repeat(size)}"`,
  'a subject of line ends': (size) => `"sub":"${'\\r\\n'.repeat(size / 4)}"`,
  'many scopes': (size) => `"scope":"${'a '.repeat(size / 2)}"`,
  'a list of scopes': (size) => `"scope":[${'"a",'.repeat(size / 4)}"a"]`,
  'scopes of spaces': (size) => `"scope":"${' '.repeat(size)}"`,
  'an end of many digits': (size) => `"exp":${'9'.repeat(size)}`,
  'nested lists': (size) => `"a":${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
  'nested objects': (size) => `"a":${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  'many names': (size) => Array.from({ length: size / 9 }, (_, i) => `"a${i}":1`).join(','),
  'one name, again and again': (size) => `${'"alg":"ES256",'.repeat(size / 14)}"exp":1`,
  'many critical parameters': (size) => `"crit":[${'"a",'.repeat(size / 4)}"exp"]`,
  'a long type': (size) => `"typ":"${'application/'.repeat(size / 12)}at+jwt"`,
  'a long algorithm': (size) => `"alg":"${'E'.repeat(size)}"`,
  certificates: (size) => `"x5c":[${'"AAAA",'.repeat(size / 7)}"AAAA"],"jwk":{"kty":"EC"}`,
};
