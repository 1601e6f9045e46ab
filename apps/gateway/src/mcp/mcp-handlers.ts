import type { Settings } from '@rostergate/endpoints';
import type { GatewayHandlers } from '@rostergate/gateway-server';
import { createMcpHandlers, type McpHandlersOptions } from '@rostergate/mcp';
import { createRouteProblem } from '@rostergate/server/problem';

export interface GatewayMcpOptions extends Omit<McpHandlersOptions, 'mcp' | 'issuers' | 'name'> {
  readonly settings: Readonly<Settings>;
}

/** Returns the handlers of `/mcp`; without `mcp` in the settings, they are not served. */
export function createGatewayMcpHandlers({
  settings: { mcp, jwt_issuers: issuers },
  ...options
}: GatewayMcpOptions): Pick<GatewayHandlers, 'callMcp' | 'getMcpMetadata'> {
  if (mcp !== undefined) return createMcpHandlers({ ...options, mcp, issuers, name: 'rostergate' });
  const notServed = () => {
    throw createRouteProblem();
  };
  return { callMcp: notServed, getMcpMetadata: notServed };
}
