import { createMcpHandlers, type McpHandlersOptions, metadataUrlOf } from '@rostergate/mcp';
import type { Handlers, RouterOptions } from '@rostergate/server';
import { createCors } from '@rostergate/server/edge';
import type { Settings } from '../settings.ts';
import { toolsOf } from './staff-tools.ts';

/** What the router of the proxy serves besides the contract. */
export interface ToolRoutes {
  readonly extraHandlers: Handlers;
  readonly policiesOf: RouterOptions['policiesOf'];
}

/** Returns the handlers of `/mcp`, and its CORS policy where its pages are configured; undefined without the setting. */
export function createToolRoutes(
  { mcp, jwt_issuers: issuers, cors_max_age_seconds: maxAgeSeconds }: Settings,
  options: Omit<McpHandlersOptions, 'mcp' | 'issuers' | 'name'>,
): ToolRoutes | undefined {
  if (mcp === undefined) return undefined;
  const tools = toolsOf(mcp);
  const { callMcp, getMcpMetadata } = createMcpHandlers({
    ...options,
    mcp: { ...mcp, tools },
    ...{ issuers, name: 'rostergate-staff-proxy' },
  });
  const cors = createCors({ origins: mcp.origins, maxAgeSeconds });
  return {
    extraHandlers: metadataUrlOf(mcp) === undefined ? { callMcp } : { callMcp, getMcpMetadata },
    policiesOf: cors && ((id) => (id === 'callMcp' || id === 'getMcpMetadata' ? { cors } : undefined)),
  };
}
