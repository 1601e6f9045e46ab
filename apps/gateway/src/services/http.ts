import {
  defineRawService,
  type Endpoint,
  type Environment,
  type RawHandler,
  type Service,
  type UpstreamSettings,
} from '@rostergate/endpoints';
import { createAddressKey, createProxyTrust } from '@rostergate/runtime/limits';
import {
  createAddressRewriter,
  createPathWriter,
  createSentHeaderReader,
  forward,
  type UpstreamRegistry,
} from '@rostergate/runtime/upstream';
import { resolveUpstream } from './http-upstream.ts';

export interface HttpServiceOptions {
  /** Where `${NAME}` in targets and headers is looked up. */
  readonly env: Environment;
  /** Holds the connections, over all configurations. */
  readonly upstreams: UpstreamRegistry;
  /** Addresses and blocks of proxies that may say where a request began; none by default. */
  readonly trustedProxies?: readonly string[];
}

/** Forwards to the `upstream` of its endpoint. */
export function createHttpService(options: HttpServiceOptions): Service {
  return defineRawService({
    ...described,
    upstream: { check: (settings) => resolveUpstream(settings, options.env).faults },
    open: (endpoint) => openUpstream(endpoint, options),
  });
}

/** The same without anything behind it: for describing endpoints where none is served. */
export function describeHttpService(): Service {
  return defineRawService({
    ...described,
    upstream: {},
    open: () => ({
      handle: () => {
        throw new Error('This service only describes.');
      },
    }),
  });
}

const described = {
  name: 'http',
  // Keys are not sent on.
  ignoresCaller: true,
  summary: 'The answer of an upstream',
  description: 'Forwards the request, its query and its body to a server behind the gateway, and its answer back.',
  errors: {
    502: 'The upstream cannot be reached, broke off or answered with something that is not HTTP.',
    503: 'The upstream has failed too often and is given a rest.',
    504: 'The upstream did not answer in time.',
  },
};

function openUpstream(endpoint: Endpoint, { env, upstreams, trustedProxies = [] }: HttpServiceOptions): RawHandler {
  const settings = endpoint.upstream as UpstreamSettings;
  const { targets, headers } = resolveUpstream(settings, env);
  const isTrustedProxy = trustedProxies.length === 0 ? undefined : createProxyTrust(trustedProxies);
  const addressKey = createAddressKey({ trustedProxies });
  const template = settings.path ?? endpoint.path;
  const writePath = createPathWriter(template);
  const addresses = createAddressRewriter({ targets, upstreamPath: template, publicPath: endpoint.path });
  const traced = { template, origin: targets.length === 1 ? new URL(targets[0] as string).origin : undefined };
  const { send, release } = upstreams.lease({
    targets,
    timeoutMs: settings.timeoutMs,
    retries: settings.retries,
    // What fails at one endpoint opens no breaker for another.
    scope: endpoint.operationId,
  });
  return {
    sentHeader: createSentHeaderReader({ headers, isTrustedProxy }),
    handle({ pathTexts, query, body, conditions }, context) {
      return forward(context, {
        send,
        path: writePath(pathTexts) + query,
        headers,
        body: body ?? null,
        conditions,
        isTrustedProxy,
        addressKey,
        addresses,
        traced,
      });
    },
    close: release,
  };
}
