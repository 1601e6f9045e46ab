export { createMcpHandler, type McpHandlerOptions } from './mcp-handler.ts';
export { createMcpHandlers, type McpHandlers, type McpHandlersOptions } from './mcp-handlers.ts';
export {
  findSettingsFaults,
  type McpAuth,
  type McpFault,
  type McpIssuer,
  type McpSettings,
  mcpAuthOf,
  metadataUrlOf,
  withMcpSecurity,
  withToolNames,
} from './mcp-settings.ts';
export { createTools, type Tool, type ToolChoice, type ToolFault, type Tools } from './tools.ts';
