import { type Column, formatTable } from '@rostergate/runtime/command';
import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { configOption } from './config-option.ts';
import { listServedRoutes, type ServedRoute } from './served-routes.ts';

/** `rostergate routes` */
export function createRoutesCommand(context: CommandContext): Command {
  const { out } = context.terminal;
  return new Command('routes')
    .description(
      'Lists everything the gateway serves with this configuration. Piped, it is a line a route with tabs between the columns.',
    )
    .addOption(configOption())
    .option('--json', 'print a JSON array')
    .action(async ({ config, json }: { config?: string; json?: true }) => {
      const { loadGateway } = await import('./load-gateway.ts');
      const loaded = await loadGateway(context, { config });
      const routes = listServedRoutes(loaded);
      const { settings } = loaded.configuration;
      const perMinute = `${settings.rate_limit_per_minute}/${settings.rate_limit_per_minute_authenticated}`;
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
];

function toRow(route: ServedRoute, perMinute: string): string[] {
  const { is_rate_limited, rate_limit_per_minute, cache_seconds } = route;
  return [
    route.method,
    route.path,
    route.service ?? '(built in)',
    route.has_own_keys ? 'its own' : route.requires_key ? 'needed' : '–',
    route.scopes.join(' ') || '–',
    is_rate_limited ? String(rate_limit_per_minute ?? perMinute) : '–',
    cache_seconds === 0 ? '–' : `${cache_seconds} s`,
  ];
}
