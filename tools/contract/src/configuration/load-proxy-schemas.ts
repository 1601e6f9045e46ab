import { join } from 'node:path';
import type { JsonObject } from '../spec/openapi-document.ts';
import { rootFolder } from '../workspace.ts';

/** The settings of a server as JSON Schema draft 7. */
export interface SettingsSchema {
  readonly settings: JsonObject;
  /** The prefix of its environment variables. */
  readonly prefix: string;
}

/** The files of the staff proxy as JSON Schema draft 7. */
export interface ProxySchemas extends SettingsSchema {
  readonly keysFile: JsonObject;
}

interface SchemaSource {
  toJSONSchema(options: object): unknown;
}

/** Loads the schema of a server's settings from its sources. */
export async function loadSettingsSchema(app: 'scheduling' | 'staff-proxy'): Promise<SettingsSchema> {
  const { settingsSchema, settingsPrefix }: { settingsSchema: SchemaSource; settingsPrefix: string } = await import(
    join(rootFolder, 'apps', app, 'src/settings.ts')
  );
  return { settings: toDraft7(settingsSchema), prefix: settingsPrefix };
}

/** Loads the schemas of both files of the staff proxy from its sources. */
export async function loadProxySchemas(): Promise<ProxySchemas> {
  const file = join(rootFolder, 'apps/staff-proxy/src/keys/keys-file-schema.ts');
  const { keysFileSchema }: { keysFileSchema: SchemaSource } = await import(file);
  return { ...(await loadSettingsSchema('staff-proxy')), keysFile: toDraft7(keysFileSchema) };
}

function toDraft7(schema: SchemaSource): JsonObject {
  const json = schema.toJSONSchema({ target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const { $schema, ...rest } = withNotes(json) as JsonObject;
  return rest;
}

/** Objects that take no unknown names take notes nevertheless, as the proxy does: `$schema` and what begins with `_`. */
function withNotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNotes);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as JsonObject;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, withNotes(each)]));
  return schema.additionalProperties === false ? { ...inner, patternProperties: { '^(_|\\$schema$)': {} } } : inner;
}

/** A schema as it is published: without what only our own code reads of it. */
export function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (typeof value !== 'object' || value === null) return value;
  const { secret, commandLine, patternMessage, ...rest } = value as JsonObject;
  const kept = { ...rest, ...marksThatAreNames({ secret, commandLine, patternMessage }) };
  return Object.fromEntries(Object.entries(kept).map(([key, each]) => [key, withoutMarks(each)]));
}

/** A property may be called like a mark; then it holds a schema. */
function marksThatAreNames(marks: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(marks).filter(([, mark]) => typeof mark === 'object' && mark !== null));
}
