import { createAddressKey } from '@rostergate/access/limits';
import {
  defineRawService,
  type Endpoint,
  type Environment,
  fillTemplate,
  isHeaderValue,
  type RawHandler,
  type RawRequest,
  type Service,
  type ServiceContext,
  type UpstreamAuth,
  type UpstreamSettingFault,
  type UpstreamSettings,
  type UpstreamTls,
} from '@rostergate/endpoints';
import type { RawReply } from '@rostergate/server';
import { createAddressList } from '@rostergate/server/edge';
import {
  type ClientTls,
  createAddressRewriter,
  createClientCredentialsRequest,
  createLoginFieldsRequest,
  createPathWriter,
  createSentHeaderReader,
  forward,
  parseTarget,
  type SendOnce,
  type TokenRequest,
  type UpstreamRegistry,
} from '@rostergate/upstream';
import { connectionsOf, handleStreams, handleWebSockets } from './web-sockets-and-streams.ts';

export interface HttpServiceOptions {
  /** The variables for `${NAME}` in targets and headers. */
  readonly env: Environment;
  /** The connections, shared by all configurations. */
  readonly upstreams: UpstreamRegistry;
  /** Addresses and blocks of proxies whose forwarding headers are trusted; none by default. */
  readonly trustedProxies?: readonly string[];
}

/** Returns the service that forwards requests to the `upstream` of its endpoint. */
export function createHttpService(options: HttpServiceOptions): Service {
  return defineRawService({
    ...described,
    upstream: { ...used, check: (settings) => resolveUpstream(settings, options.env).faults },
    open: (endpoint) => openUpstream(endpoint, options),
  });
}

/** Returns the same service without upstreams, to describe endpoints that are not served. */
export function describeHttpService(): Service {
  return defineRawService({
    ...described,
    upstream: used,
    open: () => ({
      handle: () => {
        throw new Error('This service only describes endpoints.');
      },
    }),
  });
}

const used = { takesWebSockets: true };

const described = {
  name: 'http',
  // Keys are not forwarded.
  ignoresCaller: true,
  summary: 'The response of an upstream',
  description: 'Forwards the request, its query and its body to an upstream and returns the response.',
  errors: {
    502: 'The upstream is unreachable, closed the connection or did not respond with HTTP.',
    503: 'The circuit of the upstream is open after repeated failures.',
    504: 'The upstream did not respond in time.',
  },
};

function openUpstream(endpoint: Endpoint, { env, upstreams, trustedProxies = [] }: HttpServiceOptions): RawHandler {
  const settings = endpoint.upstream as UpstreamSettings;
  const { targets, headers, auth } = resolveUpstream(settings, env);
  const isTrustedProxy = trustedProxies.length === 0 ? undefined : createAddressList(trustedProxies);
  const addressKey = createAddressKey({ trustedProxies });
  const template = settings.path ?? endpoint.path;
  const writePath = createPathWriter(template);
  const addresses = createAddressRewriter({ targets, upstreamPath: template, publicPath: endpoint.path });
  const traced = { template, origin: targets.length === 1 ? new URL(targets[0] as string).origin : undefined };
  const { weights, timeoutMs, retries, health, breaker, tls } = settings;
  const connections = connectionsOf(settings);
  const { send, release } = upstreams.lease({
    ...{ targets, weights, timeoutMs, retries, health, breaker, auth },
    ...(connections === undefined ? {} : { connections }),
    tls: tls && clientTlsOf(tls),
    // Failures of one endpoint do not open the circuit of another.
    scope: endpoint.operationId,
  });
  const forwardWith = (
    sendOnce: SendOnce,
    { pathTexts, query, body, conditions }: RawRequest,
    context: ServiceContext,
  ): Promise<RawReply> =>
    forward(context, {
      send: sendOnce,
      path: writePath(pathTexts) + query,
      headers,
      body: body ?? null,
      conditions,
      isTrustedProxy,
      addressKey,
      addresses,
      traced,
    });
  const handle: RawHandler['handle'] = (request, context) => forwardWith(send, request, context);
  return {
    sentHeader: createSentHeaderReader({ headers, isTrustedProxy }),
    handle:
      settings.webSocket !== undefined
        ? handleWebSockets(endpoint, settings.webSocket, send, forwardWith)
        : connections === undefined
          ? handle
          : handleStreams(handle),
    close: release,
  };
}

function clientTlsOf({ ca, certificate, key, serverName }: UpstreamTls): ClientTls {
  return { ca, certificate, key, serverName };
}

/** The upstream of an endpoint with its variables filled in. Headers and credentials may contain secrets. */
interface ResolvedUpstream {
  readonly targets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined without credentials, and with a fault in them. */
  readonly auth: TokenRequest | undefined;
}

/** Fills in environment variables. A fault names a variable or a path, never a value. */
function resolveUpstream(
  settings: UpstreamSettings,
  env: Environment,
): ResolvedUpstream & { readonly faults: readonly UpstreamSettingFault[] } {
  const faults: UpstreamSettingFault[] = [];
  const fill = (template: string, path: UpstreamSettingFault['path']): string | undefined => {
    const { value, missing } = fillTemplate(template, env);
    for (const name of new Set(missing)) {
      faults.push({ path, detail: `needs the environment variable ${name}, which is not set` });
    }
    return missing.length === 0 ? value : undefined;
  };
  const fillAddress = (template: string, path: UpstreamSettingFault['path']): string | undefined => {
    const address = fill(template, path);
    if (address === undefined) return undefined;
    try {
      return parseTarget(address).href;
    } catch (error) {
      faults.push({ path, detail: (error as RangeError).message });
      return undefined;
    }
  };
  const targets = settings.targets.flatMap((template, i) => fillAddress(template, ['targets', i]) ?? []);
  const headers: Record<string, string> = {};
  for (const [name, template] of Object.entries(settings.headers)) {
    const value = fill(template, ['headers', name])?.trim();
    // An empty header is not sent.
    if (value === undefined || value === '') continue;
    if (isHeaderValue(value)) headers[name] = value;
    else faults.push({ path: ['headers', name], detail: 'contains characters that a header cannot carry' });
  }
  const auth = settings.auth && resolveAuth(settings.auth, { fill, fillAddress });
  return { targets, headers, auth, faults };
}

/** Fills in a template of an upstream; reports what is missing and returns undefined. */
type Fill = (template: string, path: UpstreamSettingFault['path']) => string | undefined;

function resolveAuth(auth: UpstreamAuth, { fill, fillAddress }: { fill: Fill; fillAddress: Fill }) {
  const url = fillAddress(auth.tokenUrl, ['auth', 'token_url']);
  const tls = auth.tls && clientTlsOf(auth.tls);
  if (auth.type === 'login') {
    const fields = Object.entries(auth.fields).map(([name, value]) => [name, fill(value, ['auth', 'fields', name])]);
    if (url === undefined || fields.some(([, value]) => value === undefined)) return undefined;
    return createLoginFieldsRequest({ url, fields: Object.fromEntries(fields), body: auth.body, tls });
  }
  const clientId = fill(auth.clientId, ['auth', 'client_id']);
  const clientSecret = fill(auth.clientSecret, ['auth', 'client_secret']);
  const audience = auth.audience === undefined ? '' : fill(auth.audience, ['auth', 'audience']);
  if (url === undefined || clientId === undefined || clientSecret === undefined || audience === undefined) {
    return undefined;
  }
  return createClientCredentialsRequest({
    ...{ url, clientId, clientSecret, scopes: auth.scopes, tls },
    authentication: auth.clientAuthentication,
    audience: audience === '' ? undefined : audience,
  });
}
