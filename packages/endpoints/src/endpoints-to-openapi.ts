import { markRest, openApiPathOf } from '@rostergate/server';
import { runSteps, type Steps } from '@rostergate/server/steps';
import { z } from 'zod';
import { withConfiguredExample } from './configured-example.ts';
import { reachedFrom } from './contract/component-library.ts';
import type { ContractOperation } from './contract/contract-operation.ts';
import { describeRawEndpoint } from './define-raw-service.ts';
import { describeJson, describeProblems, describeReplies } from './describe-replies.ts';
import { type Argument, type Endpoint, type Service, takesBody } from './endpoint.ts';
import { securityOf } from './endpoint-auth.ts';
import {
  createResponsesReader,
  describeErrors,
  type ResponseContent,
  type Responses,
  withWebSocket,
} from './endpoint-responses.ts';
import type { SchemaObject } from './json-pointer.ts';
import { createPolicyResponses, describePolicies, type PolicyFragment } from './policies/describe-policies.ts';

/** The OpenAPI parts of the configured endpoints. References point into the built-in document they are merged with. */
export interface OpenApiFragment {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationFragment>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaObject>> };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

export interface OperationFragment extends PolicyFragment {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly SchemaObject[];
  readonly requestBody?: SchemaObject;
  readonly responses: Readonly<Record<string, SchemaObject>>;
  readonly deprecated?: boolean;
  readonly 'x-required-scopes'?: readonly string[];
  readonly 'x-rate-limit-per-minute'?: number;
  readonly 'x-query-names'?: string;
  readonly 'x-websocket'?: true;
}

/** Describes endpoints as OpenAPI 3.0 paths, at build time and in the running gateway. */
export function endpointsToOpenApi(endpoints: readonly Endpoint[]): OpenApiFragment {
  return runSteps(endpointsToOpenApiSteps(endpoints));
}

/** Does the same in steps, one endpoint each. Endpoints with the same content share its objects. */
export function* endpointsToOpenApiSteps(endpoints: readonly Endpoint[]): Steps<OpenApiFragment> {
  const paths: Record<string, Record<string, OperationFragment>> = {};
  const schemas: Record<string, SchemaObject> = {};
  const contentOf = createContentReader(schemas);
  const responsesOf = createResponsesReader();
  const withPolicies = createPolicyResponses();
  const tags = new Set<string>();
  for (const endpoint of endpoints) {
    yield;
    const content = contentOf(endpoint);
    const responses = withPolicies(responsesOf(content, endpoint), endpoint.policies);
    const operation = describeOperation(endpoint, content, withConfiguredExample(responses, endpoint));
    for (const tag of operation.tags) tags.add(tag);
    const path = openApiPathOf(endpoint.path);
    paths[path] ??= {};
    (paths[path] as Record<string, OperationFragment>)[endpoint.method] = operation;
  }
  return {
    paths,
    components: { schemas },
    tags: [...tags].map((name) => ({ name, description: `Configured endpoints with the tag ${name}.` })),
  };
}

interface DescribedService {
  readonly schemas: ServiceSchemas;
  readonly body: SchemaObject | undefined;
  readonly responses: Responses;
}

interface EndpointContent extends ResponseContent {
  readonly parameters: readonly SchemaObject[];
}

/** Returns a function that describes an endpoint's requests and responses, from its contract or else its service. */
function createContentReader(schemas: Record<string, SchemaObject>): (endpoint: Endpoint) => EndpointContent {
  const described = new Map<Service, DescribedService>();
  const prefixes = new Set<string>();
  const contents = new Map<string, EndpointContent>();
  const errors = new Map<Service, Responses>();

  const errorsOf = (service: Service): Responses => {
    const known = errors.get(service) ?? describeErrors(service);
    errors.set(service, known);
    return known;
  };

  const describe = (endpoint: Endpoint): EndpointContent => {
    const { service } = endpoint;
    if (service.raw !== undefined) return { ...describeRawEndpoint(endpoint), errors: errorsOf(service) };
    let known = described.get(service);
    if (known === undefined) {
      known = describeService(service, schemas, prefixes);
      described.set(service, known);
    }
    return {
      responses: known.responses,
      errors: errorsOf(service),
      parameters: describeParameters(endpoint, known.schemas),
      requestBody: takesBody(endpoint.method) ? known.body : undefined,
    };
  };

  return (endpoint) => {
    const { service, operation } = endpoint;
    if (operation !== undefined) {
      carryComponents(operation, schemas);
      const { parameters, requestBody, responses } = operation;
      return { parameters: markRest(parameters, endpoint.path), requestBody, responses, errors: errorsOf(service) };
    }
    const key = contentKey(endpoint);
    let content = contents.get(key);
    if (content === undefined) {
      content = describe(endpoint);
      contents.set(key, content);
    }
    return content;
  };
}

/** Returns the same key for endpoints with the same content. Service names are unique and contain no spaces. */
function contentKey({ service, method, path, arguments: sources }: Endpoint): string {
  if (service.raw !== undefined) return `${service.name} ${method} ${path.match(/\{[^}]+\}/g)?.join(' ') ?? ''}`;
  let key = `${service.name} ${method}${path.endsWith('*}') ? ' rest' : ''}`;
  for (const argument of sources) {
    if (argument.source !== 'configuration')
      key += ` ${argument.name} ${argument.source} ${JSON.stringify(argument.key)}`;
  }
  return key;
}

function carryComponents({ uses, components }: ContractOperation, schemas: Record<string, SchemaObject>): void {
  for (const [name, component] of reachedFrom(uses, components)) schemas[name] = component.schema;
}

/** Describes what all endpoints of a service share; its schemas become components. */
function describeService(
  service: Service,
  components: Record<string, SchemaObject>,
  prefixes: Set<string>,
): DescribedService {
  const prefix = componentPrefix(service.name, components, prefixes);
  prefixes.add(prefix);
  const schemas = createServiceSchemas(service, prefix);
  Object.assign(components, schemas.components);
  const component = (name: string, schema: SchemaObject): SchemaObject => {
    components[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  const responses =
    service.replies === undefined
      ? { 200: describeJson(service.summary, component(`${prefix}Answer`, schemas.response), service.example) }
      : describeReplies(service, service.replies, (name, schema) =>
          component(`${prefix}${name}`, schemas.translate(schema, 'output', name)),
        );
  const body = schemas.body && {
    required: schemas.body.isRequired,
    content: { 'application/json': { schema: component(`${prefix}Body`, schemas.body.schema) } },
  };
  // The responses may have added some.
  Object.assign(components, schemas.components);
  return { schemas, body, responses: { ...responses, ...describeProblems(service) } };
}

function describeOperation(endpoint: Endpoint, content: EndpointContent, responses: Responses): OperationFragment {
  const { parameters, requestBody } = content;
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: endpoint.description,
    tags: endpoint.tags.length === 0 ? usualTags : endpoint.tags,
    security: securityOf(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: endpoint.upstream?.webSocket === undefined ? responses : withWebSocket(responses),
    ...(endpoint.operation?.isDeprecated ? { deprecated: true } : {}),
    ...(endpoint.operation?.queryNames === undefined ? {} : { 'x-query-names': endpoint.operation.queryNames }),
    ...(endpoint.upstream?.webSocket === undefined ? {} : { 'x-websocket': true }),
    ...(endpoint.scopes.length === 0 ? {} : { 'x-required-scopes': endpoint.scopes }),
    ...(endpoint.rateLimitPerMinute === undefined ? {} : { 'x-rate-limit-per-minute': endpoint.rateLimitPerMinute }),
    ...describePolicies(endpoint.policies),
  };
}

function describeParameters(endpoint: Endpoint, schemas: ServiceSchemas): readonly SchemaObject[] {
  const parameters = endpoint.arguments.flatMap((argument) => {
    if (argument.source === 'configuration') return [];
    return [describeParameter(argument, schemas.parameters[argument.name] as ParameterSchema)];
  });
  return markRest(parameters, endpoint.path);
}

function describeParameter(
  argument: Exclude<Argument, { source: 'configuration' }>,
  schema: ParameterSchema,
): SchemaObject {
  const isInPath = argument.source === 'path';
  // A path segment is always present: a default would never apply.
  const { default: fallback, ...rest } = schema.schema;
  return {
    name: argument.key,
    in: argument.source,
    ...(isInPath || schema.isRequired ? { required: true } : {}),
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(argument.source === 'query' && schema.allowsEmpty ? { allowEmptyValue: true } : {}),
    // The validator takes no style for granted.
    ...(argument.source === 'header' && schema.schema.type === 'array' ? { style: 'simple', explode: false } : {}),
    schema: isInPath || fallback === undefined ? rest : { ...rest, default: fallback },
    ...(schema.example === undefined ? {} : { example: schema.example }),
  };
}

const usualTags: readonly string[] = ['Endpoints'];

/** `ticker-list` → `TickerList`, with a number appended when another service has the same prefix. */
function componentPrefix(
  name: string,
  components: Readonly<Record<string, unknown>>,
  taken: ReadonlySet<string>,
): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const base = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  let prefix = base;
  for (let n = 2; taken.has(prefix) || `${prefix}Answer` in components; n++) prefix = `${base}${n}`;
  return prefix;
}

/** The OpenAPI schemas of a service, shared by its endpoints. */
interface ServiceSchemas {
  readonly parameters: Readonly<Record<string, ParameterSchema>>;
  readonly body: { readonly schema: SchemaObject; readonly isRequired: boolean } | undefined;
  readonly response: SchemaObject;
  readonly translate: (schema: z.ZodType, io: 'input' | 'output', name: string) => SchemaObject;
  /** Schemas that the others refer to; `translate` adds to them. */
  readonly components: Readonly<Record<string, SchemaObject>>;
}

interface ParameterSchema {
  readonly schema: SchemaObject;
  readonly description: string | undefined;
  readonly example: unknown;
  readonly isRequired: boolean;
  readonly allowsEmpty: boolean;
  readonly isConfiguration: boolean;
}

/** Translates the zod schemas of a service to OpenAPI 3.0. `prefix` begins the names of the components. */
function createServiceSchemas(service: Service, prefix: string): ServiceSchemas {
  const components: Record<string, SchemaObject> = {};
  const translate = (schema: z.ZodType, io: 'input' | 'output', name: string): SchemaObject => {
    const { definitions, ...rest } = z.toJSONSchema(schema, {
      target: 'openapi-3.0',
      io,
      unrepresentable: 'any',
    }) as Record<string, unknown>;
    const base = `${prefix}${name}`;
    for (const [key, definition] of Object.entries((definitions ?? {}) as Record<string, SchemaObject>)) {
      components[componentName(base, key)] = relink(definition, base);
    }
    return relink(rest, base);
  };
  return {
    parameters: createParameterSchemas(service.parameters, (schema) => translate(schema, 'input', 'Parameters')),
    body: service.body && {
      schema: translate(service.body, 'input', 'Body'),
      isRequired: !service.body.safeParse(undefined).success,
    },
    response: translate(service.response, 'output', 'Answer'),
    translate,
    components,
  };
}

function createParameterSchemas(
  parameters: z.ZodObject,
  translate: (schema: z.ZodType) => SchemaObject,
): Record<string, ParameterSchema> {
  const whole = translate(parameters);
  const required = new Set((whole.required ?? []) as string[]);
  const schemas = (whole.properties ?? {}) as Record<string, Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { in: place, key: _, description, example, ...schema }]) => [
      name,
      {
        schema,
        description: description as string | undefined,
        example,
        isRequired: required.has(name),
        allowsEmpty: (parameters.shape[name] as z.ZodType).safeParse('').success,
        isConfiguration: place === 'configuration',
      },
    ]),
  );
}

/** Rewrites references to zod's definitions into references to components. */
function relink<T>(value: T, base: string): T {
  return JSON.parse(JSON.stringify(value), (key, member: unknown) =>
    key === '$ref' && typeof member === 'string' && member.startsWith('#/definitions/')
      ? `#/components/schemas/${componentName(base, member.slice('#/definitions/'.length))}`
      : member,
  ) as T;
}

function componentName(base: string, definition: string): string {
  return `${base}_${definition.replace(/^_+/, '').replace(/[^A-Za-z0-9._-]/g, '_')}`;
}
