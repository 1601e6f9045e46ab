import { join } from 'node:path';
import type { JsonObject } from '../spec/openapi-document.ts';
import { rootFolder } from '../workspace.ts';

/** What the files of the staff proxy take, as JSON Schema draft 7. */
export interface ProxySchemas {
  readonly settings: JsonObject;
  readonly keysFile: JsonObject;
  /** What environment names begin with. */
  readonly prefix: string;
}

interface SchemaSource {
  toJSONSchema(options: object): unknown;
}

/** The schemas from the proxy's own code, which is where they are written. */
export async function loadProxySchemas(): Promise<ProxySchemas> {
  const source = join(rootFolder, 'apps/staff-proxy/src');
  const { settingsSchema, settingsPrefix }: { settingsSchema: SchemaSource; settingsPrefix: string } = await import(
    join(source, 'settings.ts')
  );
  const { keysFileSchema }: { keysFileSchema: SchemaSource } = await import(join(source, 'keys/keys-file-schema.ts'));
  return { settings: toDraft7(settingsSchema), keysFile: toDraft7(keysFileSchema), prefix: settingsPrefix };
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
