import type { Say } from '../compare-servers.ts';
import { type Figure, ratioFigure } from '../figure.ts';
import { stop } from '../server-process.ts';
import { compareCosts } from './compare-costs.ts';
import { createCallers, middleOf, price } from './configurations.ts';
import { startPriceGateway } from './gateway.ts';

const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'price', arguments: { symbol: price.symbol, days: price.days } },
};
const headersOfCall = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2025-11-25',
};

/** Compares the CPU of a call of a tool (Model Context Protocol) with that of the same HTTP request. */
export async function measureTools(say: Say): Promise<readonly Figure[]> {
  await using servers = new AsyncDisposableStack();
  const { keys, headers } = createCallers();
  const settings = {
    mcp: { tools: [{ operation_id: 'getApiPrice0', name: 'price' }] },
    // An address may call /mcp as often as this.
    rate_limit_per_minute: 1_000_000,
  };
  const server = servers.adopt(await startPriceGateway(1, keys, { settings }), stop);
  const ratios = await compareCosts(say, headers, [
    { name: 'for a tool', server, path: '/mcp', headers: headersOfCall, body: JSON.stringify(call) },
    { name: 'for a request', server, path: middleOf(1) },
  ]);
  return [ratioFigure({ name: 'gateway: a call of a tool, CPU to the same request', max: 1.5, unit: '×' }, ratios)];
}
