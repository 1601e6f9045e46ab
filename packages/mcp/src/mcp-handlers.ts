import type { Context, ContractRouter, OpenApiDocument, RawReply, SendLocally } from '@rostergate/server';
import { createMcpHandler } from './mcp-handler.ts';
import { type McpIssuer, type McpSettings, mcpAuthOf } from './mcp-settings.ts';
import { createTools, type ToolChoice } from './tools.ts';

export interface McpHandlersOptions {
  readonly mcp: McpSettings & { readonly tools: readonly ToolChoice[] };
  /** The issuers of tokens of this server. */
  readonly issuers: readonly McpIssuer[];
  /** The name of this server, as clients show it. */
  readonly name: string;
  readonly version: string;
  /** The contract with the operations of the tools. */
  readonly document: OpenApiDocument;
  /** The router of this configuration, once it exists. */
  readonly router: () => ContractRouter;
  /** Sends the request of a call through the whole pipeline of this server. */
  readonly send: SendLocally;
  /** Called when this server breaks off a call. */
  readonly onError: (error: Error) => void;
}

// A type, because an interface is no record of handlers.
export type McpHandlers = {
  readonly callMcp: (request: { readonly body: unknown }, context: Context) => Promise<RawReply>;
  readonly getMcpMetadata: () => { readonly status: 200; readonly body: ResourceMetadata };
};

/** The metadata of a protected resource (RFC 9728 §2). */
interface ResourceMetadata {
  resource: string;
  authorization_servers: string[];
  bearer_methods_supported: 'header'[];
}

/** Returns the handlers of `/mcp` for one configuration. */
export function createMcpHandlers(options: McpHandlersOptions): McpHandlers {
  const { mcp, issuers, name, version, document, router, send, onError } = options;
  const handle = createMcpHandler({
    info: { name, title: document.info.title, version },
    tools: () => createTools(document, mcp.tools, router().routes).tools,
    origins: mcp.origins,
    timeoutMs: mcp.timeout_ms,
    resultBytesMax: mcp.result_bytes_max,
    ...{ router, send, onError },
  });
  const names = mcpAuthOf(mcp).issuers;
  const metadata: ResourceMetadata = {
    resource: mcp.resource,
    authorization_servers: issuers.filter((one) => names.includes(one.name)).map(({ issuer }) => issuer),
    bearer_methods_supported: ['header'],
  };
  return {
    callMcp: ({ body }, context) => handle(body, context),
    getMcpMetadata: () => ({ status: 200, body: metadata }),
  };
}
