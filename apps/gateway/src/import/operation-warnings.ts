import type { ContractDocument, FoundOperation } from '@rostergate/endpoints';

type Members = Readonly<Record<string, unknown>>;

/** Returns warnings for parts of an operation that the gateway does not implement as declared. */
export function operationWarnings(
  { operation, item, operationId, path }: FoundOperation,
  document: ContractDocument,
): string[] {
  const warnings: string[] = [];
  const parameters = [item.parameters, operation.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
  for (const given of parameters) {
    const { in: place, name, schema, content } = resolve(given, document);
    if (place === 'path' && !path.includes(`{${name}}`)) {
      const names = path.match(/\{[^{}]*\}/g)?.join(', ') ?? 'no parameters';
      warnings.push(
        `${operationId} declares the path parameter "${name}", but the path ${path} has ${names}: the parameter is not validated. Give both the same name.`,
      );
    }
    const isScalar = scalarTypes.has(resolve(schema, document).type) && content === undefined;
    if (place === 'cookie' && !isScalar) warnings.push(`The cookie ${name} is forwarded unchecked.`);
    if (place === 'header' && typeof name === 'string' && name.toLowerCase() === 'x-api-key') {
      warnings.push('The header X-API-Key is the key of the gateway: set the key of the upstream in upstream.headers.');
    }
  }
  for (const type of Object.keys(contentOf(operation.requestBody, document))) {
    if (!/[/+]json(;|$)|^text\/|x-www-form-urlencoded/i.test(type)) {
      warnings.push(`A body of ${operationId} in ${type} is forwarded unchecked.`);
    }
  }
  if (operation.callbacks !== undefined) {
    warnings.push(`The callbacks of ${operationId} are not imported: the upstream calls back itself.`);
  }
  const security = operation.security ?? document.value.security;
  for (const name of new Set((Array.isArray(security) ? security : []).flatMap((entry) => Object.keys(entry ?? {})))) {
    const parameterNames = parameters
      .map((given) => resolve(given, document))
      .filter(({ in: place }) => place === 'query');
    const advice = credentialAdvice(name, document, new Set(parameterNames.map((parameter) => parameter.name)));
    if (advice !== undefined) warnings.push(advice);
  }
  return warnings;
}

const scalarTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean']);

/** Returns how to send a credential to the upstream; undefined if callers may send it as a declared query parameter. */
function credentialAdvice(
  name: string,
  document: ContractDocument,
  declared: ReadonlySet<unknown>,
): string | undefined {
  const schemes = (document.value.components as Members | undefined)?.securitySchemes as Members | undefined;
  const scheme = schemes !== undefined && Object.hasOwn(schemes, name) ? resolve(schemes[name], document) : {};
  const field = scheme.type === 'apiKey' && typeof scheme.name === 'string' ? scheme.name : 'Authorization';
  if (scheme.type === 'apiKey' && scheme.in === 'query') {
    if (declared.has(field)) return undefined;
    return `The upstream requires "${name}" as the query parameter ${field}, which the gateway cannot add: declare ${field} as a parameter in the document and let callers send it, or write a service that adds it.`;
  }
  const header = scheme.in === 'cookie' ? `Cookie, as ${field}=…,` : field;
  const what = scheme.type === undefined || scheme.type === 'mutualTLS' ? 'the credential' : `the header ${header}`;
  return `The upstream requires "${name}", which callers of the gateway do not send: set ${what} in upstream.headers.`;
}

function contentOf(body: unknown, document: ContractDocument): Members {
  const { content } = resolve(body, document);
  return typeof content === 'object' && content !== null ? (content as Members) : {};
}

function resolve(value: unknown, document: ContractDocument): Members {
  let found = value as Members | undefined;
  for (let hops = 0; typeof found?.$ref === 'string' && hops < 32; hops++)
    found = document.resolve(found.$ref) as Members;
  return typeof found === 'object' && found !== null ? found : {};
}
