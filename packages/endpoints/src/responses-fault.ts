import { didYouMean, statusTexts } from '@rostergate/server/problem';
import type { z } from 'zod';
import { eventStreamType, isEventStream } from './service-responses.ts';
import { isTransforming } from './service-validation.ts';

/** Returns what is wrong with `responses` of a definition; undefined when nothing is. */
export function responsesFault(
  value: unknown,
  { response, problems }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return 'They must name a status. Write { 201: { body: z.object({ … }) } }.';
  }
  const problemStatuses = Object.values((problems ?? {}) as Record<string, { status?: unknown } | undefined>);
  const faults = Object.entries(value).flatMap(([key, definition]) => {
    const status = Number(key);
    if (!/^[2-5]\d\d$/.test(key)) return [`${key}: It is not a status from 200 to 599.`];
    if (status === 304) return ['304: The gateway sends it by itself.'];
    if (status === 200 && response !== undefined) return ['200: It is declared by response: remove one of them.'];
    if (problemStatuses.some((problem) => problem?.status === status)) {
      return [`${key}: A problem has this status: remove one of them.`];
    }
    return definitionFaults(status, definition).map((detail) => `${key}: ${detail}`);
  });
  return faults.length === 0 ? undefined : faults.join(' ');
}

const definitionMembers = ['description', 'body', 'stream', 'data', 'heartbeatMs', 'headers', 'example'];

function definitionFaults(status: number, value: unknown): string[] {
  if (typeof value !== 'object' || value === null)
    return ['It is not an object. Write {} for a response without a body.'];
  const definition = value as Readonly<Record<string, unknown>>;
  const faults = Object.keys(definition)
    .filter((name) => !definitionMembers.includes(name))
    .map((name) => `There is no ${name}.${didYouMean(name, definitionMembers)}`);
  const { body, stream, data, heartbeatMs, headers = {}, example } = definition;
  for (const [name, schema] of Object.entries({ body, data })) {
    if (schema !== undefined && !isSchema(schema)) faults.push(`Its ${name} is not a zod 4 schema.`);
  }
  if (body !== undefined && stream !== undefined) faults.push('It has a body and a stream: remove one of them.');
  if ((status === 204 || status === 205) && (body !== undefined || stream !== undefined)) {
    faults.push(`${statusTexts[status]} has no body: remove it.`);
  }
  const isEvents = typeof stream === 'string' && isEventStream(stream);
  if (stream !== undefined && !(typeof stream === 'string' && mediaType.test(stream))) {
    faults.push('Its stream is not a media type, such as "text/csv".');
  } else if ((data !== undefined || heartbeatMs !== undefined) && !isEvents) {
    faults.push(`Its data and heartbeatMs need the stream ${eventStreamType}.`);
  }
  if (heartbeatMs !== undefined && !(Number.isInteger(heartbeatMs) && (heartbeatMs as number) >= 10)) {
    faults.push('Its heartbeatMs is not a number of at least 10.');
  }
  if (typeof headers !== 'object' || headers === null) return [...faults, 'Its headers are no object.'];
  for (const [name, schema] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) faults.push(`"${name}" is not a header name.`);
    else if (reservedHeaders.has(name.toLowerCase())) faults.push(`The gateway sets the header ${name}: remove it.`);
    else if (!isSchema(schema)) faults.push(`The header ${name} is not a zod 4 schema.`);
  }
  if (example !== undefined && isSchema(body) && !isTransforming(body)) {
    const issues = body.safeParse(example).error?.issues ?? [];
    for (const { path, message } of issues)
      faults.push(`Its example does not match: ${[...path, message].join(': ')}.`);
  }
  return faults;
}

const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w-]+=(?:[\w!#$&^.+-]+|"[\w !#$&^.+-]*"))*$/;

const reservedHeaders: ReadonlySet<string> = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-authenticate',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ],
  ...['content-length', 'content-type', 'date', 'ratelimit', 'ratelimit-policy', 'x-request-id'],
]);

/** Checks for zod's own mark: a service may bring another copy of zod. */
export function isSchema(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}
