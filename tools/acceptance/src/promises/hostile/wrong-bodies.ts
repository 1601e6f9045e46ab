import type { ServerName } from '../../start-server.ts';
import type { GrownRequest } from './growing-inputs.ts';

/** A request with a body of about `size` bytes in which everything is wrong. */
export interface WrongBody {
  readonly name: string;
  readonly request: (size: number) => GrownRequest;
  /** Whether it is JSON, so that its parse time is subtracted. */
  readonly isParsed: boolean;
}

/** Returns the wrong bodies for each operation of a server that takes a body. */
export function wrongBodies(server: ServerName): WrongBody[] {
  const path = server === 'gateway' ? '/api/strict' : '/v2/staffmember';
  const json = Object.entries(jsonTexts).map(([name, text]) => wrongBody(name, path, 'application/json', text));
  const forms = Object.entries(formTexts).map(([name, text]) =>
    wrongBody(name, '/v2/login', 'application/x-www-form-urlencoded', text),
  );
  return server === 'gateway' ? json : [...json, ...forms];
}

function wrongBody(name: string, path: string, type: string, text: (size: number) => string): WrongBody {
  return {
    name,
    isParsed: type === 'application/json',
    request: (size) => ({ method: 'POST', path, headers: { 'Content-Type': type }, body: text(size) }),
  };
}

const jsonTexts: Readonly<Record<string, (size: number) => string>> = {
  'texts with U+0000': (size) => listOf('"\\u0000"', size),
  'half surrogates in objects': (size) => listOf('{"a":"\\ud800","b":["\\udc00"]}', size),
  'names with U+0000': (size) => objectOf((i) => `"\\u0000${i}":1`, size / 14),
  'texts with U+0000, nested': (size) =>
    `${'{"a":["\\u0000",'.repeat(400)}${listOf('"\\u0000"', size)}${']}'.repeat(400)}`,
  'unknown names': (size) => objectOf((i) => `"a${i}":1`, size / 11),
  'names close to known ones': (size) => objectOf((i) => `"StafId${i}":""`, size / 16),
  'a name as long as the body': (size) => `{"${'a'.repeat(size)}":1}`,
  'a name of slashes': (size) => `{"${'/~'.repeat(size / 2)}":1}`,
  'a text with U+0000, as long as the body': (size) => `{"${'n'.repeat(size / 2)}":"${'\\u0000'.repeat(size / 12)}"}`,
  'wrong types in lists': (size) => `{"message":${listOf('1', size)},"Tags":${listOf('1', 100)}}`,
  'empty objects in lists': (size) => `{"message":1,"Tags":${listOf('{}', size)},"Skillset":[{}]}`,
  'a list of empty objects': (size) => listOf('{}', size),
};

const formTexts: Readonly<Record<string, (size: number) => string>> = {
  'unknown fields': (size) => Array.from({ length: Math.min(900, size / 8) }, (_, i) => `a${i}=1`).join('&'),
  'a field with U+0000': (size) => `email=${'%00'.repeat(size / 3)}`,
};

function listOf(item: string, size: number): string {
  return `[${`${item},`.repeat(size / (item.length + 1))}${item}]`;
}

function objectOf(member: (index: number) => string, count: number): string {
  return `{${Array.from({ length: count }, (_, i) => member(i)).join(',')}}`;
}
