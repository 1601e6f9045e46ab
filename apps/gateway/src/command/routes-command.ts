import { type Column, formatTable } from '@rostergate/config/command';
import { type Endpoint, type Settings, upstreamPartsOf } from '@rostergate/endpoints';
import type { Route } from '@rostergate/server';
import { Command } from 'commander';
import { type CommandContext, configOption } from './command-context.ts';
import type { LoadedGateway } from './load-gateway.ts';

/** `rostergate routes` */
export function createRoutesCommand(context: CommandContext): Command {
  const { out } = context.terminal;
  return new Command('routes')
    .description(
      'Lists the routes that the gateway serves with this configuration. In a pipe, the output is tab-separated, one route per line.',
    )
    .addOption(configOption())
    .option('--json', 'print a JSON array')
    .action(async ({ config, json }: { config?: string; json?: true }) => {
      const { loadGateway } = await import('./load-gateway.ts');
      const loaded = await loadGateway(context, { config });
      const routes = listServedRoutes(loaded);
      const { settings } = loaded.configuration;
      const { rate_limit_per_minute, rate_limit_per_minute_authenticated, anonymous_plan, default_plan } = settings;
      const perMinute = `${anonymous_plan || rate_limit_per_minute}/${default_plan || rate_limit_per_minute_authenticated}`;
      out.write(
        json
          ? `${JSON.stringify(routes, null, 2)}\n`
          : formatTable(
              columns,
              routes.map((route) => toRow(route, perMinute)),
              out,
            ),
      );
    });
}

const columns: readonly Column[] = [
  { title: 'METHOD', style: () => 'cyan' },
  { title: 'PATH', isWhole: true },
  { title: 'SERVICE' },
  { title: 'KEY' },
  { title: 'SCOPES', isOptional: true },
  { title: 'PER MINUTE', align: 'right', isOptional: true },
  { title: 'CACHE', align: 'right', isOptional: true },
  { title: 'POLICIES', isOptional: true },
];

function toRow(route: ServedRoute, perMinute: string): string[] {
  const { is_rate_limited, rate_limit_per_minute, cache_seconds } = route;
  return [
    route.method,
    route.path,
    route.service ?? '(built in)',
    [...(route.has_own_keys ? ['its own'] : route.requires_key ? ['needed'] : []), ...tokensOf(route)].join(' ') || '–',
    route.scopes.join(' ') || '–',
    is_rate_limited ? String(rate_limit_per_minute ?? perMinute) : '–',
    cache_seconds === 0 ? '–' : `${cache_seconds} s`,
    route.policies.join(' ') || '–',
  ];
}

function tokensOf({ auth }: ServedRoute): readonly string[] {
  return auth.filter((way) => way !== 'key');
}

function authOf({ isPublic, security }: Route, endpoint: Endpoint | undefined): readonly string[] {
  if (isPublic) return [];
  const ways = new Set(security.flatMap((requirement) => Object.keys(requirement)));
  const issuers = endpoint?.issuers ?? [...ways].filter((name) => name.startsWith('jwt-')).map((name) => name.slice(4));
  return [...(ways.has('apiKeyHeader') ? ['key'] : []), ...issuers.map((name) => `jwt:${name}`)];
}

/** A served route. */
interface ServedRoute {
  readonly method: string;
  readonly path: string;
  readonly operation_id: string;
  readonly summary: string;
  /** Null for a built-in route. */
  readonly service: string | null;
  /** Whether it needs a key, or accepts one beside tokens. */
  readonly requires_key: boolean;
  /** The credentials that it accepts: `key`, and `jwt:` with the name of an issuer. */
  readonly auth: readonly string[];
  /** Whether it has its own keys instead of the global ones. */
  readonly has_own_keys: boolean;
  readonly scopes: readonly string[];
  /** The route's own limit; null if only the limits of the server apply. */
  readonly rate_limit_per_minute: number | null;
  readonly is_rate_limited: boolean;
  readonly cache_seconds: number;
  /** The optional parts of its upstream, such as `health`. */
  readonly upstream: readonly string[];
  /** Names, in the order in which they run. */
  readonly policies: readonly string[];
}

/** Returns all routes, built-in and configured, sorted by path and method. */
function listServedRoutes({ configuration, generation }: LoadedGateway): ServedRoute[] {
  const { settings, endpoints, endpointKeys } = configuration;
  const byId = new Map(endpoints.map((endpoint) => [endpoint.operationId, endpoint]));
  return generation.router.routes
    .map((route) => {
      const endpoint = byId.get(route.operationId);
      return {
        method: route.method.toUpperCase(),
        path: route.path,
        operation_id: route.operationId,
        summary: route.operation.summary ?? '',
        service: endpoint?.service.name ?? null,
        requires_key: !route.isPublic && (endpoint?.acceptsKeys ?? true),
        auth: authOf(route, endpoint),
        has_own_keys: endpointKeys.has(route.operationId),
        scopes: route.requiredScopes,
        rate_limit_per_minute: route.rateLimitPerMinute ?? null,
        is_rate_limited: isLimited(settings, route),
        cache_seconds: endpoint?.cacheSeconds ?? 0,
        upstream: endpoint?.upstream === undefined ? [] : upstreamPartsOf(endpoint.upstream),
        policies: endpoint?.policies.map(({ name }) => name) ?? [],
      };
    })
    .sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method));
}

function isLimited(settings: Readonly<Settings>, route: Route): boolean {
  return settings.rate_limit_enabled && route.quota !== 'none';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
