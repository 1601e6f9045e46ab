import type { IncomingHttpHeaders } from 'node:http';

export type ODataVersion = '4.0' | '4.01';

/**
 * Returns the version of a response: 4.0 for a client that accepts at most 4.0, or that sends its request in 4.0 without
 * naming a maximum (OData protocol 4.01, sections 8.1.5 and 8.2.7).
 */
export function odataVersionFor(headers: IncomingHttpHeaders): ODataVersion {
  return (headers['odata-maxversion'] ?? headers['odata-version']) === '4.0' ? '4.0' : '4.01';
}
