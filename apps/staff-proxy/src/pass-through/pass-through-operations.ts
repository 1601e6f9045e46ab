import { type HttpMethod, markRest, openApiPathOf, parseEndpointPath } from '@rostergate/server';
import { adminScope } from '../keys/proxy-keys.ts';
import type { PassThroughEntry } from './pass-through-field.ts';

/** One method of an entry. */
export interface PassThroughOperation {
  readonly operationId: string;
  /** Name of the entry. */
  readonly name: string;
  readonly method: HttpMethod;
  /** The path template as in the settings. */
  readonly path: string;
}

/** Returns the operations of the setting: one for each method of each entry. */
export function passThroughOperations(entries: readonly PassThroughEntry[]): readonly PassThroughOperation[] {
  return entries.flatMap(({ name, path, methods }) =>
    [...new Set(methods)].map((spelling) => {
      const method = spelling.toLowerCase() as HttpMethod;
      return { operationId: operationIdOf(name, method), name, method, path };
    }),
  );
}

/** Returns the operationIds that a key with these names may call. */
export function permittedOperations(names: readonly string[], isReadOnly: boolean): ReadonlySet<string> {
  const methods: readonly HttpMethod[] = isReadOnly ? ['get'] : ['get', 'post', 'put', 'patch', 'delete'];
  return new Set(names.flatMap((name) => methods.map((method) => operationIdOf(name, method))));
}

/** No operationId of the contract has an underscore. */
function operationIdOf(name: string, method: HttpMethod): string {
  return `${method}PassThrough_${name}`;
}

const tag = 'Pass-through (unvalidated)';

/** Describes the operations for a document that has its paths below `ownBase`. */
export function describePassThrough(operations: readonly PassThroughOperation[], ownBase: string) {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = openApiPathOf(operation.path.slice(ownBase.length));
    paths[path] ??= {};
    paths[path][operation.method] = describeOperation(operation);
  }
  const description =
    'Paths of the upstream beyond the contract, as the operator has configured them. Requests and responses are not validated, and they are not limited to the company of the key.';
  return { paths, components: {}, tags: [{ name: tag, description }] };
}

function describeOperation({ operationId, name, method, path }: PassThroughOperation) {
  const parsed = parseEndpointPath(path);
  const names = typeof parsed === 'string' ? [] : parsed.parameters;
  const inPath = names.map((parameter) => ({
    ...{ name: parameter, in: 'path', required: true },
    schema: { type: 'string' },
  }));
  const anyQuery = {
    name: 'query',
    in: 'query',
    description: 'Any query, forwarded unchanged.',
    schema: { type: 'object', additionalProperties: true },
  };
  return {
    operationId,
    summary: `${name}: forwarded unvalidated`,
    description: `Unvalidated: the upstream alone defines the request and the response. The key must list \`${name}\` in \`pass_through\`.`,
    tags: [tag],
    'x-unvalidated': true,
    'x-needs-grant': `"${name}" in pass_through${method === 'get' ? '' : ' without read_only'}`,
    ...(method === 'get' ? {} : { 'x-required-scopes': [adminScope], requestBody: anyContent }),
    parameters: [...markRest(inPath, path), anyQuery],
    responses: {
      403: { $ref: '#/components/responses/Forbidden' },
      default: { description: 'The response of the upstream, or a problem of this proxy.', ...anyContent },
    },
  };
}

const anyContent = { content: { '*/*': {} } };
