import type { LocalResponse } from '@rostergate/server';
import { createProblemDocument, type Problem } from '@rostergate/server/problem';
import { toODataError } from '../odata-error.ts';
import type { ODataVersion } from '../odata-version.ts';

/** The response of a part. */
export interface PartResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined without a body. */
  readonly body: string | undefined;
  readonly bytes: number;
}

/** The fields that describe a response, unlike those of its connection. */
const described = [
  ...['allow', 'content-type', 'etag', 'location', 'odata-version', 'preference-applied', 'retry-after'],
  ...['www-authenticate', 'x-request-id'],
];

/** Returns the response to a part as it is in a batch. A body that was not read to its end is absent. */
export function toPartResponse({ status, headers, body, isWhole }: LocalResponse): PartResponse {
  const shown = described.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  const isShown = isWhole && body.length > 0;
  return {
    ...{ status, headers: Object.fromEntries(shown), bytes: isShown ? body.length : 0 },
    body: isShown ? toJson(body, headers['content-type'] ?? '') : undefined,
  };
}

/** Returns bytes as the standard writes them (OData JSON format 4.01, section 19.1). */
function toJson(body: Buffer, contentType: string): string {
  const [type = ''] = contentType.split(';', 1);
  if (/^application\/(?:[\w.-]+\+)?json$/.test(type)) return body.toString();
  return JSON.stringify(type.startsWith('text/') ? body.toString() : body.toString('base64url'));
}

/** Returns the response to a part that is not executed. */
export function toErrorResponse(problem: Problem, requestId: string, version: ODataVersion): PartResponse {
  const body = JSON.stringify(toODataError(createProblemDocument(problem, requestId)));
  const headers = { 'content-type': 'application/json', 'odata-version': version };
  return { status: problem.status, headers, body, bytes: body.length };
}
