import { type ClientOperation, jsonMedia, type Presence } from './describe-operations.ts';

/** Returns the source of a client: the arguments, the result and the method of each operation. */
export function emitClient(contract: string, operations: readonly ClientOperation[]): string {
  return `import type { operations } from '@rostergate/${contract}-spec';
import type { Call, CallOptions, Send } from './transport.gen.ts';

${operations.flatMap(emitArguments).join('')}${operations.map(emitResult).join('')}/** One method per operationId of the contract. Each throws an \`ApiProblem\` for an error response. */
export interface ${pascal(contract)}Operations {
${operations.map(emitSignature).join('')}}

/** The call of each operation. */
export const calls: Readonly<Record<keyof ${pascal(contract)}Operations, Call>> = {
${operations.map(emitCall).join('')}};

/** Returns the methods, which send their calls by \`send\`. */
export function create${pascal(contract)}Operations(send: Send): ${pascal(contract)}Operations {
  return {
${operations.map(({ operationId: id }) => `    ${id}: (request) => send(calls.${id}, request),\n`).join('')}  };
}
`;
}

function emitArguments(operation: ClientOperation): string[] {
  if (!takesAnything(operation)) return [];
  const { operationId: id, body, conditions } = operation;
  const parameters = `operations['${id}']['parameters']`;
  const bodyType = `NonNullable<operations['${id}']['requestBody']>['content']['${jsonMedia}']`;
  return [
    `/** Arguments of \`${id}\`. */\n`,
    `export interface ${pascal(id)}Arguments extends CallOptions {\n`,
    emitMember('path', operation.pathParameters, `${parameters}['path']`),
    emitMember('query', operation.queryParameters, `NonNullable<${parameters}['query']>`),
    emitMember('body', body, bodyType),
    ...conditions.map(
      (header) =>
        `  /** \`${header}\`: the ETag from \`etagOf(…)\`. */\n  readonly ${camel(header)}?: string | undefined;\n`,
    ),
    '}\n\n',
  ];
}

function emitMember(name: string, presence: Presence, type: string): string {
  if (presence === 'none') return '';
  return presence === 'required' ? `  readonly ${name}: ${type};\n` : `  readonly ${name}?: ${type} | undefined;\n`;
}

/** Writes the type of a result. The contract types JSON. All other media types are text. */
function emitResult({ operationId: id, successes, conditions }: ClientOperation): string {
  const types = successes.map(({ status, media }) =>
    media === jsonMedia ? `operations['${id}']['responses'][${status}]['content']['${media}']` : 'string',
  );
  // 304 has no body.
  if (conditions.includes('If-None-Match')) types.push('undefined');
  const distinct = [...new Set(types)];
  const union = distinct.length > 1 ? `\n  | ${distinct.join('\n  | ')}` : ` ${distinct[0] ?? 'undefined'}`;
  return `/** Result of \`${id}\`. */\nexport type ${pascal(id)}Result =${union};\n\n`;
}

function emitSignature(operation: ClientOperation): string {
  const { operationId: id, method, path, summary, description } = operation;
  const type = takesAnything(operation) ? `${pascal(id)}Arguments` : 'CallOptions';
  const lines = [`${summary}. \`${method.toUpperCase()} ${path}\``, '', ...description.trim().split('\n')];
  const comment = lines.map((line) => `   * ${line.replaceAll('*/', '*\\/')}`.trimEnd()).join('\n');
  return `  /**\n${comment}\n   */\n  ${id}(request${isRequired(operation) ? '' : '?'}: ${type}): Promise<${pascal(id)}Result>;\n`;
}

/** Writes the call of an operation. Default values at its end are omitted. */
function emitCall({ operationId: id, method, path, successes, isPublic }: ClientOperation): string {
  const media = [...new Set(successes.map((success) => success.media))];
  // Without JSON, each path has one media type.
  const accept =
    media.length > 1 && !media.includes(jsonMedia) ? '*/*' : media.join(', ').replace(/(?<=, .*)$/, ';q=0.5');
  const row = [`'${path}'`, method === 'get' ? 'undefined' : `'${method}'`, String(isPublic), `'${accept}'`];
  const defaults = ['', 'undefined', 'false', `'${jsonMedia}'`];
  while (row.at(-1) === defaults[row.length - 1]) row.pop();
  return `  ${id}: [${row.join(', ')}],\n`;
}

function takesAnything({ pathParameters, queryParameters, body, conditions }: ClientOperation): boolean {
  return [pathParameters, queryParameters, body].some((presence) => presence !== 'none') || conditions.length > 0;
}

function isRequired({ pathParameters, queryParameters, body }: ClientOperation): boolean {
  return pathParameters === 'required' || queryParameters === 'required' || body === 'required';
}

/** Returns `ifMatch` for `If-Match`. */
function camel(header: string): string {
  const joined = header.replaceAll('-', '');
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
