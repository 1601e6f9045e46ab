import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Context, RawReply } from '@rostergate/server';

/** A message `tools/call` in its usual form, which needs nothing else of the protocol. */
export interface DirectCall {
  readonly id: string | number;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Of the revision 2026-07-28; otherwise of a client of 2025. */
  readonly isCurrent: boolean;
}

const current = '2026-07-28';
const earlier: ReadonlySet<unknown> = new Set([undefined, '2025-03-26', '2025-06-18', '2025-11-25']);
const prefix = 'io.modelcontextprotocol/';

/**
 * Returns the call of a message in its usual form. Every other message is for the protocol library: errors,
 * notifications, progress, and members or header fields that a usual call does not have.
 */
export function readDirectCall(body: unknown, headers: Context['req']['headers']): DirectCall | undefined {
  if (!isObject(body) || body.method !== 'tools/call' || !hasOnly(body, messageMembers)) return undefined;
  const { jsonrpc, id, params } = body;
  if (jsonrpc !== '2.0' || !(typeof id === 'string' || Number.isSafeInteger(id))) return undefined;
  if (!isObject(params) || !hasOnly(params, paramMembers)) return undefined;
  const { name, arguments: args = {}, _meta: meta } = params;
  if (typeof name !== 'string' || !isObject(args)) return undefined;
  const version = headers['mcp-protocol-version'];
  const [method, target] = [headers['mcp-method'], headers['mcp-name']];
  const isCurrent = meta !== undefined;
  const isUsual = isCurrent
    ? version === current && method === 'tools/call' && target === name && isEnvelope(meta)
    : earlier.has(version) && method === undefined && target === undefined;
  return isUsual ? { id: id as string | number, name, args, isCurrent } : undefined;
}

const messageMembers: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const paramMembers: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);
const [versionName, clientName, capabilitiesName] = ['protocolVersion', 'clientInfo', 'clientCapabilities'].map(
  (name) => prefix + name,
) as [string, string, string];
const envelopeMembers: ReadonlySet<string> = new Set([versionName, clientName, capabilitiesName]);

/** What a client of the current revision sends with each message, without capabilities and texts of its own. */
function isEnvelope(meta: unknown): boolean {
  if (!isObject(meta) || !hasOnly(meta, envelopeMembers)) return false;
  const { [versionName]: version, [clientName]: client, [capabilitiesName]: capabilities } = meta;
  if (version !== current || !isObject(client) || !isObject(capabilities)) return false;
  const { name, version: clientVersion } = client;
  return (
    typeof name === 'string' &&
    typeof clientVersion === 'string' &&
    Object.keys(client).length === 2 &&
    Object.keys(capabilities).length === 0
  );
}

function hasOnly(value: object, members: ReadonlySet<string>): boolean {
  for (const member in value) if (!members.has(member)) return false;
  return true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the response with the result of a call, as the protocol library writes it. */
export function toDirectReply(
  { id, isCurrent }: DirectCall,
  result: CallToolResult,
  info: object,
  acceptsEvents: boolean,
): RawReply {
  const whole = isCurrent ? { ...result, resultType: 'complete', _meta: { [`${prefix}serverInfo`]: info } } : result;
  const raw = JSON.stringify({ result: whole, jsonrpc: '2.0', id });
  return isCurrent || !acceptsEvents
    ? { status: 200, raw, contentType: 'application/json' }
    : { status: 200, raw: `event: message\ndata: ${raw}\n\n`, contentType: 'text/event-stream' };
}
