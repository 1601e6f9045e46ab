import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvDraft04 from 'ajv-draft-04';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createComponentLibrary, type Direction } from './component-library.ts';
import { contractDocumentFrom } from './contract-document.ts';
import { translateSchema } from './translate-schema.ts';

interface Options {
  readonly version?: '3.0.3' | '3.1.0';
  readonly schemas?: Record<string, unknown>;
  readonly direction?: Direction;
}

function translate(schema: unknown, { version = '3.1.0', schemas = {}, direction = 'request' }: Options = {}) {
  const document = contractDocumentFrom({ openapi: version, paths: {}, components: { schemas } }, 'pets.yaml');
  if (typeof document === 'string') throw new Error(document);
  const library = createComponentLibrary(document, 'Pets');
  const uses = new Set<string>();
  const faults: string[] = [];
  const report = (pointer: string, detail: string) => faults.push(`${pointer} ${detail}`);
  const result = translateSchema(schema, '/s', { document, library, direction, uses, report });
  const components = Object.fromEntries([...library.components].map(([name, component]) => [name, component.schema]));
  for (const { faults: own } of library.components.values()) faults.push(...own.map((f) => `${f.pointer} ${f.detail}`));
  return { result, components, uses: [...uses], faults };
}

/** Schemas of OpenAPI 3.1 and their equivalents in 3.0.3. */
const translations: readonly (readonly [what: string, given: unknown, wanted: object])[] = [
  ['anything', true, {}],
  ['nothing', false, { not: {} }],
  ['a type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  ['one of two types', { type: ['string', 'integer'] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
  [
    'one of two types or null',
    { type: ['string', 'boolean', 'null'] },
    { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'string', nullable: true, enum: [null] }] },
  ],
  ['integer within number', { type: ['integer', 'number'] }, { type: 'number' }],
  ['null alone', { type: 'null' }, { type: 'string', nullable: true, enum: [null] }],
  ['a constant', { const: 'cat' }, { enum: ['cat'] }],
  ['a constant null', { const: null }, { enum: [null] }],
  [
    'an optional value as generators write it',
    { title: 'Name', anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
    { title: 'Name', type: 'string', maxLength: 3, nullable: true },
  ],
  [
    'an optional choice',
    { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    { type: 'string', enum: ['a', null], nullable: true },
  ],
  ['examples', { type: 'string', examples: ['a', 'b'] }, { type: 'string', example: 'a' }],
  [
    'an exclusive bound',
    { type: 'number', exclusiveMinimum: 3 },
    { type: 'number', minimum: 3, exclusiveMinimum: true },
  ],
  [
    'an exclusive bound beside a looser one',
    { minimum: 1, exclusiveMinimum: 3 },
    { minimum: 3, exclusiveMinimum: true },
  ],
  ['an exclusive bound beside a tighter one', { exclusiveMaximum: 9, maximum: 5 }, { maximum: 5 }],
  ['bytes', { type: 'string', contentEncoding: 'base64' }, { type: 'string', format: 'byte' }],
  ['a file', { type: 'string', contentMediaType: 'application/octet-stream' }, { type: 'string', format: 'binary' }],
  [
    'closed properties',
    { properties: { a: true }, unevaluatedProperties: false },
    { properties: { a: {} }, additionalProperties: false },
  ],
  ['a pattern with needless escapes', { pattern: '^a\\-\\_b\\@[\\w\\-]$' }, { pattern: '^a-_b@[\\w\\-]$' }],
  ['unknown keywords', { $comment: 'x', $id: 'y', constructor: 1, toString: 2 }, {}],
  ['extensions, except those of the validator', { 'x-a': 1, 'x-eov-type': 'date' }, { 'x-a': 1 }],
];

const AjvDraft4 = ajvDraft04.default;
/** Parsed from text: the linter takes an object with `then` for a promise. */
const condition = (text: string): object => JSON.parse(text);

describe('translateSchema', () => {
  it.each(translations)('translates %s', (_, given, wanted) => {
    const { result, faults } = translate(given);
    expect(faults).toEqual([]);
    expect(result).toEqual(wanted);
  });

  /** Values that distinguish the keywords below. */
  const values = [null, true, 0, 1, 2.5, 3, 5, 9, '', 'a', 'cat', 'dog', [], [1], ['a', 1], ['cat'], {}, { a: 1 }];
  const more = [{ a: 1, b: 2 }, { b: 'x' }, { kind: 'a', a: 1 }, { kind: 'a' }, { kind: 'b' }, { a: null, b: 2 }];
  const strict = new Ajv2020({ strict: false, unicodeRegExp: false, logger: false });
  const served = new AjvDraft4({ strict: false, logger: false });

  it.each([
    ...translations.map(([, given]) => given),
    condition('{"if":{"properties":{"kind":{"const":"a"}},"required":["kind"]},"then":{"required":["a"]}}'),
    condition('{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":["object","null"]}}'),
    { if: { type: 'string' }, else: { not: { type: 'array' } } },
    { dependentRequired: { a: ['b'] } },
    { dependentSchemas: { a: { required: ['b'] } } },
    { contains: { type: 'integer' } },
    { type: ['array', 'string'], contains: { const: 'cat' }, minLength: 2 },
    { type: ['string', 'null'], enum: ['cat'] },
    { enum: ['cat', null] },
    { allOf: [{ type: ['object', 'null'] }], anyOf: [{ required: ['a'] }, { type: 'null' }] },
    { type: ['integer', 'string'], anyOf: [{ minimum: 2 }, { const: 0 }] },
  ])('accepts exactly the values that %j accepts', (given) => {
    const before = strict.compile(given as object);
    const after = served.compile(translate(given).result);
    const accepted = (check: (value: unknown) => unknown) => [...values, ...more].filter((value) => check(value));
    expect(accepted(after)).toEqual(accepted(before));
  });

  it('returns a schema that the validator compiles, or reports a fault', () => {
    const scalar = fc.oneof(fc.integer(), fc.boolean(), fc.string(), fc.constant(null), fc.constantFrom('string', '['));
    const keyword = fc.constantFrom(
      ...['type', 'enum', 'const', 'items', 'properties', 'required', 'pattern', 'minimum', 'exclusiveMinimum'],
      ...['maxLength', 'multipleOf', 'allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'format', 'additionalProperties'],
      ...['if', 'then', 'else', 'contains', 'dependentRequired', 'dependentSchemas', 'uniqueItems', 'discriminator'],
    );
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        scalar,
        fc.array(tie('schema')),
        fc.dictionary(keyword, tie('schema'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(schema, fc.constantFrom('3.0.3' as const, '3.1.0' as const), (given, version) => {
        const { result, faults } = translate(given, { version });
        if (faults.length === 0) new AjvDraft4({ strict: false, logger: false }).compile(result);
      }),
      { numRuns: 2_000 },
    );
  });

  it('translates nullable of 3.0 as its authors mean it', () => {
    const old = (given: unknown) => translate(given, { version: '3.0.3', schemas: { Pet: { type: 'object' } } }).result;
    expect(old({ nullable: true, description: 'x' })).toEqual({ description: 'x' });
    expect(old({ type: 'string', nullable: true, enum: ['a'] })).toEqual({
      type: 'string',
      nullable: true,
      enum: ['a', null],
    });
    expect(old({ nullable: true, title: 'T', allOf: [{ $ref: '#/components/schemas/Pet' }] })).toEqual({
      title: 'T',
      anyOf: [{ allOf: [{ $ref: '#/components/schemas/Pets.Pet' }] }, { type: 'string', nullable: true, enum: [null] }],
    });
  });

  it('adds referenced schemas, including recursive ones, as components', () => {
    const Node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } };
    const { result, components, uses } = translate({ $ref: '#/components/schemas/Node' }, { schemas: { Node } });
    expect(result).toEqual({ $ref: '#/components/schemas/Pets.Node' });
    expect(uses).toEqual(['Pets.Node']);
    expect(components).toEqual({
      'Pets.Node': { type: 'object', properties: { next: { $ref: '#/components/schemas/Pets.Node' } } },
    });
  });

  it('adds schemas from any place of the document', () => {
    const schemas = { Pet: { $defs: { Name: { type: 'string' } }, properties: { n: { type: 'integer' } } } };
    const both = translate(
      { anyOf: [{ $ref: '#/components/schemas/Pet/$defs/Name' }, { $ref: '#/components/schemas/Pet/properties/n' }] },
      { schemas },
    );
    expect(both.components).toEqual({
      'Pets.Pet_defs_Name': { type: 'string' },
      'Pets.Pet_properties_n': { type: 'integer' },
    });
  });

  it('joins keywords beside a reference in 3.1 and ignores them in 3.0', () => {
    const given = { $ref: '#/components/schemas/Pet', description: 'Mine.', maxProperties: 2 };
    const schemas = { Pet: { type: 'object' } };
    expect(translate(given, { schemas }).result).toEqual({
      description: 'Mine.',
      maxProperties: 2,
      allOf: [{ $ref: '#/components/schemas/Pets.Pet' }],
    });
    expect(translate(given, { schemas, version: '3.0.3' }).result).toEqual({ $ref: '#/components/schemas/Pets.Pet' });
  });

  it('allows and does not require read-only properties in requests', () => {
    const Id = { type: 'integer', readOnly: true };
    const Pet = {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { $ref: '#/components/schemas/Id' }, name: { type: 'string' } },
    };
    const schemas = { Id, Pet, PetRequest: {}, Name: { type: 'string' } };
    const both = translate({ $ref: '#/components/schemas/Pet' }, { schemas });
    expect(both.result).toEqual({ $ref: '#/components/schemas/Pets.PetRequest2' });
    expect(both.components['Pets.PetRequest2']).toMatchObject({ required: ['name'] });
    expect(both.components['Pets.IdRequest']).toEqual({ type: 'integer' });
    const response = translate({ $ref: '#/components/schemas/Pet' }, { schemas, direction: 'response' });
    expect(response.components['Pets.Pet']).toMatchObject({ required: ['id', 'name'] });
    expect(response.components['Pets.Id']).toEqual(Id);
    expect(translate({ $ref: '#/components/schemas/Name' }, { schemas }).uses).toEqual(['Pets.Name']);
  });

  it('writes the mapping of a discriminator explicitly', () => {
    const schemas = { Cat: { type: 'object' }, Dog: { type: 'object' } };
    const oneOf = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }];
    const { result } = translate(
      { oneOf, discriminator: { propertyName: 'kind', mapping: { hound: 'Dog' } } },
      { schemas },
    );
    expect(result.discriminator).toEqual({
      propertyName: 'kind',
      mapping: { Cat: '#/components/schemas/Pets.Cat', hound: '#/components/schemas/Pets.Dog' },
    });
  });

  it.each([
    [
      'an external reference',
      { $ref: 'other.yaml#/A' },
      '/s/$ref points outside the document ("other.yaml#/A"): bundle',
    ],
    ['a reference to nothing', { $ref: '#/components/schemas/No' }, '/s/$ref #/components/schemas/No does not exist'],
    [
      'a reference to itself',
      { $ref: '#/components/schemas/Loop' },
      '/s/$ref #/components/schemas/Loop refers only to itself',
    ],
    ['a reference by anchor', { $ref: '#pet' }, '/s/$ref "#pet" is not a JSON pointer'],
    ['tuples', { prefixItems: [{}] }, '/s/prefixItems the keyword prefixItems cannot be expressed in OpenAPI 3.0'],
    ['patterns of names', { patternProperties: {} }, '/s/patternProperties the keyword patternProperties cannot'],
    [
      'unevaluatedProperties beside others',
      { allOf: [{}], unevaluatedProperties: false },
      '/s/unevaluatedProperties the keyword unevaluatedProperties beside others cannot',
    ],
    [
      'an invalid type',
      { properties: { 'a/b': { type: 'file' } } },
      '/s/properties/a~1b/type "file" is not a JSON type',
    ],
    ['an invalid pattern', { items: { pattern: '(' } }, '/s/items/pattern must be a regular expression'],
    ['an invalid bound', { minLength: -1 }, '/s/minLength must be an integer of at least 0'],
    ['an empty choice', { enum: [] }, '/s/enum must be a list with at least one entry'],
    ['an invalid schema', { not: 7 }, '/s/not must be a schema'],
  ])('reports %s', (_, given, fault) => {
    const { faults } = translate(given, { schemas: { Loop: { $ref: '#/components/schemas/Loop' } } });
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });
});
