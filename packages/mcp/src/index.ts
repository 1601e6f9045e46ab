export { createMcpHandler, type McpHandlerOptions } from './mcp-handler.ts';
export { createTools, type Tool, type ToolChoice, type ToolFault, type Tools } from './tools.ts';
