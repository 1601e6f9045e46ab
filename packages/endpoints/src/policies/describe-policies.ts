import { problemResponse, type Responses } from '../endpoint-responses.ts';
import type { SchemaObject } from '../json-pointer.ts';
import type { HeadersPolicy, Policy } from './policy.ts';

/** The parts of an operation that describe its policies. */
export interface PolicyFragment {
  readonly 'x-policies'?: readonly string[];
  readonly 'x-body-bytes-max'?: number;
}

export function describePolicies(policies: readonly Policy[]): PolicyFragment {
  if (policies.length === 0) return {};
  const sizes = policies.flatMap((policy) => (policy.type === 'body_size' ? [policy.bytesMax] : []));
  return {
    'x-policies': policies.map(({ name }) => name),
    ...(sizes.length === 0 ? {} : { 'x-body-bytes-max': Math.min(...sizes) }),
  };
}

/** Returns a function that adds the responses of policies to those of an endpoint, once for each combination. */
export function createPolicyResponses(): (responses: Responses, policies: readonly Policy[]) => Responses {
  const known = new WeakMap<Responses, Map<string, Responses>>();
  return (responses, policies) => {
    if (policies.length === 0) return responses;
    let variants = known.get(responses);
    if (variants === undefined) {
      variants = new Map();
      known.set(responses, variants);
    }
    const key = policies.map(({ name }) => name).join(' ');
    let found = variants.get(key);
    if (found === undefined) {
      found = policies.reduce(addPolicy, responses);
      variants.set(key, found);
    }
    return found;
  };
}

function addPolicy(responses: Responses, policy: Policy): Responses {
  switch (policy.type) {
    case 'addresses':
      return addResponse(responses, '403', 'The address of the client is not allowed.', false);
    case 'code':
      return Object.entries(policy.policy.answers).reduce(
        (all, [status, text]) => addResponse(all, status, text, true),
        responses,
      );
    case 'express':
      return addResponse(responses, 'default', `A response of the middleware ${policy.name}.`, true);
    case 'headers':
      return withHeaders(responses, policy);
    default:
      return responses;
  }
}

/** Adds a status, or its description to that of the same status. */
function addResponse(responses: Responses, status: string, text: string, isAny: boolean): Responses {
  const before = responses[status];
  // A reference already describes a problem of the gateway.
  if (before !== undefined && '$ref' in before) return responses;
  const own = before ?? (status < '4' ? { content: {} } : problemResponse(''));
  const description = [before?.description, text].filter(Boolean).join(' ');
  const content = isAny ? { ...(own.content as object | undefined), '*/*': { schema: {} } } : own.content;
  return { ...responses, [status]: { ...own, description, ...(content === undefined ? {} : { content }) } };
}

/** Describes the response headers that a policy sets, and leaves out those that it removes. */
function withHeaders(responses: Responses, { name, response: { dropped, fields } }: HeadersPolicy): Responses {
  if (dropped.size === 0 && fields.length === 0) return responses;
  const own = Object.fromEntries(
    fields.map((field) => [
      field.name,
      { description: `Set by the policy ${name}.`, schema: { type: 'string' } } satisfies SchemaObject,
    ]),
  );
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if (!/^[23]/.test(status) || '$ref' in response) return [status, response];
      const headers = Object.entries((response.headers ?? {}) as SchemaObject);
      const left = headers.filter(([header]) => !dropped.has(header.toLowerCase()));
      return [status, { ...response, headers: { ...Object.fromEntries(left), ...own } }];
    }),
  );
}
