import type { OpenApiDocument } from '@rostergate/server';
import {
  type CalledOperation,
  createExampleRequest,
  curlOf,
  type ExampleOptions,
  type ExampleRequest,
} from './curl-line.ts';

/** A call in one language, ready to run. */
export interface CallExample {
  readonly language: string;
  readonly code: string;
}

/** Returns the call of an operation with a key and the examples of its contract, in curl, TypeScript and Python. */
export function createCallExamples(
  document: OpenApiDocument,
  called: CalledOperation,
  options: ExampleOptions,
): readonly CallExample[] {
  const request = createExampleRequest(document, called, options);
  return [
    { language: 'curl', code: curlOf(request) },
    { language: 'TypeScript', code: typeScriptOf(request) },
    { language: 'Python', code: pythonOf(request) },
  ];
}

function typeScriptOf(request: ExampleRequest): string {
  const { method, url, body } = request;
  const lines = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: { ${fieldsOf(request)} },`,
    ...(body === undefined ? [] : [`  body: ${JSON.stringify(body)},`]),
  ];
  return `const response = await fetch(${JSON.stringify(url)}, {\n${lines.join('\n')}\n});
console.log(response.status, await response.text());`;
}

function pythonOf(request: ExampleRequest): string {
  const { method, url, body } = request;
  const lines = [
    `    ${JSON.stringify(url)},`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    `    headers={${fieldsOf(request)}},`,
    ...(body === undefined ? [] : [`    data=${JSON.stringify(body)}.encode(),`]),
  ];
  return `import urllib.request

request = urllib.request.Request(\n${lines.join('\n')}\n)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`;
}

/** Returns the header fields as members; texts of JSON are texts of both languages. */
function fieldsOf({ credential, body }: ExampleRequest): string {
  const fields = [
    ...(credential === undefined ? [] : [credential]),
    ...(body === undefined ? [] : [['Content-Type', 'application/json']]),
  ];
  return fields.map((field) => field.map((text) => JSON.stringify(text)).join(': ')).join(', ');
}
