import fc from 'fast-check';
import { numbersOfOneHash } from '../../../../workspace/numbers-of-one-hash.ts';

/** A schema of an imported contract, and bodies that are expensive to validate. */
export interface GeneratedContract {
  readonly schema: object;
  readonly bodies: readonly string[];
}

const patterns = [
  ...[
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(a+)+b',
    'a+$',
    '^(\\w+\\s?)*$',
    '^([a-z]+)*\\d$',
    '^a*a*a*b$',
    '^\\s+|\\s+$',
  ],
  ...['^(?=a)(a+)+$', '^(?!x)(a+)*$', '^(a)\\1*(a+)+$', '^(a{1,30}){1,30}$', '^(a|b)*a(a|b){12}$', '^[a-z]{1,20}$'],
];
const formats = [
  'email',
  'uri',
  'date-time',
  'uuid',
  'ipv6',
  'hostname',
  'byte',
  'regex',
  'uri-template',
  'json-pointer',
];

/** All schemas refer to themselves as Node, and have members from a to d, so that one body fits many of them. */
const node = { $ref: '#/components/schemas/Node' };
const { schema } = fc.letrec<{ schema: object }>((tie) => {
  const member = fc.oneof({ depthSize: 'small' }, tie('schema'), fc.constant(node));
  const branches = fc.array(member, { minLength: 2, maxLength: 4 });
  const text = fc.record(
    { type: fc.constant('string'), pattern: fc.constantFrom(...patterns), maxLength: fc.constantFrom(10, 100_000) },
    { requiredKeys: ['type', 'pattern'] },
  );
  const properties = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), member, { minKeys: 1, maxKeys: 3 });
  return {
    schema: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      text,
      fc.constantFrom(...formats).map((format) => ({ type: 'string', format })),
      fc.constantFrom({ type: 'integer' }, {}, { enum: ['x', 1] }),
      properties.map((found) => ({ type: 'object', properties: found, required: Object.keys(found).slice(0, 1) })),
      fc.tuple(member, fc.boolean()).map(([items, uniqueItems]) => ({ type: 'array', items, uniqueItems })),
      branches.map((anyOf) => ({ anyOf })),
      branches.map((oneOf) => ({ oneOf })),
      fc.tuple(member, member).map((allOf) => ({ allOf })),
      // References itself twice from one member.
      fc.tuple(member, fc.constantFrom('a', 'b')).map(([more, name]) => ({
        allOf: [
          { type: 'object', properties: { [name]: node, c: more } },
          { type: 'object', properties: { [name]: node, d: more } },
        ],
      })),
      fc.tuple(properties, member).map(([found, more]) => ({
        allOf: [{ properties: { ...found, a: node } }, { type: 'object', additionalProperties: node }, more],
      })),
      member.map((not) => ({ not })),
      branches.map((list) => ({
        oneOf: list.map((more, i) => ({
          type: 'object',
          required: ['a'],
          properties: { a: { enum: [`tag${i}`] }, b: more },
        })),
      })),
      member.map((additionalProperties) => ({ type: 'object', additionalProperties })),
    ),
  };
});

/** Returns the same contracts for the same count. */
export function generateContracts(count: number): GeneratedContract[] {
  return fc.sample(schema, { seed: 23, numRuns: count }).map((inner, i) => ({
    // A schema needs a part other than itself.
    schema: i % 2 === 0 ? { anyOf: [{ type: 'object', properties: { a: node }, required: ['a'] }, inner] } : inner,
    bodies: hostileBodies(i),
  }));
}

const sizes = [1_000, 64_000, 1_000_000];

function hostileBodies(i: number): string[] {
  const size = sizes[i % sizes.length] as number;
  const nest = (depth: number, open: string, inner: string, close: string) =>
    open.repeat(depth) + inner + close.repeat(depth);
  const list = (item: (n: number) => string, length: number) =>
    `[${Array.from({ length: Math.max(2, size / length) }, (_, n) => item(n)).join(',')}]`;
  const long = JSON.stringify(`${'a'.repeat(size)}!`);
  return [
    nest(40, '{"a":', '"wrong"', '}'),
    nest(25, '{"a":', '{}', '}'),
    `{"b":${nest(30, '{"a":', '{}', '}')},"d":${long}}`,
    nest(400, '{"a":[', '{"b":1}', ']}'),
    nest(300, '[', `"${'a'.repeat(34)}!"`, ']'),
    nest(24, '{"a":"tag1","b":', '{"a":"tag9"}', '}'),
    long,
    `{"a":${long},"b":[${long}]}`,
    list((n) => `{"a":"tag0","b":${n}}`, 22),
    list((n) => `"${'a'.repeat(34)}${n}!"`, 42),
    list((n) => `[${n},{"c":[]}]`, 16),
    JSON.stringify(numbersOfOneHash(size / 11)),
  ];
}
