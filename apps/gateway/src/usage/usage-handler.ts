import type { GatewayHandlers } from '@rostergate/gateway-server';
import type { Principal } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import type { Usage } from './usage.ts';
import { checkUsageRows, toUsage, toUsageCsv, toUsageQuery, usageRowsMax } from './usage-range.ts';

export interface UsageHandlerOptions {
  readonly usage: Pick<Usage, 'read'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const parts = ['key', 'operation', 'status'] as const;

/** Returns the handler of `/usage`: the counts of the owner of the credential, and of no other. */
export function createUsageHandler({ usage, clock }: UsageHandlerOptions): GatewayHandlers['getUsage'] {
  return async ({ query }, { principal, req }) => {
    const form = req.accepts(['application/json', 'text/csv']);
    if (form === false) throw new Problem('not_acceptable', 'Accept application/json or text/csv.');
    const { owner } = principal as Principal;
    if (query.owner !== undefined && query.owner !== owner) {
      throw new Problem('not_found', 'Your key or token has no such owner. Leave out "owner" to get your own usage.');
    }
    const asked = toUsageQuery(query, { owner, parts, nowMs: clock(), rowsMax: usageRowsMax });
    const rows = checkUsageRows(await usage.read(asked), asked);
    const headers = { Vary: 'Accept' };
    if (form === 'text/csv') {
      return { status: 200, raw: toUsageCsv(rows, asked.by), contentType: 'text/csv; charset=utf-8', headers };
    }
    return {
      status: 200,
      headers,
      body: {
        owner,
        ...toUsage(rows, asked, query.interval),
      },
    };
  };
}
