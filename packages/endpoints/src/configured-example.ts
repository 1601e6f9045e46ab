import type { Endpoint } from './endpoint.ts';
import type { Responses } from './endpoint-responses.ts';
import type { SchemaObject } from './json-pointer.ts';

/** Longer values are not examples, but make the document long. */
const charactersMax = 2_000;

/**
 * Adds the value that the configuration sets as the example of the response. Everybody may read the document, so of a
 * value that needs a key, or that a policy protects, only the type is shown.
 */
export function withConfiguredExample(responses: Responses, endpoint: Endpoint): Responses {
  const { service, operation, requiresAuth, policies } = endpoint;
  const argument = endpoint.arguments.find(({ name }) => name === service.exampleFrom);
  const response = responses[200] as { readonly content?: Readonly<Record<string, SchemaObject>> } | undefined;
  const json = response?.content?.['application/json'];
  if (argument?.source !== 'configuration' || operation !== undefined || json === undefined) return responses;
  const isPublic = !requiresAuth && policies.length === 0;
  const { value } = argument;
  const example = isPublic && charactersLeft(value, charactersMax) >= 0 ? value : emptyOf(value);
  return {
    ...responses,
    200: { ...response, content: { ...response?.content, 'application/json': { ...json, example } } },
  };
}

/** Returns how much of a budget a JSON value leaves, about; negative when it is longer. */
function charactersLeft(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 2;
  if (typeof value !== 'object' || value === null) return budget - String(value).length;
  let left = budget - 2;
  for (const [key, member] of Object.entries(value)) {
    if (left < 0) break;
    left = charactersLeft(member, Array.isArray(value) ? left - 1 : left - key.length - 4);
  }
  return left;
}

/** Returns a value of the same JSON type. */
function emptyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === 'object' && value !== null) return {};
  return { string: 'text', number: 1, boolean: true }[typeof value as 'string'] ?? null;
}
