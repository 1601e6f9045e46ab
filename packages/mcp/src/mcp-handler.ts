import type { CallToolResult, McpHttpHandler, McpRequestContext, Server } from '@modelcontextprotocol/server';
import {
  CallController,
  type Context,
  type ContractRouter,
  callerHeadersOf,
  type RawReply,
  type SendLocally,
} from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { failedCall, toCallResult } from './call-result.ts';
import { readDirectCall, toDirectReply } from './direct-call.ts';
import { ArgumentError, type Arguments, type Tool, type ToolRequest } from './tools.ts';

export interface McpHandlerOptions {
  /** The server as clients show it. */
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  /** Created with the first request. */
  readonly tools: () => readonly Tool[];
  /** The router of the operations. */
  readonly router: () => Pick<ContractRouter, 'mayCall' | 'operationAt'>;
  /** Sends the request of a call through the whole pipeline of this server. */
  readonly send: SendLocally;
  /** Origins of pages that may call; `*` for any. */
  readonly origins: readonly string[];
  /** The longest time of a call. */
  readonly timeoutMs: number;
  /** A longer response is an error. */
  readonly resultBytesMax: number;
  /** Called when this server breaks off a call. */
  readonly onError: (error: Error) => void;
}

/**
 * Returns the handler of POST requests by the Model Context Protocol, without sessions: revision 2026-07-28, and
 * clients of 2025. A caller sees the tools that it may call; each call is a request of its own with the credential of
 * the caller, so keys, limits, scopes, policies and validation apply as to any other.
 */
export function createMcpHandler(options: McpHandlerOptions): (body: unknown, context: Context) => Promise<RawReply> {
  const { origins, info } = options;
  let calls: ToolCalls | undefined;
  let protocol: Promise<McpHttpHandler> | undefined;
  return async (body, context) => {
    const { origin, host } = context.req.headers;
    if (origin !== undefined && !isOwnPage(origin, host) && !origins.includes(origin) && !origins.includes('*')) {
      throw new Problem(
        'origin_forbidden',
        'Pages of this origin may not call. Ask the operator to add it to origins.',
      );
    }
    calls ??= createToolCalls(options);
    // The library creates a server for each message, which takes half of the CPU time of a call.
    const direct = readDirectCall(body, context.req.headers);
    const tool = direct && (await calls.find(direct.name, context));
    if (direct !== undefined && tool !== undefined) {
      return toDirectReply(direct, await calls.call(tool, direct.args, context), info, acceptsEvents(context));
    }
    protocol ??= loadProtocol(options, calls);
    const { fetch } = await protocol;
    const response = await fetch(toWebRequest(context), {
      parsedBody: body,
      authInfo: { token: '', clientId: '', scopes: [], extra: { context } },
    });
    return toReply(response, acceptsEvents(context));
  };
}

/** A page that this machine serves under the same address; another machine can only pretend to be one by its name. */
function isOwnPage(origin: string, host: string | undefined): boolean {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin) && origin.replace(/^.*\/\//, '') === host;
}

/** Loaded with the first message that needs it. */
async function loadProtocol({ info }: McpHandlerOptions, calls: ToolCalls): Promise<McpHttpHandler> {
  const sdk = await import('@modelcontextprotocol/server');
  return sdk.createMcpHandler(({ authInfo }: McpRequestContext): Server => {
    const context = authInfo?.extra?.context as Context;
    const server = new sdk.Server({ ...info }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', async () => {
      return { tools: (await calls.list(context)).map(({ definition }) => definition) };
    });
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const tool = await calls.find(params.name, context);
      if (tool === undefined) {
        const name = params.name.slice(0, 64);
        throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
      }
      return calls.call(tool, params.arguments ?? {}, context, mcpReq.signal);
    });
    return server;
  });
}

const ownHeaders = { Accept: 'application/json, text/*;q=0.9, */*;q=0.5', 'User-Agent': 'rostergate-mcp' };

interface ToolCalls {
  /** Returns the tools that the caller of a request may call. */
  list(context: Context): Promise<readonly Tool[]>;
  /** Returns a tool; one that the caller may not call is unknown to it. */
  find(name: string, context: Context): Promise<Tool | undefined>;
  call(tool: Tool, args: Arguments, context: Context, cancelled?: AbortSignal): Promise<CallToolResult>;
}

function createToolCalls({ tools: load, router, ...options }: McpHandlerOptions): ToolCalls {
  const { send, timeoutMs, resultBytesMax, onError } = options;
  const tools = load();
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const mayCall = ({ operationId }: Tool, { req }: Context) => router().mayCall(req, operationId);

  async function call(tool: Tool, args: Arguments, context: Context, cancelled?: AbortSignal): Promise<CallToolResult> {
    let request: ToolRequest;
    try {
      request = tool.requestOf(args);
    } catch (error) {
      if (error instanceof ArgumentError) return failedCall(error.message);
      throw error;
    }
    const { method, url } = request;
    // Another path has priority over the template: for `{id}` = `me`, the operation of `/people/me`, which is no tool.
    if (router().operationAt(method, url) !== tool.operationId) {
      return failedCall(
        'The path with these arguments belongs to no operation or to another one. Change the arguments.',
      );
    }
    const traced = context.trace.startCall({ method });
    const running = new CallController();
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      running.abort();
    }, timeoutMs);
    const abort = () => running.abort();
    for (const signal of [context.call, cancelled]) {
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    }
    try {
      const response = await send({
        ...request,
        headers: { ...ownHeaders, ...callerHeadersOf(context.req), ...traced.headers, ...request.headers },
        client: context.req.socket,
        signal: running,
        bytesMax: resultBytesMax,
      });
      traced.end({ status: response.status });
      return toCallResult(response, resultBytesMax);
    } catch (error) {
      traced.end({ error });
      if (isLate) return failedCall(`The call took longer than ${timeoutMs} ms.`);
      if (!running.aborted) onError(error as Error);
      return failedCall('The call broke off. Try again.');
    } finally {
      clearTimeout(deadline);
    }
  }

  return {
    async list(context) {
      const allowed = await Promise.all(tools.map((tool) => mayCall(tool, context)));
      return tools.filter((_, i) => allowed[i]);
    },
    async find(name, context) {
      const tool = byName.get(name);
      return tool !== undefined && (await mayCall(tool, context)) ? tool : undefined;
    },
    call,
  };
}

/** The address is only for the form: the library reads the method and the headers. */
function toWebRequest({ req, signal }: Context): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value === 'string' && name !== 'authorization' && name !== 'x-api-key') headers.set(name, value);
  }
  // The library asks for both; which of them the client accepts has been checked.
  headers.set('accept', 'application/json, text/event-stream');
  return new Request('http://localhost/mcp', { method: 'POST', headers, signal });
}

function acceptsEvents({ req }: Context): boolean {
  return req.headers.accept?.includes('text/event-stream') === true;
}

/**
 * The whole response, since an open stream would end with its result missing when the server stops. A client that accepts
 * no event stream gets its only event as JSON.
 */
async function toReply(response: Response, isStreamed: boolean): Promise<RawReply> {
  const { status, headers } = response;
  const contentType = headers.get('content-type') ?? undefined;
  const text = await response.text();
  if (isStreamed || contentType?.startsWith('text/event-stream') !== true) return { status, raw: text, contentType };
  const [, data = ''] = /^data: (.*)$/m.exec(text) ?? [];
  return { status, raw: data, contentType: 'application/json' };
}
