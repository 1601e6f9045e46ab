import type { Settings } from '@rostergate/endpoints';
import type { GatewayHandlers } from '@rostergate/gateway-server';
import { createMcpHandler, createTools } from '@rostergate/mcp';
import type { ContractRouter, OpenApiDocument, SendLocally } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { mcpAuthOf } from './mcp-settings.ts';

export interface McpHandlersOptions {
  readonly settings: Readonly<Settings>;
  readonly document: OpenApiDocument;
  readonly version: string;
  /** The router of this generation, once it exists. */
  readonly router: () => ContractRouter;
  readonly send: SendLocally;
  readonly onError: (error: Error) => void;
}

/** Returns the handlers of `/mcp`; without `mcp` in the settings, they are not served. */
export function createMcpHandlers(options: McpHandlersOptions): Pick<GatewayHandlers, 'callMcp' | 'getMcpMetadata'> {
  const { settings, document, version, router, send, onError } = options;
  const { mcp, jwt_issuers: issuers } = settings;
  if (mcp === undefined) {
    const notServed = () => {
      throw new Problem('route_not_found', 'See /openapi.json for the routes that exist.');
    };
    return { callMcp: notServed, getMcpMetadata: notServed };
  }
  const handle = createMcpHandler({
    info: { name: 'rostergate', title: document.info.title, version },
    tools: createTools(document, mcp.tools).tools,
    origins: mcp.origins,
    timeoutMs: mcp.timeout_ms,
    resultBytesMax: mcp.result_bytes_max,
    ...{ router, send, onError },
  });
  const names = mcpAuthOf(mcp).issuers;
  const metadata = {
    resource: mcp.resource,
    authorization_servers: issuers.filter(({ name }) => names.includes(name)).map(({ issuer }) => issuer),
    bearer_methods_supported: ['header' as const],
  };
  return {
    callMcp: ({ body }, context) => handle(body, context),
    getMcpMetadata: () => ({ status: 200, body: metadata }),
  };
}
