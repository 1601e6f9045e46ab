import type { CallToolResult } from '@modelcontextprotocol/server';
import type { LocalResponse } from '@rostergate/server';

/**
 * Returns the result of a tool for the response of its operation. An error response is a result with `isError`, so that
 * the model reads what to do. A response that is cut off would be misread, so only its length is reported.
 */
export function toCallResult({ status, headers, body, isWhole }: LocalResponse, bytesMax: number): CallToolResult {
  if (!isWhole) return failedCall(`The response is longer than ${bytesMax} bytes. Ask for less.`);
  const type = headers['content-type'] ?? '';
  const isError = status >= 400;
  if (body.length === 0) return { content: [{ type: 'text', text: `HTTP status ${status}` }], isError };
  if (!isError && !isText(type)) return { content: [binaryContent(type, body)] };
  const after = headers['retry-after'];
  const retry =
    after === undefined ? '' : `\nTry again ${/^\d+$/.test(after) ? `in ${after} seconds` : `after ${after}`}.`;
  const text = body.toString('utf8');
  return {
    content: [{ type: 'text', text: text + retry }],
    ...(isError ? { isError } : structuredContent(type, text)),
  };
}

/** Returns the result of a call that got no usable response. */
export function failedCall(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

const isJson = (type: string) => /^application\/(?:[\w.-]+\+)?json\b/.test(type);
const isText = (type: string) => isJson(type) || /^text\/|^application\/(?:[\w.-]+\+)?xml\b/.test(type);

function structuredContent(type: string, text: string): Pick<CallToolResult, 'structuredContent'> {
  if (!isJson(type)) return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { structuredContent: value as Record<string, unknown> } : {};
  } catch {
    return {};
  }
}

function binaryContent(type: string, body: Buffer): CallToolResult['content'][number] {
  const data = body.toString('base64');
  const mimeType = type.split(';')[0] || 'application/octet-stream';
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  return { type: 'resource', resource: { uri: 'response:body', mimeType, blob: data } };
}
