import type { z } from 'zod';
import { ConfigError, faultAt, fieldName } from './config-error.ts';
import { describeIssue } from './describe-issue.ts';
import { freezeDeep } from './freeze-deep.ts';
import type { JsonFile } from './json-file.ts';
import { dropUnknownNames } from './unknown-names.ts';

/**
 * The value of a JSON file as its schema types it, frozen. Names that begin with `_`, and `$schema`, are passed over;
 * any other unknown name is a fault.
 * @throws ConfigError with every fault and its place in the file.
 */
export function checkJsonFile<S extends z.ZodType>(schema: S, file: JsonFile): Readonly<z.output<S>> {
  const { value, unknown } = dropUnknownNames(schema, file.value);
  const faults = unknown.map(({ path, detail }) => faultAt(file.locate(path, 'key'), fieldName(path), detail));
  const result = schema.safeParse(value);
  for (const issue of result.error?.issues ?? []) {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    faults.push(faultAt(file.locate(path), fieldName(path), describeIssue(schema, issue, value)));
  }
  if (result.success && faults.length === 0) return freezeDeep(result.data);
  faults.sort((a, b) => (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0));
  throw new ConfigError(faults);
}
