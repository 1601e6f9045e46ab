import { type ContractDocument, operationsOf } from '@rostergate/endpoints';

type Members = Readonly<Record<string, unknown>>;

/** One operation of a document, with what it inherits from its path item and the document. */
export interface ReadOperation {
  readonly operationId: string;
  /** `GET /pets/{id}`. */
  readonly name: string;
  /** Method and path without parameter names, which identify the operation. */
  readonly key: string;
  readonly operation: Members;
  readonly parameters: ReadonlyMap<string, ReadParameter>;
  readonly body: Members | undefined;
  readonly responses: ReadonlyMap<string, Members>;
  readonly access: Access;
}

export interface ReadParameter {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** Whether it is the rest of the path. */
  readonly isRest: boolean;
  readonly takesEmpty: boolean;
  /** The style, or the media type of a parameter with content. */
  readonly style: string;
  readonly schema: unknown;
}

/** Who may call, and how often. */
export interface Access {
  readonly isPublic: boolean;
  /** The alternative credentials, described for people. */
  readonly ways: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
  /** Infinity without a limit; undefined if only the limit of the server applies. */
  readonly perMinute: number | undefined;
  /** Undefined if only the limit of the server applies. */
  readonly bodyBytesMax: number | undefined;
  /** Names of policies, in the order in which they run. */
  readonly policies: readonly string[];
}

/** Returns a function that finds the prefix operation that serves the requests of an absent one: the longest with its method. */
export function createCoveringFinder(
  operations: Iterable<ReadOperation>,
): (operation: Pick<ReadOperation, 'name'>) => ReadOperation | undefined {
  const prefixes = [...operations]
    .filter(({ name }) => name.endsWith('*}'))
    .map((operation) => ({ operation, start: operation.name.split('/').slice(0, -1) }))
    .sort((a, b) => b.start.length - a.start.length);
  return ({ name }) => {
    const segments = name.split('/');
    const covers = (start: readonly string[]) =>
      start.length < segments.length && start.every((text, i) => text.startsWith('{') || text === segments[i]);
    return prefixes.find(({ start }) => covers(start))?.operation;
  };
}

export function readOperations(document: ContractDocument): Map<string, ReadOperation> {
  const found = new Map<string, ReadOperation>();
  for (const { operationId, method, path, endpointPath, item, operation } of operationsOf(
    document.value,
    document.resolve,
  )) {
    const key = `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
    found.set(key, {
      operationId,
      name: `${method.toUpperCase()} ${endpointPath}`,
      key,
      operation,
      parameters: readParameters([item.parameters, operation.parameters], path, document),
      body: operation.requestBody === undefined ? undefined : follow(operation.requestBody, document),
      responses: new Map(
        Object.entries((operation.responses ?? {}) as Members)
          .filter(([status]) => !status.startsWith('x-'))
          .map(([status, response]) => [status, follow(response, document)]),
      ),
      access: readAccess(operation, document),
    });
  }
  return found;
}

/** Follows a reference; returns an empty object for a value that is not an object. */
export function follow(value: unknown, document: ContractDocument): Members {
  let found = value;
  for (let hops = 0; hops < 32 && isMembers(found) && typeof found.$ref === 'string'; hops++)
    found = document.resolve(found.$ref);
  return isMembers(found) ? found : {};
}

/** Returns the content by media type without parameters. */
export function contentOf({ content }: Members): ReadonlyMap<string, Members> {
  return new Map(
    Object.entries(isMembers(content) ? content : {}).map(([type, media]) => [
      (type.split(';', 1)[0] as string).trim().toLowerCase(),
      isMembers(media) ? media : {},
    ]),
  );
}

/** Returns the entry of a media type, by its name or by a range such as `text/*`. */
export function mediaFor(type: string, content: ReadonlyMap<string, Members>): Members | undefined {
  return content.get(type) ?? content.get(type.replace(/\/.*/, '/*')) ?? content.get('*/*');
}

export function isWithin(type: string, range: string): boolean {
  return range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ignoredHeaders: ReadonlySet<string> = new Set(['header accept', 'header content-type', 'header authorization']);

/** Returns parameters by place and name; path parameters by position, since callers never see their names. */
function readParameters(
  lists: readonly unknown[],
  path: string,
  document: ContractDocument,
): Map<string, ReadParameter> {
  const segments = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]);
  const found = new Map<string, ReadParameter>();
  for (const given of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const parameter = follow(given, document);
    const { name, in: place } = parameter;
    if (typeof name !== 'string' || typeof place !== 'string') continue;
    const key =
      place === 'path'
        ? `path ${segments.indexOf(name)}`
        : `${place} ${place === 'header' ? name.toLowerCase() : name}`;
    if (!ignoredHeaders.has(key)) found.set(key, readParameter(parameter, name, place));
  }
  return found;
}

function readParameter(parameter: Members, name: string, place: string): ReadParameter {
  const defaultStyle = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const style = typeof parameter.style === 'string' ? parameter.style : defaultStyle;
  const explode = typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form';
  const [media] = contentOf(parameter);
  return {
    name,
    in: place,
    isRequired: place === 'path' || parameter.required === true,
    isDeprecated: parameter.deprecated === true,
    isRest: place === 'path' && parameter['x-multi-segment'] === true,
    takesEmpty: parameter.allowEmptyValue === true,
    style: media === undefined ? `${style}${explode ? ', exploded' : ''}` : media[0],
    schema: media === undefined ? parameter.schema : media[1].schema,
  };
}

function readAccess(operation: Members, document: ContractDocument): Access {
  const security = operation.security ?? document.value.security;
  const requirements = (Array.isArray(security) ? security : []).filter(isMembers);
  const scopes = operation['x-required-scopes'];
  const limit = operation['x-rate-limit-per-minute'];
  const bodyBytesMax = operation['x-body-bytes-max'];
  const policies = operation['x-policies'];
  return {
    isPublic: requirements.length === 0 || requirements.some((requirement) => Object.keys(requirement).length === 0),
    ways: new Set(
      requirements.map((requirement) =>
        Object.keys(requirement)
          .map((name) => wayOf(name, document))
          .sort()
          .join(' and '),
      ),
    ),
    scopes: new Set([
      ...(Array.isArray(scopes) ? scopes.map(String) : []),
      ...requirements.flatMap((requirement) => Object.values(requirement).flat().map(String)),
    ]),
    perMinute:
      operation['x-rate-limit'] === 'exempt' ? Number.POSITIVE_INFINITY : typeof limit === 'number' ? limit : undefined,
    bodyBytesMax: typeof bodyBytesMax === 'number' ? bodyBytesMax : undefined,
    policies: Array.isArray(policies) ? policies.map(String) : [],
  };
}

/** Describes a security scheme by what callers send, independent of its name. */
function wayOf(name: string, document: ContractDocument): string {
  const schemes = (document.value.components as Members | undefined)?.securitySchemes as Members | undefined;
  const scheme = follow(schemes !== undefined && Object.hasOwn(schemes, name) ? schemes[name] : undefined, document);
  if (scheme.type === 'apiKey') return `the ${scheme.in} ${scheme.name}`;
  if (typeof scheme['x-issuer'] === 'string') return `a token of ${scheme['x-issuer']}`;
  if (scheme.type === 'http') return `HTTP ${scheme.scheme}`;
  return typeof scheme.type === 'string' ? scheme.type : name;
}
