import { readFile } from 'node:fs/promises';
import { parseJsonNumber } from '@rostergate/server';
import { isTypoOf, suggestField } from '@rostergate/server/problem';
import type { z } from 'zod';
import { describeIssue, dropUnknownNames, freezeDeep, inspectField } from './check-json-file.ts';
import { ConfigError, type ConfigFault, faultAt, fieldName } from './config-error.ts';
import { type JsonFile, parseJsonFile } from './json-file.ts';

export interface SettingsSources<S extends z.ZodObject> {
  readonly schema: S;
  /** Precedes the upper-case field name in the environment, such as `ROSTERGATE_`. */
  readonly prefix: string;
  readonly env: Environment;
  /** From the command line, by field name or in camel case; undefined values are ignored. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly file?: { readonly path: string; readonly text: string } | undefined;
}

interface Source {
  readonly value: unknown;
  readonly fault: (path: readonly PropertyKey[], detail: string) => ConfigFault;
}

/**
 * Returns the settings, frozen. The command line overrides the environment, which overrides the file, which overrides
 * the defaults of the schema. An empty value in the environment is ignored.
 * @throws ConfigError with every fault.
 */
export function loadSettings<S extends z.ZodObject>(sources: SettingsSources<S>): Readonly<z.output<S>> {
  const { schema, prefix, env, args = {} } = sources;
  const fields = Object.keys(schema.shape);
  const faults: ConfigFault[] = [];
  const found = new Map<string, Source>();
  if (sources.file !== undefined) readSettingsFile(sources.file, schema, found, faults);
  readEnvironment(env, prefix, schema, found, faults);
  readArguments(args, schema, found, faults);

  const input = Object.fromEntries([...found].map(([field, { value }]) => [field, value]));
  // Without generated code, which would take longer to compile than one parse takes.
  const result = schema.safeParse(input, { jitless: true });
  for (const issue of result.error?.issues ?? []) {
    const field = String(issue.path[0] ?? '');
    const fault = found.get(field)?.fault ?? absentFault(field, prefix, sources.file?.path);
    faults.push(fault(issue.path, describeIssue(schema, issue, input)));
  }
  if (result.success && faults.length === 0) return freezeDeep(result.data);
  const rank = ({ field }: ConfigFault) => fields.indexOf(field.split(/[.[]/)[0] ?? '');
  faults.sort((a, b) => rank(a) - rank(b));
  throw new ConfigError(faults);
}

type PlainSources = Pick<SettingsSources<z.ZodObject>, 'env' | 'args' | 'file'>;

/**
 * Returns what `read` returns for these fields alone, to which other files refer: they may be valid while other settings
 * are not. Returns undefined if they are invalid.
 */
export function readFieldsAlone<T>(
  read: (sources: PlainSources) => T,
  { prefix, env, args = {}, file }: PlainSources & Pick<SettingsSources<z.ZodObject>, 'prefix'>,
  fields: readonly string[],
): T | undefined {
  const pick = (given: object, names: readonly string[]) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
  try {
    const value: unknown = JSON.parse(file?.text ?? '{}');
    return read({
      env: pick(
        env,
        fields.map((field) => prefix + field.toUpperCase()),
      ),
      args: pick(args, fields),
      file: { path: file?.path ?? '', text: JSON.stringify(pick(Object(value), fields)) },
    });
  } catch {
    return undefined;
  }
}

function readSettingsFile(
  { path, text }: { readonly path: string; readonly text: string },
  schema: z.ZodObject,
  found: Map<string, Source>,
  faults: ConfigFault[],
): void {
  let file: JsonFile;
  try {
    file = parseJsonFile(text, path);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.push(...error.faults);
    return;
  }
  const { value, unknown } = dropUnknownNames(schema, file.value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.push(faultAt(file.locate(''), '', 'The file must contain one JSON object, { … }.'));
    return;
  }
  for (const name of unknown) faults.push(faultAt(file.locate(name.path, 'key'), fieldName(name.path), name.detail));
  const fault: Source['fault'] = (at, detail) => faultAt(file.locate(at), fieldName(at), detail);
  for (const [field, inner] of Object.entries(value)) found.set(field, { value: inner, fault });
}

function readEnvironment(
  env: Environment,
  prefix: string,
  schema: z.ZodObject,
  found: Map<string, Source>,
  faults: ConfigFault[],
): void {
  const names = new Map(Object.keys(schema.shape).map((field) => [prefix + field.toUpperCase(), field]));
  for (const [name, text] of Object.entries(env)) {
    if (text === undefined || text === '' || !name.startsWith(prefix)) continue;
    const field = names.get(name);
    const where = `environment ${name}`;
    if (field !== undefined) {
      const value = parseTextValue(schema.shape[field] as z.core.$ZodType, text);
      found.set(field, { value, fault: (at, detail) => ({ where, field: fieldName(at), detail }) });
      continue;
    }
    // Other programs share the prefix: only a likely typo is a fault.
    const rest = name.slice(prefix.length).toLowerCase();
    const meant = [...names.values()].find((known) => isTypoOf(rest, known));
    if (meant !== undefined) {
      faults.push({
        where,
        field: rest,
        detail: `There is no such field. Did you mean ${prefix}${meant.toUpperCase()}?`,
      });
    }
  }
}

function readArguments(
  args: Readonly<Record<string, unknown>>,
  schema: z.ZodObject,
  found: Map<string, Source>,
  faults: ConfigFault[],
): void {
  for (const [name, given] of Object.entries(args)) {
    if (given === undefined) continue;
    const field = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');
    const where = `option --${field.replaceAll('_', '-')}`;
    const inner = Object.hasOwn(schema.shape, field) ? schema.shape[field] : undefined;
    if (inner === undefined) {
      faults.push({
        where,
        field,
        detail: `There is no such option.${suggestField(field, Object.keys(schema.shape))}`,
      });
      continue;
    }
    const value = typeof given === 'string' ? parseTextValue(inner as z.core.$ZodType, given) : given;
    found.set(field, { value, fault: (at, detail) => ({ where, field: fieldName(at), detail }) });
  }
}

function absentFault(field: string, prefix: string, path: string | undefined): Source['fault'] {
  const where = path ?? 'environment';
  return (at, detail) => ({
    where,
    field: fieldName(at),
    detail:
      field === ''
        ? detail
        : `${detail} Set ${path === undefined ? '' : `it in ${path} or `}${prefix}${field.toUpperCase()}.`,
  });
}

/**
 * Converts text from the environment or the command line to the type of the schema: numbers, booleans, JSON for arrays
 * and objects, comma-separated lists for arrays. It returns other text unchanged, for the schema to reject.
 */
function parseTextValue(schema: z.core.$ZodType, text: string): unknown {
  const { def } = inspectField(schema);
  switch (def.type) {
    case 'number':
    case 'int':
      return parseJsonNumber(text.trim()) ?? text;
    case 'boolean':
      return booleans.get(text.trim().toLowerCase()) ?? text;
    case 'null':
      return text.trim() === 'null' ? null : text;
    case 'array':
      return text.trim().startsWith('[') ? parseJson(text) : parseList(def.element as z.core.$ZodType, text);
    case 'object':
    case 'record':
    case 'tuple':
      return parseJson(text);
    case 'union':
      return parseUnion(def.options as readonly z.core.$ZodType[], text);
    default:
      return text;
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', '1'].map((text) => [text, true] as const),
  ...['false', 'no', 'off', '0'].map((text) => [text, false] as const),
]);

function parseList(element: z.core.$ZodType, text: string): unknown[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '').map((entry) => parseTextValue(element, entry));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the first conversion that one of the options accepts. */
function parseUnion(options: readonly z.core.$ZodType[], text: string): unknown {
  for (const option of options) {
    const value = parseTextValue(option, text);
    if ((option as z.ZodType).safeParse(value).success) return value;
  }
  return text;
}

/**
 * Reads and parses a file that a setting names.
 * @throws ConfigError when it cannot be read, or from `parse`.
 */
export async function loadConfigFile<T>(
  path: string,
  setting: string,
  parse: (text: string, path: string) => T,
): Promise<T> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([{ where: path, field: setting, detail: `The file cannot be read (${code}).` }]);
  }
  return parse(text, path);
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Removes secrets from the environment of the process, where any code and every child process could read them, and
 * returns a copy that still has them, for later reloads.
 */
export function takeSecrets(env: Record<string, string | undefined>, names: readonly string[]): Environment {
  const copy = Object.freeze({ ...env });
  for (const name of names) delete env[name];
  return copy;
}
