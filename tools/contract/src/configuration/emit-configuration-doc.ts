import { describeField, type FieldSchemaObject } from '@rostergate/config/command';
import { escapeCell } from '../reports/tables.ts';
import type { JsonObject } from '../spec/openapi-document.ts';
import { table } from './emit-server-settings.ts';

type Schemas = Readonly<Record<string, JsonObject>>;

export interface ConfigurationDocOptions {
  /** The schemas of the gateway's contract. */
  readonly schemas: Schemas;
  /** The prefix of environment variables. */
  readonly prefix: string;
}

/** Returns the page on the three files: every field with its type, bounds, default, other names and an example. */
export function emitConfigurationDoc({ schemas, prefix }: ConfigurationDocOptions): string {
  return [
    introduction(prefix),
    '## settings.json\n',
    textOf(schemas.Settings),
    index(schemas.Settings),
    ...fieldsOf(schemas.Settings).flatMap(([name, field]) => [
      settingSection(name, resolve(field, schemas), prefix),
      ...entryFields(field, schemas),
    ]),
    '## endpoints.json\n',
    textOf(schemas.EndpointsFile),
    exampleOf(schemas.EndpointsFile),
    '### Fields of an endpoint\n',
    textOf(schemas.EndpointDefinition),
    tableOf(schemas.EndpointDefinition, schemas),
    exampleOf({ example: { endpoints: [schemas.EndpointDefinition?.example] } }),
    '### Arguments from the request\n',
    'An entry of `parameters` is a fixed value, or an object that names its place in the request:\n',
    tableOf(schemas.ParameterSource, schemas),
    exampleOf({ example: { parameters: { symbol: schemas.ParameterSource?.example, currency: 'EUR' } } }),
    '### Upstream\n',
    textOf(schemas.EndpointUpstream),
    tableOf(schemas.EndpointUpstream, schemas),
    exampleOf({ example: { upstream: schemas.EndpointUpstream?.example } }),
    ...upstreamParts(schemas),
    '### Contract\n',
    textOf(schemas.EndpointContract),
    tableOf(schemas.EndpointContract, schemas),
    exampleOf({ example: { contract: schemas.EndpointContract?.example } }),
    ...policySections(schemas),
    '## keys.json\n',
    `${textOf(schemas.KeysFile)}`,
    tableOf(schemas.KeyEntry, schemas),
    exampleOf({ example: { keys: [schemas.KeyEntry?.example] } }),
  ].join('\n');
}

/** Returns a table of the fields of a setting that is an object, or of each entry of one that lists objects or names them. */
function entryFields(field: FieldSchemaObject, schemas: Schemas): string[] {
  const { items, additionalProperties } = field as { readonly items?: JsonObject; additionalProperties?: JsonObject };
  const { $ref } = (items ?? additionalProperties ?? {}) as { readonly $ref?: string };
  if ($ref === undefined) {
    const own = resolve(field, schemas) as JsonObject;
    return own.properties === undefined ? [] : [table(flatten(own, schemas))];
  }
  const schema = schemas[$ref.split('/').at(-1) ?? ''];
  return [`**An entry.** ${textOf(schema)}`, table(flatten(schema ?? {}, schemas))];
}

/** Returns an object with the fields of the objects in it, each by its path such as `limits[].per`. */
function flatten(schema: JsonObject, schemas: Schemas): JsonObject {
  const required = new Set(schema.required as readonly string[] | undefined);
  const properties: Record<string, FieldSchemaObject> = {};
  for (const [name, given] of fieldsOf(schema)) {
    const field = resolve(given, schemas);
    properties[name] = field;
    const { items } = field as { readonly items?: JsonObject };
    const inner = flatten(items ?? (field as JsonObject), schemas);
    const path = items === undefined ? name : `${name}[]`;
    for (const [child, value] of fieldsOf(inner)) properties[`${path}.${child}`] = value;
    for (const child of (inner.required ?? []) as readonly string[]) required.add(`${path}.${child}`);
  }
  return { ...schema, properties, required: [...required] };
}

/** Returns a section for each object in an upstream: fields that refer to a schema, and the objects in `targets`. */
function upstreamParts(schemas: Schemas): string[] {
  const parts = fieldsOf(schemas.EndpointUpstream).flatMap(([name, field]) => {
    const $ref = (field as JsonObject).$ref as string | undefined;
    return $ref === undefined ? [] : [[name, $ref.split('/').at(-1) ?? ''] as const];
  });
  const { targets } = (schemas.EndpointUpstream?.example ?? {}) as { targets?: unknown };
  return [['targets', 'UpstreamTarget'] as const, ...parts].flatMap(([name, schema]) => {
    const example = schemas[schema]?.example;
    return [
      `### upstream.${name}\n`,
      textOf(schemas[schema]),
      tableOf(schemas[schema], schemas),
      exampleOf({ example: { upstream: { targets, [name]: name === 'targets' ? [example] : example } } }),
    ];
  });
}

/** Returns a section for each type of policy, and one for the rules of headers. */
function policySections(schemas: Schemas): string[] {
  const branches = (schemas.Policy?.oneOf ?? []) as { readonly $ref: string }[];
  const sections = branches.flatMap(({ $ref }) => {
    const schema = schemas[$ref.split('/').at(-1) ?? ''];
    const { type } = (schema?.example ?? {}) as { type?: string };
    const name = type === undefined ? '' : type.replaceAll('_', '-');
    return [
      `### Policy ${type}\n`,
      textOf(schema),
      tableOf(schema, schemas),
      exampleOf({ example: { policies: { [`my-${name}`]: schema?.example } } }),
    ];
  });
  return [
    '### Policies\n',
    'An entry of `policies` has one of the following types. Endpoints list the names of their policies; `policies_for_all` lists those of every endpoint, which run first. [How to add a policy](how-to/add-a-policy.md) shows each of them.\n',
    ...sections,
    '### Header rules\n',
    textOf(schemas.HeaderRules),
    tableOf(schemas.HeaderRules, schemas),
  ];
}

function introduction(prefix: string): string {
  return `# Configuration

The files of the gateway, then [staff-proxy.json](#staff-proxyjson) and [scheduling.json](#schedulingjson).

The gateway reads \`settings.json\` and, from the same folder, \`endpoints.json\`, \`keys.json\` and \`services\`. It looks for
\`settings.json\` in this order: \`--config\` (a file or its folder), \`${prefix}SETTINGS_FILE\`, the working folder, the folder
\`config\` in it. Each file is optional unless an option or a setting names it.

A setting is taken from the command line, then the environment, then \`settings.json\`, then its default. In the environment,
an empty value counts as absent, lists are JSON or comma-separated, and numbers and \`true\`, \`false\`, \`yes\`, \`no\`, \`on\`,
\`off\`, \`1\`, \`0\` are read by the type of the setting. Secrets have no option, because every user of a machine can read
command lines.

Names that begin with \`_\`, and \`$schema\`, are for people and editors and are ignored. Any other unknown name prevents the
start, and so does every other fault; \`rostergate validate\` lists them all with file, line and column. \`rostergate init\`
writes files whose \`$schema\` gives editors completion and descriptions.
`;
}

function fieldsOf(schema: JsonObject | undefined): [string, FieldSchemaObject][] {
  return Object.entries((schema?.properties ?? {}) as Record<string, FieldSchemaObject>);
}

function textOf(schema: JsonObject | undefined): string {
  return `${String(schema?.description ?? '').trim()}\n`;
}

function index(schema: JsonObject | undefined): string {
  return `${fieldsOf(schema)
    .map(([name]) => `[\`${name}\`](#${name})`)
    .join(' · ')}\n`;
}

function settingSection(name: string, field: FieldSchemaObject, prefix: string): string {
  const { type, bounds, description } = describeField(field);
  const preset = describeField(field).default;
  const isSecret = (field as JsonObject)['x-secret'] === true;
  const option = isSecret ? 'none: it is a secret' : `\`--${name.replaceAll('_', '-')}\``;
  const row = [
    bounds === '' ? type : `${type}, ${bounds}`,
    preset === undefined ? '–' : code(preset),
    `\`${prefix}${name.toUpperCase()}\``,
    option,
  ];
  return `### ${name}

${description}

| type | default | environment | option |
|---|---|---|---|
| ${row.map(escapeCell).join(' | ')} |

\`\`\`json
{ "${name}": ${JSON.stringify(exampleValue(field))} }
\`\`\`
`;
}

/** Returns the example of the field, or a value other than its default. */
function exampleValue(field: FieldSchemaObject): unknown {
  const { example } = field as JsonObject;
  if (example !== undefined) return example;
  if (typeof field.default === 'boolean') return !field.default;
  return field.enum?.find((value) => value !== field.default) ?? field.default;
}

/** Returns the table of a schema that refers to others. */
function tableOf(schema: JsonObject | undefined, schemas: Schemas): string {
  const fields = fieldsOf(schema).map(([name, field]) => [name, resolve(field, schemas)]);
  return table({ ...schema, properties: Object.fromEntries(fields) });
}

function resolve(field: FieldSchemaObject, schemas: Schemas): FieldSchemaObject {
  const { $ref, items, anyOf } = field as { $ref?: string; items?: FieldSchemaObject; anyOf?: FieldSchemaObject[] };
  const inner = {
    ...(items === undefined ? {} : { items: resolve(items, schemas) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((branch) => resolve(branch, schemas)) }),
  };
  const [only, ...others] = (field as { allOf?: FieldSchemaObject[] }).allOf ?? [];
  if (only !== undefined && others.length === 0)
    return { ...resolve(only, schemas), description: field.description ?? '' };
  if ($ref === undefined) return { ...field, ...inner };
  return (schemas[$ref.split('/').at(-1) ?? ''] ?? {}) as FieldSchemaObject;
}

function exampleOf(schema: JsonObject | undefined): string {
  return `\`\`\`json\n${JSON.stringify(schema?.example, null, 2)}\n\`\`\`\n`;
}

function code(text: string): string {
  return `\`${text}\``;
}
