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
  const methods: Record<string, (request?: CallRequest) => Promise<unknown>> = {};
  for (const id in calls) methods[id] = (request) => send(calls[id as keyof typeof calls], request);
  return methods as unknown as ${pascal(contract)}Operations;
}
`;
}

function emitArguments(operation: ClientOperation): string[] {
  if (!takesAnything(operation)) return [];
  const { operationId: id, body, conditions } = operation;
  const parameters = `operations['${id}']['parameters']`;
  const bodyType = `NonNullable<operations['${id}']['requestBody']>['content']['${jsonMedia}']`;
  return [
    `/** What \`${id}\` takes. */\n`,
    `export interface ${pascal(id)}Arguments extends CallOptions {\n`,
    emitMember('path', operation.pathParameters, `${parameters}['path']`),
    emitMember('query', operation.queryParameters, `NonNullable<${parameters}['query']>`),
    emitMember('body', body, bodyType),
    ...conditions.map(
      (header) =>
        `  /** \`${header}\`: an ETag, of \`etagOf(…)\`. */\n  readonly ${camel(header)}?: string | undefined;\n`,
    ),
    '}\n\n',
  ];
}

function emitMember(name: string, presence: Presence, type: string): string {
  if (presence === 'none') return '';
  return presence === 'required' ? `  readonly ${name}: ${type};\n` : `  readonly ${name}?: ${type} | undefined;\n`;
}

/** JSON is typed by the contract; everything else is text. */
function emitResult({ operationId: id, answers, conditions }: ClientOperation): string {
  const types = answers.map(({ status, media }) =>
    media === jsonMedia ? `operations['${id}']['responses'][${status}]['content']['${media}']` : 'string',
  );
  // 304: the copy that If-None-Match names is good.
  if (conditions.includes('If-None-Match')) types.push('undefined');
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

/** A row of the table: what is usual is left out at its end. */
function emitCall({ operationId: id, method, path, answers, isPublic }: ClientOperation): string {
  const media = [...new Set(answers.map((answer) => answer.media))];
  // Of many forms each address has one.
  const accept =
    media.length > 1 && !media.includes(jsonMedia) ? '*/*' : media.join(', ').replace(/(?<=, .*)$/, ';q=0.5');
  const row = [`'${path}'`, method === 'get' ? 'undefined' : `'${method}'`, String(isPublic), `'${accept}'`];
  const usual = ['', 'undefined', 'false', `'${jsonMedia}'`];
  while (row.at(-1) === usual[row.length - 1]) row.pop();
  return `  ${id}: [${row.join(', ')}],\n`;
}

function takesAnything({ pathParameters, queryParameters, body, conditions }: ClientOperation): boolean {
  return [pathParameters, queryParameters, body].some((presence) => presence !== 'none') || conditions.length > 0;
}

function isRequired({ pathParameters, queryParameters, body }: ClientOperation): boolean {
  return pathParameters === 'required' || queryParameters === 'required' || body === 'required';
}

/** `If-Match` as a member: `ifMatch`. */
function camel(header: string): string {
  const joined = header.replaceAll('-', '');
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
