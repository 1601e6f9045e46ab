import { type ClientOperation, jsonMedia, type Presence } from './describe-operations.ts';

/** The typed surface of a client: for each operation what it takes, what it gives, and the method that calls it. */
export function emitClient(contract: string, operations: readonly ClientOperation[]): string {
  return `import type { operations } from '@rostergate/${contract}-spec';
import type { Call, CallOptions, CallRequest, Send } from './transport.gen.ts';

${operations.flatMap(emitArguments).join('')}${operations.map(emitResult).join('')}/** One method for each operation of the contract, by operationId. Each throws an \`ApiProblem\` for an error answer. */
export interface ${pascal(contract)}Operations {
${operations.map(emitSignature).join('')}}

/** What the contract says of each operation, as far as calling it goes. */
export const calls: Readonly<Record<keyof ${pascal(contract)}Operations, Call>> = {
${operations.map(emitCall).join('')}};

/** Builds the methods over something that sends calls. */
export function create${pascal(contract)}Operations(send: Send): ${pascal(contract)}Operations {
  const methods = Object.entries<Call>(calls).map(([id, call]) => [id, (request?: CallRequest) => send(call, request)]);
  return Object.fromEntries(methods) as ${pascal(contract)}Operations;
}
`;
}

function emitArguments(operation: ClientOperation): string[] {
  if (!takesAnything(operation)) return [];
  const { operationId: id, body } = operation;
  const parameters = `operations['${id}']['parameters']`;
  const bodyType = `NonNullable<operations['${id}']['requestBody']>['content']['${jsonMedia}']`;
  return [
    `/** What \`${id}\` takes. */\n`,
    `export interface ${pascal(id)}Arguments extends CallOptions {\n`,
    emitMember('path', operation.pathParameters, `${parameters}['path']`),
    emitMember('query', operation.queryParameters, `NonNullable<${parameters}['query']>`),
    emitMember('body', body, bodyType),
    '}\n\n',
  ];
}

function emitMember(name: string, presence: Presence, type: string): string {
  if (presence === 'none') return '';
  return presence === 'required' ? `  readonly ${name}: ${type};\n` : `  readonly ${name}?: ${type} | undefined;\n`;
}

/** JSON is typed by the contract; everything else is text. */
function emitResult({ operationId: id, answers }: ClientOperation): string {
  const types = answers.map(({ status, media }) =>
    media === jsonMedia ? `operations['${id}']['responses'][${status}]['content']['${media}']` : 'string',
  );
  const distinct = [...new Set(types)];
  const union = distinct.length > 1 ? `\n  | ${distinct.join('\n  | ')}` : ` ${distinct[0] ?? 'undefined'}`;
  return `/** What \`${id}\` gives. */\nexport type ${pascal(id)}Result =${union};\n\n`;
}

function emitSignature(operation: ClientOperation): string {
  const { operationId: id, method, path, summary, description } = operation;
  const type = takesAnything(operation) ? `${pascal(id)}Arguments` : 'CallOptions';
  const says = [`${summary}. \`${method.toUpperCase()} ${path}\``, '', ...description.trim().split('\n')];
  const comment = says.map((line) => `   * ${line.replaceAll('*/', '*\\/')}`.trimEnd()).join('\n');
  return `  /**\n${comment}\n   */\n  ${id}(request${isRequired(operation) ? '' : '?'}: ${type}): Promise<${pascal(id)}Result>;\n`;
}

function emitCall({ operationId: id, method, path, answers, joined, isPublic }: ClientOperation): string {
  const accept = [...new Set(answers.map(({ media }) => media))];
  const parts = [
    ...(method === 'get' ? [] : [`method: '${method}'`]),
    `path: '${path}'`,
    ...(accept.join() === jsonMedia ? [] : [`accept: ${emitList(accept)}`]),
    ...(joined.length === 0 ? [] : [`joined: ${emitList(joined)}`]),
    ...(isPublic ? ['isPublic: true'] : []),
  ];
  return `  ${id}: { ${parts.join(', ')} },\n`;
}

function takesAnything({ pathParameters, queryParameters, body }: ClientOperation): boolean {
  return pathParameters !== 'none' || queryParameters !== 'none' || body !== 'none';
}

function isRequired({ pathParameters, queryParameters, body }: ClientOperation): boolean {
  return pathParameters === 'required' || queryParameters === 'required' || body === 'required';
}

function emitList(values: readonly string[]): string {
  return `[${values.map((value) => `'${value}'`).join(', ')}]`;
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
